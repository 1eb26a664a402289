"""Manifest roots: the folders of a tree that are separate projects (a monorepo has several).

A root is a folder with a manifest and with source of its own: files for which it is the nearest manifest above. The root of a
file depends only on paths (`model.recon.root_of`). Not handled here: the content of manifests.
"""

from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.source.origin import in_sample_folder
from counterproof.model.recon import root_of

TOP = "."
_MANIFESTS = frozenset(
    (
        "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile", "package.json", "pom.xml", "build.gradle",
        "build.gradle.kts", "go.mod", "composer.json", "Gemfile", "gems.rb",
    )
)  # fmt: skip
MAX_ROOTS = 50
"""Roots that are distinguished. In a tree with more, the smallest are merged into the root above them, with a limitation."""


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or TOP


def _manifests(project: Project) -> Iterator[str]:
    """Manifests of delivered code. A `setup.py` inside a package is a module of that name."""
    for file in project.survey.files:
        folder, _, name = file.path.rpartition("/")
        module = name == "setup.py" and f"{folder}/__init__.py" in project.files
        if name in _MANIFESTS and not module and not file.test and not in_sample_folder(file.path):
            yield file.path


def manifest_roots(project: Project) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folders with a manifest, in path order ('.' is the project's top), and limitations. Other source belongs to '.'."""
    candidates = {TOP, *(_folder(path) for path in _manifests(project))}
    lines = dict.fromkeys(sorted(candidates), 0)
    for file in project.survey.files:
        if file.language is not None and not file.test:
            lines[root_of(file.path, candidates)] += file.loc
    found = [root for root, loc in lines.items() if loc]
    if len(found) <= MAX_ROOTS:
        return tuple(found) or (TOP,), ()
    largest = sorted(found, key=lambda root: (-lines[root], root))[: MAX_ROOTS - 1]
    said = f"{len(found)} folders have a manifest of their own; the smaller ones count as part of the folder above."
    return tuple(sorted({TOP, *largest})), (said,)
