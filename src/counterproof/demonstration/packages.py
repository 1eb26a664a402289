"""Fetches the packages that a target needs into a separate folder, if the user allows it (`--install`).

Invariant: no code of the target or of a package runs while fetching: only wheels, no scripts, only names and versions from the
package index, as in the target's lock files and manifests; its own settings for pip and npm are not read.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from counterproof.analysis.dependencies.inventory import read_manifests
from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, Manifest, Role
from counterproof.analysis.project import Project

SECONDS: Final = 600
MAX_TRIES: Final = 25
_MISSING = re.compile(r"(?:No matching distribution found for|Could not find a version that satisfies the requirement) ([\w.-]+)")
_EXACT = re.compile(r"[\w.!+-]{1,60}")


@dataclass(frozen=True, slots=True)
class Fetched:
    """The folders with the packages, and notes."""

    python: Path
    node: Path
    notes: tuple[str, ...]


def fetched(project: Project, folder: Path, python: Path, npm: Path | None) -> Fetched:
    """Fetch the packages in the target's manifests into `folder`."""
    manifests = [each for each in read_manifests(project) if not project.files[each.path].test]
    found = Fetched(folder / "python", folder / "node", ())
    notes = [*_pip(_wanted(manifests, "pypi"), found.python, python)]
    if npm is not None and (wanted := _wanted(manifests, "npm")):
        notes += _npm(wanted, found.node, npm)
    return Fetched(found.python, found.node / "node_modules", tuple(notes))


def _wanted(manifests: Iterable[Manifest], ecosystem: str) -> dict[str, str]:
    """Version by name, '' for any: locked versions before those of manifests, those nearer to the top first."""
    order = sorted(manifests, key=lambda each: (each.role is not Role.LOCKS, each.path.count("/"), each.path))
    wanted: dict[str, str] = {}
    for manifest in (each for each in order if each.ecosystem == ecosystem):
        for each in manifest.declared:
            if not each.development and each.origin is FetchedFrom.INDEX and (not wanted.get(each.name) or _pin(each)):
                wanted[each.name] = wanted.get(each.name) or _pin(each)
    return wanted


def _pin(declared: Declared) -> str:
    return declared.version if declared.pinned and _EXACT.fullmatch(declared.version) else ""


def _pip(wanted: dict[str, str], folder: Path, python: Path) -> Iterable[str]:
    """Install the wheels; a version without a wheel for this Python is replaced by the newest that has one, with a note."""
    folder.mkdir(parents=True)
    command = (str(python), "-I", "-m", "pip", "install", "--target", str(folder), "--only-binary", ":all:", "--no-input")
    for _ in range(MAX_TRIES):
        if not wanted:
            return
        named = [f"{name}=={version}" if version else name for name, version in wanted.items()]
        done = _run((*command, "--disable-pip-version-check", *named), folder)
        if not done:
            return
        missing = [name for name in dict.fromkeys(map(str.lower, _MISSING.findall(done))) if name in wanted]
        if missing and wanted[missing[0]]:
            yield f"{missing[0]} {wanted[missing[0]]} has no wheel for this Python: the newest one is used"
            wanted = {**wanted, missing[0]: ""}
        elif missing:
            yield f"{missing[0]} has no wheel for this Python and was left out"
            wanted = {name: version for name, version in wanted.items() if name != missing[0]}
        elif any(wanted.values()):
            yield "the locked versions do not go together on this Python: the newest ones are used"
            wanted = dict.fromkeys(wanted, "")
        else:
            yield f"pip failed: {done[-300:]}"
            return


def _npm(wanted: dict[str, str], folder: Path, npm: Path) -> Iterable[str]:
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"dependencies": {name: each or "*" for name, each in wanted.items()}}))
    said = _run((str(npm), "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"), folder)
    return (f"npm failed: {said[-300:]}",) if said else ()


def _run(command: tuple[str, ...], folder: Path) -> str:
    """The output of a failed command; '' if it succeeded."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env={**os.environ, "TMPDIR": str(folder.parent)},
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stderr.strip() or f"it ended with {done.returncode}") if done.returncode else ""
