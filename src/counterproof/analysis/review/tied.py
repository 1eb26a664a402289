"""Whether a change breaks a line that it did not touch, as far as names can say it (R42).

A claim about an unchanged line names a line of the change and one name. It is tied when the quoted line was really added or
removed there, when that line holds the name or stands in the unit of that name, and when the code of the claim's own lines uses
the name. That `self` or `this` stands in both ties nothing.
"""

import re

from counterproof.analysis.facts.syntax_index import index_of, matches
from counterproof.analysis.facts.trees import tree_of
from counterproof.analysis.facts.units import units_of
from counterproof.analysis.project import Project
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.unified import Row, rows_of
from counterproof.model.location import Location
from counterproof.model.review.finding import Cause

NEAR = 3
"""Lines that a removed one may stand from the place that is named."""
MIN_NAME = 2
_NO_TIE = frozenset(("self", "this", "cls", "super", "None", "null", "undefined", "true", "false", "True", "False"))


def ties(view: View, place: Location, cause: Cause) -> bool:
    """Whether the cause ties this place to the change."""
    name = cause.symbol.strip().rpartition(".")[2]
    if len(name) < MIN_NAME or name in _NO_TIE or cause.at.path not in view.files:
        return False
    row = _changed_row(view, cause)
    return row is not None and (_word(name, row.text) or _in_unit(view.project, cause, name)) and _used(view.project, place, name)


def _changed_row(view: View, cause: Cause) -> Row | None:
    """The added or removed line that is quoted, at the named line or, where it is gone, beside it."""
    wanted = " ".join(cause.quote.split())
    before = view.before.get(cause.at.path)
    place = 0
    for row in rows_of(before, view.project.text(cause.at.path)) if wanted else ():
        place = place if row.sign == "-" else row.number
        near = abs(place - cause.at.start) <= NEAR or abs(row.number - cause.at.start) <= NEAR
        meant = near if row.sign == "-" else cause.at.start <= row.number <= cause.at.end
        if row.sign == ("-" if cause.removed else "+") and meant and wanted in " ".join(row.text.split()):
            return row
    return None


def _word(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _in_unit(project: Project, cause: Cause, name: str) -> bool:
    return any(each.short == name and each.holds(cause.at.start) for each in units_of(project, cause.at.path))


def _used(project: Project, place: Location, name: str) -> bool:
    """Whether the code of a place uses a name; in a file without a grammar, whether the word stands there."""
    lines = range(place.start, place.end + 1)
    if tree_of(project, place.path) is None:
        return any(_word(name, project.line(place.path, line)) for line in lines)
    index = index_of(project, place.path)
    return any(matches(name, written) for line in lines for _, written in index.get(line, ()) if written)
