"""Which place of the newer side is a version of which place of the older one.

Always: in a file that the change leaves alone only the same line is; in a changed one what the alignment of statements by symbol
says, and where that says nothing, lines that both versions hold. A line is one of the older text, or of the newer one, by the
side that it is given as.
"""

from collections.abc import Iterator

from counterproof.analysis.review.claims import View
from counterproof.analysis.review.edits.alignment import NEARLY, FileEdit, UnitEdit, file_edit, likeness
from counterproof.analysis.review.edits.units import Row, Unit
from counterproof.analysis.review.line_diff import lines_of, replaced
from counterproof.model.location import Location

MIN_WORDS = 3
"""Words that a statement must have to be known again elsewhere."""


class Places:
    """The places of one change."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._edits: dict[str, FileEdit | None] = {}
        self._lines: dict[str, dict[int, int]] = {}

    def corresponds(self, old: Location, new: Location) -> bool:
        """Whether the newer place is a version of the older one."""
        if old.path != new.path:
            return False
        if self._before(old.path) is None:
            return old.path not in self._view.before and old.start == new.start
        if self._line(old.path).get(old.start) == new.start:
            return True
        edit = self._edit(old.path)
        one, other = (_found(edit.old, old.start), _found(edit.new, new.start)) if edit else (None, None)
        if edit is None or one is None or other is None:
            return False
        made = _paired(edit, one[0], other[0])
        if made is not None:
            return made.same.get(one[1]) is other[1]
        return one[0].name == other[0].name and one[0].rows.index(one[1]) == other[0].rows.index(other[1])

    def stayed(self, old: Location) -> bool:
        """Whether the change left the older line as it is."""
        return self._before(old.path) is None or old.start in self._line(old.path)

    def same_unit(self, old: Location, new: Location) -> bool:
        """Whether both stand in versions of one function."""
        edit = self._edit(old.path) if old.path == new.path else None
        one, other = (_unit(edit.old, old.start), _unit(edit.new, new.start)) if edit else (None, None)
        if edit is None or one is None or other is None:
            return False
        return _paired(edit, one, other) is not None or one.name == other.name

    def reads_alike(self, old: Location, new: Location) -> bool:
        """Whether nearly the same statement stands at both, in files of the change."""
        one = next(self._row(old, older=True), None)
        other = next(self._row(new, older=False), None)
        if one is None or other is None or len(one.text.split()) < MIN_WORDS:
            return False
        return one.text == other.text or likeness(one, other) >= NEARLY

    def _row(self, place: Location, *, older: bool) -> Iterator[Row]:
        edit = self._edit(place.path)
        found = _found(edit.old if older else edit.new, place.start) if edit else None
        if found is not None:
            yield found[1]

    def _before(self, path: str) -> str | None:
        return self._view.before.get(path)

    def _now(self, path: str) -> str:
        return self._view.project.text(path) if path in self._view.project.files else ""

    def _edit(self, path: str) -> FileEdit | None:
        if path not in self._edits:
            changed = path in self._view.before
            self._edits[path] = file_edit(path, self._before(path) or "", self._now(path)) if changed else None
        return self._edits[path]

    def _line(self, path: str) -> dict[int, int]:
        """From lines of the older text to the same lines of the newer one."""
        if path not in self._lines:
            before, after = lines_of(self._before(path) or ""), lines_of(self._now(path))
            found: dict[int, int] = {}
            start, stop = 0, 0
            for first, last, low, high in (*replaced(before, after), (len(before), len(before), len(after), len(after))):
                found.update(zip(range(start + 1, first + 1), range(stop + 1, low + 1), strict=False))
                start, stop = last, high
            self._lines[path] = found
        return self._lines[path]


def _paired(edit: FileEdit, old: Unit, new: Unit) -> UnitEdit | None:
    return next((each for each in edit.edits if each.old is old and each.new is new), None)


def _found(units: dict[str, Unit], line: int) -> tuple[Unit, Row] | None:
    """The innermost statement at a line, with its unit."""
    rows = [(unit, row) for unit in units.values() for row in unit.rows if row.part.line <= line <= row.part.end]
    return min(rows, key=lambda each: each[1].part.end - each[1].part.line, default=None)


def _unit(units: dict[str, Unit], line: int) -> Unit | None:
    """The innermost function at a line; the file itself where there is none."""
    around = [each for each in units.values() if each.part is not None and each.part.line <= line <= each.part.end]
    return min(around, key=lambda each: each.part.end - each.part.line if each.part else 0, default=units.get(""))
