"""The impact graph of a change (R30): the callers and callees of the functions that it touches.

Invariant: a call is followed only if imports, definitions and classes resolve it. The result is bounded, in source order.
"""

from counterproof.analysis.project import Project
from counterproof.analysis.review.call_targets import calls_of, targets_in
from counterproof.analysis.review.changes import Edit
from counterproof.model.location import at
from counterproof.model.review.scope import Neighbour
from counterproof.model.survey import Language

MAX_NEIGHBOURS = 200
MAX_SYMBOLS = 300


def neighbours(project: Project, changed: list[Edit]) -> tuple[Neighbour, ...]:
    """Callers and callees of changed functions outside the changed files."""
    own = {each.path for each in changed}
    touched = [
        (edit.path, each)
        for edit in changed
        if is_python(project, edit.path)
        for each in project.module(edit.path).functions
        if any(start <= each.end and each.line <= end for start, end in edit.lines)
    ][:MAX_SYMBOLS]
    found = [
        Neighbour(target.place[1].qualified, "caller", at(path, target.first))
        for path, target in calls_of(project, touched)
        if path not in own and target.place is not None
    ]
    for path, function in touched:
        for each in targets_in(project, path):
            if each.place is not None and each.place[0] not in own and function.line <= each.first <= function.end:
                found.append(Neighbour(each.place[1].qualified, "callee", at(each.place[0], each.place[1].line)))
    return tuple(sorted(set(found), key=lambda each: (each.at, each.symbol, each.relation))[:MAX_NEIGHBOURS])


def is_python(project: Project, path: str) -> bool:
    return path in project.files and project.files[path].language is Language.PYTHON
