"""A wheelhouse without a network: the wheels of what is installed here, packed again, and the package's own, built."""

import base64
import hashlib
import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent.parent


def needed(name: str, found: dict[str, metadata.Distribution]) -> None:
    """The distribution and everything it needs on this machine, without extras."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in found:
        return
    found[key] = metadata.distribution(name)
    for text in found[key].requires or []:
        requirement = Requirement(text)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            needed(requirement.name, found)


def packed(distribution: metadata.Distribution, folder: Path) -> None:
    """The wheel that a distribution was installed from, as far as its files tell."""
    name = re.sub(r"[-.]+", "_", distribution.name)
    tags = [tag.split("-") for tag in re.findall(r"^Tag: (.+)$", distribution.read_text("WHEEL") or "", re.M)]
    tag = "-".join(".".join(dict.fromkeys(parts)) for parts in zip(*tags, strict=True))
    record: list[str] = []
    info = ""
    with zipfile.ZipFile(folder / f"{name}-{distribution.version}-{tag}.whl", "w") as wheel:
        for file in distribution.files or []:
            place, inside = Path(str(file.locate())), file.as_posix()
            if inside.endswith(".dist-info/METADATA"):
                info = inside.split("/")[0]
            made_here = file.name in ("RECORD", "INSTALLER", "REQUESTED", "direct_url.json") or file.suffix == ".pyc"
            if made_here or not place.is_file():
                continue
            if inside.startswith(".."):
                if place.read_bytes()[:2] == b"#!":
                    continue  # a script that the installer writes
                inside = f"{name}-{distribution.version}.data/scripts/{file.name}"
            data = place.read_bytes()
            wheel.writestr(inside, data)
            hashed = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{inside},sha256={hashed},{len(data)}")
        wheel.writestr(f"{info}/RECORD", "\n".join([*record, f"{info}/RECORD,,"]) + "\n")


def gathered(folder: Path, *names: str) -> None:
    """The wheels of these distributions and of what they need, this package's own apart."""
    found: dict[str, metadata.Distribution] = {}
    for name in names:
        needed(name, found)
    found.pop("counterproof", None)
    for distribution in found.values():
        packed(distribution, folder)


def wheelhouse(folder: Path) -> None:
    gathered(folder, "counterproof", "pip")  # pipx asks the index for pip
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True, capture_output=True
    )
