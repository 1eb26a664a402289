"""Which claims were already true before the change: a review reports what the change introduced, and counts the rest
separately.

The check behind a claim on the newer side is run on the older side too, with the same files around it. Two claims are the same if
they are of one kind and their locations correspond: the same line of an unchanged file, aligned symbols and statements (moved,
reformatted or renamed), else the same symbol in the same function, else nearly the same statement in another place.

Invariant: an older claim matches at most one newer claim; if its statement did not change, only that statement, so that a second
flaw next to the first is new. Data from another source, or with higher severity, makes a flaw new, because the change made it
reachable. A claim that cannot be compared is new. The older side is read only if the newer one has a claim.
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.analysis.kept import kept
from counterproof.analysis.review.claims import Check, Claim, View
from counterproof.analysis.review.edits.alignment import NEARLY, FileEdit, file_edit, likeness
from counterproof.analysis.review.edits.units import Row, Unit
from counterproof.analysis.review.line_diff import lines_of, replaced
from counterproof.analysis.review.nearby import older_ground
from counterproof.model.finding import Finding
from counterproof.model.location import Location
from counterproof.model.review.scope import ScopeFile, ScopeKind

MIN_WORDS = 3
"""Words that a statement needs to be recognised elsewhere."""


class Places:
    """Corresponding locations of one change.

    Invariant: in an unchanged file only the same line corresponds; in a changed one the alignment of statements by symbol decides
    or, without one, lines that both versions contain. A line belongs to the older or the newer text, by the parameter it is
    passed as."""

    def __init__(self, view: View) -> None:
        self._view = view

    def corresponds(self, old: Location, new: Location) -> bool:
        """Return True if the newer location corresponds to the older one."""
        if old.path != new.path:
            return False
        if self._before(old.path) is None:
            return old.path not in self._view.before and old.start == new.start
        if self._line(old.path).get(old.start) == new.start:
            return True
        edit = self._edit(old.path)
        one, other = (_found(edit.old, old.start), _found(edit.new, new.start)) if edit else (None, None)
        if edit is None or one is None or other is None or edit.partners.get(one[0].name) != other[0].name:
            return False
        made = next((each for each in edit.edits if each.old is one[0]), None)
        return made.same.get(one[1]) is other[1] if made else one[0].rows.index(one[1]) == other[0].rows.index(other[1])

    def stayed(self, old: Location) -> bool:
        """Return True if the change left the older line unchanged."""
        return self._before(old.path) is None or old.start in self._line(old.path)

    def is_beside(self, old: Location, new: Location) -> bool:
        """Return True if both are in versions of one function, or nearly the same statement is at both."""
        before, after = self._edit(old.path), self._edit(new.path)
        if before is None or after is None:
            return False
        if before is after:
            one, other = _unit(before.old, old.start), _unit(after.new, new.start)
            if one is not None and other is not None and before.partners.get(one.name) == other.name:
                return True
        first, second = _found(before.old, old.start), _found(after.new, new.start)
        if first is None or second is None or len(first[1].text.split()) < MIN_WORDS:
            return False
        return first[1].text == second[1].text or likeness(first[1], second[1]) >= NEARLY

    def _before(self, path: str) -> str | None:
        return self._view.before.get(path)

    def _now(self, path: str) -> str:
        return self._view.project.text(path) if path in self._view.project.files else ""

    @kept
    def _edit(self, path: str) -> FileEdit | None:
        return file_edit(path, self._before(path) or "", self._now(path)) if path in self._view.before else None

    @kept
    def _line(self, path: str) -> dict[int, int]:
        """Map from lines of the older text to the same lines of the newer one."""
        before, after = lines_of(self._before(path) or ""), lines_of(self._now(path))
        found: dict[int, int] = {}
        start, stop = 0, 0
        for first, last, low, high in (*replaced(before, after), (len(before), len(before), len(after), len(after))):
            found.update(zip(range(start + 1, first + 1), range(stop + 1, low + 1), strict=False))
            start, stop = last, high
        return found


def _found(units: dict[str, Unit], line: int) -> tuple[Unit, Row] | None:
    """The innermost statement at a line, with its unit."""
    rows = [(unit, row) for unit in units.values() for row in unit.rows if row.part.line <= line <= row.part.end]
    return min(rows, key=lambda each: each[1].part.end - each[1].part.line, default=None)


def _unit(units: dict[str, Unit], line: int) -> Unit | None:
    """The innermost function at a line, or the file itself."""
    around = [each for each in units.values() if each.part is not None and each.part.line <= line <= each.part.end]
    return min(around, key=lambda each: each.part.end - each.part.line if each.part else 0, default=units.get(""))


MAX_NAMED = 5


def brought(view: View, check: Check, claims: list[Claim]) -> list[Claim]:
    """The claims of a check that the change introduced; the others are recorded."""
    had_older = view.scope.kind is ScopeKind.DIFF and any(text is not None for text in view.before.values())
    if not claims or not had_older:
        return claims  # a follow-up review compares with the earlier findings, which must not seem resolved
    older = view.project.once("review older side", lambda: _older(view))
    places = view.project.once("review places", lambda: Places(view))
    left = [each for each in check(older) if each.kind in {claim.kind for claim in claims}]
    standing: list[Claim] = []
    for matches in (_same_statement, _same_symbol):
        for claim in [each for each in claims if each not in standing]:
            earlier = next((each for each in left if _alike(each, claim) and matches(places, each, claim)), None)
            if earlier is not None:
                standing.append(claim)
                left.remove(earlier)
    _note(view, standing)
    return [each for each in claims if each not in standing]


def _older(view: View) -> View:
    """The change's files, complete, in their older version."""
    project = older_ground(view)
    files = (path for path, text in view.before.items() if text is not None and path in project.files)
    return View(project, replace(view.scope, files=tuple(ScopeFile(path, 0) for path in files)))


