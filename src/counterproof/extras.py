"""How an optional part is added to this installation: the command that fits the way it was installed.

Invariant: it only looks at where the program lies; it installs nothing.
"""

import json
import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit


def command_for(extra: str, prefix: Path | None = None) -> str:
    """The command that adds an extra. `prefix` is the environment to look at, the running one by default."""
    place = prefix or Path(sys.prefix)
    wanted = shlex.quote(f"{_origin()}[{extra}]")
    if (place / "uv-receipt.toml").is_file():
        return f"uv tool install --force {wanted}"
    if "pipx" in place.parts and ".cache" in place.parts:
        return f"pipx run --spec {wanted} counterproof"
    if (place / "pipx_metadata.json").is_file():
        return f"pipx install --force {wanted}"
    if {"archive-v0", "environments-v2"} & set(place.parts):
        return f"uvx --from {wanted} counterproof"
    return f"{_pip(place)} install {wanted}"


def _origin() -> str:
    """What was installed: the name where it came from an index, the folder where it came from a checkout."""
    try:
        noted = distribution("counterproof").read_text("direct_url.json")
    except PackageNotFoundError:
        return "counterproof"
    url = urlsplit(str(json.loads(noted).get("url", ""))) if noted else None
    folder = unquote(url.path) if url and url.scheme == "file" else ""
    return folder if folder and Path(folder, "pyproject.toml").is_file() else "counterproof"


def _pip(place: Path) -> str:
    """`pip` where the environment is the active one; else the one that belongs to this program."""
    active = os.environ.get("VIRTUAL_ENV")
    return "pip" if active and Path(active) == place else f"{shlex.quote(sys.executable)} -m pip"
