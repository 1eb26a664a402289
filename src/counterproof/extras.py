"""The commands that install this program elsewhere, or an optional part of it, depending on how it was installed.

Invariant: it only inspects the program's location; it installs nothing.
"""

import json
import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from counterproof import __version__

NAME: Final = "counterproof"


def command_for(extra: str, prefix: Path | None = None) -> str:
    """The command that installs an extra. `prefix` is the environment to inspect, by default the running one."""
    place = prefix or Path(sys.prefix)
    origin = _origin()
    gone = origin.startswith("/") and not Path(origin).exists()
    package, at, address = (NAME if gone else origin).partition(" @ ")
    wanted = shlex.quote(f"{package}[{extra}]{at}{address}")
    if (place / "uv-receipt.toml").is_file():
        return f"uv tool install --force {wanted}"
    if "pipx" in place.parts and ".cache" in place.parts:
        return f"pipx run --spec {wanted} counterproof"
    if (place / "pipx_metadata.json").is_file():
        return f"pipx install --force {wanted}"
    if {"archive-v0", "environments-v2"} & set(place.parts):
        return f"uvx --from {wanted} counterproof"
    return f"{_pip(place)} install {wanted}"


def requirement() -> str:
    """The pip requirement that installs this program on another machine; '' if it came from a file or folder of this one."""
    origin = _origin()
    return f"{NAME}=={__version__}" if origin == NAME else "" if origin.startswith("/") else origin


def _origin() -> str:
    """The installed package: its name if it came from an index, with its address if from a repository or a server, the path if
    it is a checkout or a wheel."""
    try:
        noted = distribution(NAME).read_text("direct_url.json")
    except PackageNotFoundError:
        return NAME
    facts: dict[str, Any] = json.loads(noted) if noted else {}
    url = urlsplit(str(facts.get("url", "")))
    if url.scheme != "file":
        source = facts.get("vcs_info")
        address = f"{source['vcs']}+{url.geturl()}@{source['commit_id']}" if source else url.geturl()
        return f"{NAME} @ {address}" if url.scheme else NAME
    return unquote(url.path)


def _pip(place: Path) -> str:
    """`pip` if the environment is active; otherwise the environment's own."""
    active = os.environ.get("VIRTUAL_ENV")
    return "pip" if active and Path(active) == place else f"{shlex.quote(sys.executable)} -m pip"
