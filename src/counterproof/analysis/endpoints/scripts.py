"""Plain scripts, where no convention finds an entry point: the code that runs when the file runs."""

from counterproof.analysis.endpoints.convention import Handler, entry
from counterproof.analysis.endpoints.verdict import LOCAL
from counterproof.analysis.program.codebase import codebase_of
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.ir import Class, ExprStatement, Function, Import
from counterproof.model.recon import EntryKind, EntryPoint


def scripts(project: Project) -> tuple[EntryPoint, ...]:
    """One entry point per file with module-level statements; without such a file, one per function or file."""
    codebase = codebase_of(project)
    found: list[EntryPoint] = []
    for outline in codebase.outlines():
        doing = [node for node in outline.module.body if not isinstance(node, Function | Class | Import | ExprStatement)]
        calls = [node for node in outline.module.body if isinstance(node, ExprStatement)]
        first = next(iter([*doing, *calls, *outline.module.body]), None)
        if first is not None:
            found.append(entry(EntryKind.MAIN, "script", outline.path, Handler(outline, first, "<module>"), "", LOCAL))
    return tuple(found)
