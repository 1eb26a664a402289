"""Fetches the packages that a target needs into a separate folder, if the user allows it (`--install`).

Invariant: no code of the target or of a package runs while fetching: only wheels, no scripts, only names and versions from the
package index, as in the target's lock files and manifests; its own settings for pip and npm are not read.
"""

import json
import os
import re
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from counterproof.analysis.dependencies.inventory import read_manifests
from counterproof.analysis.dependencies.manifest import Declared, FetchedFrom, Manifest, Role
from counterproof.analysis.project import Project

SECONDS: Final = 600
PARALLEL: Final = 6
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
    command = (str(python), "-I", "-m", "pip", "install", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check")

    def installed() -> str:
        named = [_named(*each) for each in wanted.items()]
        return _run((*command, "--target", str(folder), *named), folder) if named else ""

    def can_install(name: str, version: str = "") -> bool:
        alone = ("--no-deps",) if version else ()
        return not _run((*command, "--dry-run", "--ignore-installed", *alone, _named(name, version)), folder)

    def fitting(name: str) -> bool:
        return pinned[name] or can_install(name)

    if not installed():
        return
    with ThreadPoolExecutor(PARALLEL) as pool:
        pinned = dict(zip(wanted, pool.map(can_install, wanted, wanted.values()), strict=True))
        newest = dict(zip(wanted, pool.map(fitting, wanted), strict=True))
    for name in (each for each in wanted if not pinned[each]):
        what = ": the newest one is used" if newest[name] else " and was left out"
        yield f"{name} {wanted[name]}".strip() + f" has no wheel for this Python{what}"
    wanted = {name: version if pinned[name] else "" for name, version in wanted.items() if newest[name]}
    failed = installed()
    if failed and any(wanted.values()):
        yield "the locked versions do not go together on this Python: the newest ones are used"
        wanted = dict.fromkeys(wanted, "")
        failed = installed()
    if failed:
        yield f"pip failed: {failed[-300:]}"


def _named(name: str, version: str) -> str:
    return f"{name}=={version}" if version else name


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