def _note(view: View, standing: list[Claim]) -> None:
    if standing:
        named = ", ".join(f"{each.kind} at {each.at}" for each in standing[:MAX_NAMED])
        more = f" and {len(standing) - MAX_NAMED} more" if len(standing) > MAX_NAMED else ""
        view.limitations.append(f"there before the change, on lines that it touches: {named}{more}")


def _alike(old: Claim, new: Claim) -> bool:
    """Return True for claims of one kind, the older at least as severe."""
    return old.kind == new.kind and old.severity.rank >= new.severity.rank and _channel(old.witness) == _channel(new.witness)


def _channel(finding: Finding | None) -> str:
    """The kind of data source, without its name and location."""
    return finding.source.partition(" “")[0].partition(" at ")[0] if finding is not None else ""


def _symbol(claim: Claim) -> str:
    """The subject of a claim: the function that the data reaches, else the title's subject."""
    return claim.witness.sink.partition(" at ")[0] if claim.witness and claim.witness.sink else claim.title


def _ends(claim: Claim) -> tuple[Location, Location | None]:
    """The locations of the effect and of the data's source."""
    return (claim.witness.location if claim.witness else claim.at), claim.traced


def _both(old: Claim, new: Claim, same: Callable[[Location, Location], bool]) -> bool:
    (sink, source), (sink_now, source_now) = _ends(old), _ends(new)
    if source is None or source_now is None:
        return source is source_now and same(sink, sink_now)
    return same(sink, sink_now) and same(source, source_now)


def _same_statement(places: Places, old: Claim, new: Claim) -> bool:
    return _both(old, new, places.corresponds)


def _same_symbol(places: Places, old: Claim, new: Claim) -> bool:
    """Return True if the same symbol is reached in the same function, or by a statement that moved."""
    if _symbol(old) != _symbol(new) or places.stayed(_ends(old)[0]):
        return False
    return _both(old, new, lambda one, other: places.corresponds(one, other) or places.is_beside(one, other))
