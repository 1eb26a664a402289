"""Both versions of the changed files, parsed and aligned, and reverted fixes.

Invariant: no tests and no generated files; a new file has no older version to compare with.
"""

from collections.abc import Iterator

from counterproof.analysis.project import SCRIPTS
from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.edits.alignment import Change, FileEdit, file_edit
from counterproof.analysis.review.undone_fixes import UndoneFix, find_undone_fixes
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity
from counterproof.model.survey import FileRole, Language

CODE = (Language.PYTHON, *SCRIPTS)
NEAR = 6
"""Lines between a change and the remaining statement, within which both are shown."""
MAX_NAMED = 5


def undone_fixes(view: View) -> Iterator[Claim]:
    """One claim for each reverted fix; computed once for all specialists."""
    yield from view.project.once(
        "review undone fixes", lambda: tuple(_claim_undone(each) for each in find_undone_fixes(view, change_of(view)))
    )


def change_of(view: View) -> Change:
    """The parsed change of a view, computed once."""
    return view.project.once("review change", lambda: tuple(_files(view)))


def _files(view: View) -> Iterator[FileEdit]:
    for path, before in view.before.items():
        file = view.project.files.get(path)
        ours = file is not None and file.language in CODE and file.role not in (FileRole.TEST, FileRole.GENERATED)
        if path in view.files and ours:
            view.project.checkpoint()
            made = file_edit(path, before or "", view.project.text(path))
            if made is not None:
                yield made


def place_of(view: View, path: str, line: int) -> Location:
    """The changed lines nearest to a line: a removed statement is located at the remaining statement next to it."""
    last = max(1, view.project.files[path].lines)
    line = min(line, last)
    if view.touches(path, line, line):
        return Location(path, line, line)
    edges = [edge for low, high in view.files[path].changed for edge in (min(low, last), min(high, last))]
    nearest = min(edges, key=lambda edge: abs(edge - line), default=line)
    if abs(nearest - line) <= NEAR:
        return Location(path, min(nearest, line), max(nearest, line))
    return Location(path, nearest, min(last, nearest + 1))


def _claim_undone(undone: UndoneFix) -> Claim:
    places = ", ".join(str(each) for each in undone.places[:MAX_NAMED])
    return Claim(
        kind="undone fix",
        title=f"undoes the fix of commit {undone.fix}"[:200],
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        at=undone.places[0],
        why=f"{'All' if undone.whole else 'Most'} of what commit {undone.fix} changed in this file is undone at {places}: the "
        "code reads again as it did before that commit, and the change does not do the same in another way. Assumed: the fix is "
        "still needed.",
        fix="Keep the fix, or say in the change why it is no longer needed",
    )
