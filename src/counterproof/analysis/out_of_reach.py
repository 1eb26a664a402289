"""Code that only a sender could exploit, in a root that receives no requests.

Invariant: a root counts as unreachable only if it has no network entry point and no file of another root imports from it. Not
handled here: finding entry points.
"""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.examination import Examination
from counterproof.analysis.manifest_roots import manifest_roots
from counterproof.analysis.project import SCRIPTS, Project
from counterproof.model.dimension import Track
from counterproof.model.flow import Break
from counterproof.model.ledger import Trace
from counterproof.model.recon import NETWORK_KINDS, EntryPoint, root_of
from counterproof.model.survey import Language

SEEN = "nobody calls it, and this root has no way in from a network"


def closed(project: Project, entry_points: tuple[EntryPoint, ...], examined: Examination) -> Examination:
    """The examination with traces closed that end in an uncalled function of an unreachable root."""
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
    """The roots that code of another root imports from."""
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
