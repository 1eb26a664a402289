"""All entry points of a project, framework by framework, each once."""

from functools import lru_cache

from counterproof.analysis.endpoints.convention import conventions
from counterproof.analysis.outline.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.model.recon import EntryKind, EntryPoint


@lru_cache(maxsize=4)
def entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """Sorted by handler, then by path. An entry that two conventions see is kept as the first one saw it."""
    codebase = codebase_of(project)
    found: dict[tuple[object, ...], EntryPoint] = {}
    for convention in conventions():
        for each in convention.find(codebase):
            found.setdefault((each.kind, each.method, each.path, each.handler), each)
    busy = {each.handler for each in found.values() if each.kind is not EntryKind.MAIN}
    kept = [each for each in found.values() if each.kind is not EntryKind.MAIN or each.handler not in busy]
    return tuple(sorted(kept, key=lambda each: (each.handler, each.kind, each.path, each.method)))
