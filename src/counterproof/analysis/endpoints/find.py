"""All entry points of a project, framework by framework, each once."""

from counterproof.analysis.endpoints.convention import conventions
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.analysis.reuse import named, valued
from counterproof.model.recon import EntryKind, EntryPoint


def entry_points(project: Project) -> tuple[EntryPoint, ...]:
    """All entry points, sorted by handler, then by path. Of duplicates, the first is kept."""
    project.notes.value(named("entries", ""))
    return _every(project)


def entry_points_in(project: Project, path: str) -> tuple[EntryPoint, ...]:
    """The entry points whose handler is in one file. The result does not depend on other files."""
    project.notes.value(named("entries", path))
    return _by_file(project).get(path, ())


@valued("entries")
def _value(project: Project, path: str) -> object:
    return _by_file(project).get(path, ()) if path else _every(project)


def _every(project: Project) -> tuple[EntryPoint, ...]:
    def found() -> tuple[EntryPoint, ...]:
        with project.notes.apart():
            return _found(project)

    return project.once("entry points", found)


def _by_file(project: Project) -> dict[str, tuple[EntryPoint, ...]]:
    def sorted_out() -> dict[str, tuple[EntryPoint, ...]]:
        found: dict[str, list[EntryPoint]] = {}
        for each in _every(project):
            found.setdefault(each.handler.path, []).append(each)
        return {path: tuple(there) for path, there in found.items()}

    return project.once("entry points by file", sorted_out)


def _found(project: Project) -> tuple[EntryPoint, ...]:
    codebase = codebase_of(project)
    found: dict[tuple[object, ...], EntryPoint] = {}
    for convention in conventions():
        for each in convention.find(codebase):
            found.setdefault((each.kind, each.method, each.path, each.handler), each)
    busy = {each.handler for each in found.values() if each.kind is not EntryKind.MAIN}
    kept = [each for each in found.values() if each.kind is not EntryKind.MAIN or each.handler not in busy]
    return tuple(sorted(kept, key=lambda each: (each.handler, each.kind, each.path, each.method)))
