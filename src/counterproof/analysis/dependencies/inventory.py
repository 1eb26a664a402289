"""The files that declare or lock dependencies, and their combined content.

Invariant: only files of the survey are read, nothing is run or downloaded, includes stay inside the tree and are read once. An
unreadable file is a limitation, never an empty list.
"""

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from counterproof.analysis.dependencies.json_files import SECTIONS, read_json
from counterproof.analysis.dependencies.line_files import FORMATS, read_lines
from counterproof.analysis.dependencies.manifest import Declared, Manifest, Role
from counterproof.analysis.dependencies.maven import read_pom
from counterproof.analysis.dependencies.options import options_in, pip_options
from counterproof.analysis.dependencies.python_files import read_requirements, read_setup_cfg, read_setup_py
from counterproof.analysis.dependencies.toml_files import read_toml
from counterproof.analysis.project import Project
from counterproof.analysis.source.origin import is_requirements
from counterproof.model.location import at
from counterproof.model.recon import Dependency

_DEVELOPMENT = re.compile(
    r"(?:^|[-_./])(?:dev|develop|development|tests?|testing|docs?|lint|typing|types|ci|build|style|tools)(?=[-_./]|$)"
)


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
                found[path] = _read_requirements(path, project.text(path))
                pending.append(found[path])
    return tuple(_with_missing_includes(project, found[path]) for path in sorted(found))


def _with_missing_includes(project: Project, manifest: Manifest) -> Manifest:
    folder = posixpath.dirname(manifest.path)
    missing = [each for each in manifest.includes if posixpath.normpath(posixpath.join(folder, each)) not in project.files]
    if not missing:
        return manifest
    problems = tuple(f"{manifest.path} includes {each[:200]!r}, which is not in scope" for each in missing[:10])
    return replace(manifest, problems=manifest.problems + problems)


def is_development(path: str) -> bool:
    """Return True if a requirements file is for development, by its name."""
    return _DEVELOPMENT.search(path.lower().rpartition(".")[0]) is not None


def _read(project: Project, path: str) -> Manifest | None:
    name = path.rpartition("/")[2]
    if name == "setup.py":
        return read_setup_py(path, project.module(path))
    if name in _READERS:
        text = project.text(path)
        return replace(_READERS[name](path, text), options=options_in(name, text))
    return _read_requirements(path, project.text(path)) if is_requirements(path) else None


def _read_requirements(path: str, text: str) -> Manifest:
    return replace(read_requirements(path, text, is_development(path)), options=pip_options(text))


def _read_settings(path: str, _: str) -> Manifest:
    """A file that holds options only."""
    return Manifest(path, Role.DECLARES, ecosystem="npm" if path.endswith(".npmrc") else "pypi")


_READERS: dict[str, Callable[[str, str], Manifest]] = {
    **dict.fromkeys(SECTIONS, read_json),
    **dict.fromkeys(FORMATS, read_lines),
    **dict.fromkeys(("pyproject.toml", "Pipfile", "poetry.lock", "uv.lock", "pdm.lock"), read_toml),
    **dict.fromkeys(("pip.conf", "pip.ini", ".pip.conf", ".npmrc"), _read_settings),
    "pom.xml": read_pom,
    "setup.cfg": read_setup_cfg,
}

LOCKS = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"),
    "packagist": ("composer.lock",),
    "rubygems": ("Gemfile.lock", "gems.locked"),
    "pypi": ("poetry.lock", "uv.lock", "pdm.lock", "Pipfile.lock"),
}
"""Lock files by ecosystem, for those whose applications should have one: Maven and Go manifests contain exact versions. A lock
file too large to be read still counts."""
