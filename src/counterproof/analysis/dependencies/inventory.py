"""The files that declare or lock dependencies, and their combined content.

Invariant: only files of the survey are read, nothing is run or downloaded, includes stay inside the tree and are read once. An
unreadable file is a limitation, never an empty list.
"""

import posixpath
import re
from dataclasses import dataclass

from counterproof.analysis.dependencies.ecosystems import READERS
from counterproof.analysis.dependencies.manifest import Declared, Manifest
from counterproof.analysis.dependencies.other_files import read_conda, read_pipfile_lock, read_setup_cfg, read_setup_py
from counterproof.analysis.dependencies.pip_files import read_pip_settings, read_requirements
from counterproof.analysis.dependencies.toml_files import read_toml
from counterproof.analysis.project import Project
from counterproof.analysis.source.origin import is_requirements
from counterproof.model.location import at
from counterproof.model.recon import Dependency

_DEVELOPMENT = re.compile(
    r"(?:^|[-_./])(?:dev|develop|development|tests?|testing|docs?|lint|typing|types|ci|build|style|tools)(?=[-_./]|$)"
)
_TOML = ("pyproject.toml", "Pipfile", "poetry.lock", "uv.lock", "pdm.lock")


@dataclass(frozen=True, slots=True)
class Dependencies:
    """The project's dependencies. `manifests` lists every file that was read, even those that declare nothing (A7)."""

    dependencies: tuple[Dependency, ...]
    manifests: tuple[str, ...]
    limitations: tuple[str, ...] = ()


def read_dependencies(project: Project) -> Dependencies:
    """Every declared and locked dependency with its line."""
    manifests = read_manifests(project)
    return Dependencies(
        tuple(_dependency(manifest, each) for manifest in manifests for each in manifest.declared),
        tuple(manifest.path for manifest in manifests),
        tuple(problem for each in manifests if not project.files[each.path].test for problem in each.problems),
    )


def _dependency(manifest: Manifest, declared: Declared) -> Dependency:
    return Dependency(declared.name, declared.version, declared.pinned, at(manifest.path, declared.line), manifest.ecosystem)


def read_manifests(project: Project) -> tuple[Manifest, ...]:
    """All manifests and locks, sorted by path."""
    found: dict[str, Manifest] = {}
    for file in project.survey.files:
        project.checkpoint()
        manifest = _read(project, file.path)
        if manifest:
            found[file.path] = manifest
    pending = list(found.values())
    while pending:
        manifest = pending.pop()
        for include in manifest.includes:
            path = posixpath.normpath(posixpath.join(posixpath.dirname(manifest.path), include))
            if path in project.files and path not in found:
                found[path] = read_requirements(path, project.text(path), is_development(path))
                pending.append(found[path])
    return tuple(_with_missing_includes(project, found[path]) for path in sorted(found))


def _with_missing_includes(project: Project, manifest: Manifest) -> Manifest:
    folder = posixpath.dirname(manifest.path)
    missing = [each for each in manifest.includes if posixpath.normpath(posixpath.join(folder, each)) not in project.files]
    if not missing:
        return manifest
    problems = tuple(f"{manifest.path} includes {each[:200]!r}, which is not in scope" for each in missing[:10])
    return Manifest(
        manifest.path, manifest.role, manifest.declared, manifest.options, manifest.includes, manifest.packaged,
        manifest.problems + problems, manifest.ecosystem,
    )  # fmt: skip


def is_development(path: str) -> bool:
    """Return True if a requirements file is for development, by its name."""
    return _DEVELOPMENT.search(path.lower().rpartition(".")[0]) is not None


def _read(project: Project, path: str) -> Manifest | None:
    name = path.rpartition("/")[2]
    if name in READERS:
        return READERS[name](path, project.text(path))
    if name in _TOML:
        return read_toml(path, project.text(path))
    if is_requirements(path):
        return read_requirements(path, project.text(path), is_development(path))
    match name:
        case "setup.cfg":
            return read_setup_cfg(path, project.text(path))
        case "setup.py":
            return read_setup_py(path, project.module(path))
        case "Pipfile.lock":
            return read_pipfile_lock(path, project.text(path))
        case "environment.yml" | "environment.yaml" | "conda.yml" | "conda.yaml":
            return read_conda(path, project.text(path))
        case "pip.conf" | "pip.ini" | ".pip.conf":
            return read_pip_settings(path, project.text(path))
        case _:
            return None
