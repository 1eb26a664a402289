"""Code that only a sender could abuse, in a root that nobody can send to.

Always holds: a root counts as out of reach only where it has no way in from a network and no file of another root imports from
it. Does not belong here: finding the ways in.

What is found in the examples of a Python package: left out and said, as whoever installs the package gets none of them (A10).
Always holds: only a tree that is built into a package has examples in this sense, only folders at its top, and only where most of
its code lies elsewhere; otherwise the "examples" are the project.
"""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.examination import Examination
from counterproof.analysis.inventory.roots import manifest_roots
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.model.dimension import Track
from counterproof.model.flow import Break
from counterproof.model.ledger import Trace
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, root_of
from counterproof.model.survey import FileRole, Language

SEEN = "nobody calls it, and this root has no way in from a network"


def closed(project: Project, entry_points: tuple[EntryPoint, ...], examined: Examination) -> Examination:
    """With the traces ended that lead to a function which nobody calls, in a root that nobody can send to."""
    roots, _ = manifest_roots(project)
    served = {root_of(each.handler.path, roots) for each in entry_points if each.kind in NETWORK_KINDS}
    hanging = {root_of(each.sink.path, roots) for each in examined.traces if _hangs(each)} - served
    if not hanging:
        return examined
    ended = hanging - _imported(project, hanging, roots)
    return replace(examined, traces=tuple(_ended(each) if _in(each, ended, roots) else each for each in examined.traces))


def _hangs(trace: Trace) -> bool:
    return not trace.complete and trace.dimension.track is Track.CONTROL and trace.broken_by == Break.CALLBACK.value


def _in(trace: Trace, ended: set[str], roots: tuple[str, ...]) -> bool:
    return _hangs(trace) and root_of(trace.sink.path, roots) in ended


def _ended(trace: Trace) -> Trace:
    return replace(trace, complete=True, origin=SEEN, broken_by="")


def _imported(project: Project, wanted: set[str], roots: tuple[str, ...]) -> set[str]:
    """Of these roots, those that code of another root imports from."""
    modules = [project.module(each.path) for language in (Language.PYTHON, *SCRIPTS) for each in project.of_language(language)]
    owner = {module.name: root_of(module.path, roots) for module in modules if root_of(module.path, roots) in wanted}
    found: set[str] = set()
    for module in modules:
        home = root_of(module.path, roots)
        names = (name for value in (*module.imports.values(), *module.wildcards) for name in _prefixes(value))
        found |= {owner[name] for name in names if name in owner and owner[name] != home}
    return found


def _prefixes(dotted: str) -> Iterable[str]:
    parts = dotted.split(".")
    return (".".join(parts[:length]) for length in range(1, len(parts) + 1))


_FOLDERS = frozenset(("examples", "example", "samples", "sample", "demo", "demos", "docs", "doc", "benchmarks", "tutorials"))
_BUILT = ("pyproject.toml", "setup.py", "setup.cfg")


def without_examples(project: Project, whole: Examination) -> Examination:
    """An examination without what it says about the package's examples."""
    if not any(_is_aside(each.location.path) for each in whole.findings) or not _is_package(project):
        return whole
    kept = tuple(each for each in whole.findings if not _is_aside(each.location.path) or runs(project, each.location.path))
    said = "Findings in examples, documentation and benchmarks of a package were left out, because nobody installs those."
    return replace(whole, findings=kept, limitations=(*whole.limitations, said))


def runs(project: Project, path: str) -> bool:
    """Whether code that runs reaches a file, whatever folder it lies in (X21)."""
    file = project.files.get(path)
    return file is not None and bool(file.reached_from) and file.role is FileRole.RUNTIME


def _is_aside(path: str) -> bool:
    first, deeper, _ = path.partition("/")
    return bool(deeper) and first.lower() in _FOLDERS and path.endswith((".py", ".pyi", ".html"))


def _is_package(project: Project) -> bool:
    """Whether the tree is built into a package whose code lies outside its examples."""
    code = [file for file in project.of_language(Language.PYTHON) if not file.test]
    aside = sum(file.size for file in code if _is_aside(file.path))
    return any(name in project.files for name in _BUILT) and 2 * aside < sum(file.size for file in code)
