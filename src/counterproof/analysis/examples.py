"""Findings in the examples of a Python package: omitted and counted, because the package's users do not get the examples
(A10).

Invariant: only a tree that is built into a package has examples in this sense, only folders at its top, and only if most of its
code is elsewhere; otherwise the "examples" are the project. Not handled here: secrets and downloads, which have rules of their
own for such folders.
"""

from dataclasses import replace

from counterproof.analysis.examination import Examination
from counterproof.analysis.project import Project
from counterproof.model.survey import FileRole, Language

_FOLDERS = frozenset(("examples", "example", "samples", "sample", "demo", "demos", "docs", "doc", "benchmarks", "tutorials"))
_BUILT = ("pyproject.toml", "setup.py", "setup.cfg")


def without_examples(project: Project, whole: Examination) -> Examination:
    """An examination without the results for the package's examples."""
    if not any(_is_aside(each.location.path) for each in whole.findings) or not _is_package(project):
        return whole
    kept = tuple(each for each in whole.findings if not _is_aside(each.location.path) or runs(project, each.location.path))
    said = "Findings in examples, documentation and benchmarks of a package were left out, because nobody installs those."
    return replace(whole, findings=kept, limitations=(*whole.limitations, said))


def runs(project: Project, path: str) -> bool:
    """Return True if running code reaches a file, in any folder (X21)."""
    file = project.files.get(path)
    return file is not None and bool(file.reached_from) and file.role is FileRole.RUNTIME


def _is_aside(path: str) -> bool:
    first, deeper, _ = path.partition("/")
    return bool(deeper) and first.lower() in _FOLDERS and path.endswith((".py", ".pyi", ".html"))


def _is_package(project: Project) -> bool:
    """Return True if the tree is built into a package whose code is outside its examples."""
    code = [file for file in project.of_language(Language.PYTHON) if not file.test]
    aside = sum(file.size for file in code if _is_aside(file.path))
    return any(name in project.files for name in _BUILT) and 2 * aside < sum(file.size for file in code)
