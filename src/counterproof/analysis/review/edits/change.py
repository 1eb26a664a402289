"""A change as the classes of edits see it: every file before and after, what appeared in it, and what the tree still names."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.bindings import bound, names_set
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.shapes import shapes
from counterproof.analysis.review.edits.units import Row, Unit, heads

_WORD = re.compile(r"\w{3,}")
MIN_TELLING = 12
"""Letters of a statement from which on it is not written twice by chance."""
_CARRIERS = ("return", "expr", "declaration", "function")
"""Statements that hold others in a function which they pass on: how the rest of them reads decides over nothing."""
FEW = 2
"""Uses of a helper that went with it, up to which its use was what the change took away, and not the helper."""
SMALL = 8
"""Statements that may be lost or reworded in a function that still is the same function."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What one class of edits has to say. `proved` is False where it rests on the belief that what was taken away was needed."""

    kind: str
    domain: str
    title: str
    why: str
    fix: str
    line: int
    path: str = ""
    """The file that it speaks about; whoever asks for remarks knows it."""
    end: int = 0
    proved: bool = False
    also: int = 0


def missed(new: Row, kind: str, title: str, why: str) -> Remark:
    """What a statement no longer does in some case."""
    return Remark(kind, "edge-cases", title, why, "Bring it back, or say why it is not needed any more", new.line)


@dataclass(eq=False)
class Change:
    """`mentions` says whether a word still stands in the tree's code; `texts` gives the files of code that hold it, tests aside,
    and `everywhere` all files. `paths` are those of the tree, `touched` those of the change."""

    files: tuple[FileEdit, ...]
    mentions: Callable[[str], bool] = lambda _: True
    texts: Callable[[str], Iterable[tuple[str, str]]] = lambda _: ()
    everywhere: Callable[[str], Iterable[tuple[str, str]]] = lambda _: ()
    paths: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()

    @cached_property
    def appeared(self) -> frozenset[str]:
        """Texts of all parts that the change writes anew; what a reworded statement held before is not new."""
        found: set[str] = set()
        for file in self.files:
            for edit in file.edits:
                found.update(each.text for row in edit.gained for each in heads(row))
                for old, new in edit.reworded:
                    found |= {each.text for each in heads(new)} - {each.text for each in heads(old)}
            found.update(each.text for unit in file.added for row in unit.rows for each in heads(row))
        return frozenset(found)

    @cached_property
    def fresh_words(self) -> frozenset[str]:
        """Words that statements of the change hold and did not hold before, those inside texts too."""
        found: set[str] = set()
        for file in self.files:
            for edit in file.edits:
                found.update(word for row in edit.gained for word in _WORD.findall(row.text))
                found.update(
                    word for old, new in edit.reworded for word in {*_WORD.findall(new.text)} - {*_WORD.findall(old.text)}
                )
            found.update(word for unit in file.added for row in unit.rows for word in _WORD.findall(row.text))
        return frozenset(found)

    @cached_property
    def fresh_texts(self) -> frozenset[str]:
        """Literal texts that the change writes where they did not stand."""
        found: set[str] = set()
        for file in self.files:
            rows = [(row, None) for edit in file.edits for row in edit.gained]
            rows += [(row, None) for unit in file.added for row in unit.rows]
            for row, old in [*rows, *((new, old) for edit in file.edits for old, new in edit.reworded)]:
                before = {part.text for part in heads(old)} if old is not None else set[str]()
                found |= {part.text for part in heads(row) if part.kind == "text"} - before
        return frozenset(found)

    @cached_property
    def taken_away(self) -> frozenset[str]:
        """Methods and members that the change takes out of a type that stays: who speaks of one goes with it."""
        found: set[str] = set()
        for file in self.files:
            owned = ((file.new.get(owner), short) for unit in file.removed for owner, _, short in [unit.name.rpartition(".")])
            found |= {short for owner, short in owned if owner is not None and not owner.is_function}
            before, after = shapes(file.before), shapes(file.after)
            for name, shape in after.items():
                found |= set(before[name].members) - set(shape.members) if name in before else set[str]()
        return frozenset(name for name in found if len(name) > 3)

    def moved(self, rows: Iterable[Row]) -> bool:
        """Whether one of these statements, or what it asks about, was written somewhere else."""
        for row in rows:
            texts = {part.text for part in heads(row) if part.kind == "text" and len(part.text) > 3}
            if (len(row.text) >= MIN_TELLING and row.text in self.appeared) or texts & self.fresh_texts:
                return True
        return False

    def retired(self, part: Part, edit: UnitEdit) -> bool:
        """Whether a name in it was a parameter that the function no longer has, or was defined by the changed files and is gone
        from the tree: what speaks of it goes with it. What a function defined for itself, or what had hardly another use, went
        because its use went."""
        words = {each.text for each in walk(part) if each.kind == "name"}
        if words & (parameters(edit.old) - parameters(edit.new) - names_used(edit.new)):
            return True
        words -= self._its_own(edit) | self._little_used
        if words & self.taken_away:
            return True
        long = {word for word in words if len(word) > 3}
        return any(word not in self._left and not self.mentions(word) for word in long & self._defined)

    def signed_anew(self, name: str) -> bool:
        """Whether a function of that name takes other parameters than before: its callers are changed along."""
        edits = (edit for file in self.files for edit in file.edits if edit.new.name.rpartition(".")[2] == name)
        return any(signature(edit.old) != signature(edit.new) for edit in edits)

    def _its_own(self, edit: UnitEdit) -> set[str]:
        """What a function names for itself: functions and values."""
        if not edit.old.is_function:
            return set()
        rows = [row for row in edit.old.rows if row.part is not edit.old.part]
        named = set[str]().union(*(names_set(part) for row in rows for part in heads(row) if part.kind == "assign"))
        inner = {unit.name.rpartition(".")[2] for file in self.files for unit in file.removed if _inside(unit, edit.old)}
        return (named | inner) - parameters(edit.old)

    @cached_property
    def _little_used(self) -> frozenset[str]:
        """Functions that went with their one or two uses."""
        helpers = {unit.name.rpartition(".")[2] for file in self.files for unit in file.removed if unit.is_function}
        rows = (row for file in self.files for unit in file.old.values() for row in unit.rows if row.part is not unit.part)
        uses = Counter(part.text for row in rows for part in heads(row) if part.text in helpers and not part.parts)
        return frozenset(name for name in helpers if uses[name] <= FEW)

    @cached_property
    def _defined(self) -> frozenset[str]:
        fields = {
            part.parts[-1].text
            for file in self.files
            for unit in file.old.values()
            for row in unit.rows
            for part in heads(row)
            if part.kind == "attribute" and part.parts[0].text in ("self", "this")
        }
        return frozenset(fields.union(*(bound(file.old) for file in self.files)))

    @cached_property
    def _left(self) -> frozenset[str]:
        return frozenset(
            each.text for file in self.files for unit in file.new.values() for row in unit.rows for each in heads(row)
        )


def signature(unit: Unit) -> str:
    """How a function takes its parameters."""
    given = unit.part.role("parameters", "parameter") if unit.part is not None else None
    return given.text if given is not None else ""


def _inside(unit: Unit, outer: Unit) -> bool:
    return outer.is_function and unit.name.rpartition(".")[0] == outer.name


def parameters(unit: Unit) -> set[str]:
    """The names that a function is given."""
    given = unit.part.role("parameters", "parameter") if unit.part is not None else None
    if given is None:
        return set()
    return {*names_set(given), *([given.text] if given.kind == "name" else [])}


def names_used(unit: Unit) -> set[str]:
    """Every name in a function."""
    return {part.text for row in unit.rows for part in heads(row) if part.kind == "name" and not part.parts}


def small(edit: UnitEdit) -> bool:
    """Whether the function still is what it was, but for a few statements."""
    touched = len(edit.lost) + len(edit.reworded)
    return touched <= SMALL and len(edit.lost) <= max(3, len(edit.old.rows) // 2) and len(edit.gained) <= 3


def place(edit: UnitEdit, row: Row) -> Row | None:
    """The statement of the new version that stands where an old one was: what came next, else what came before."""
    index = edit.old.rows.index(row)
    after = (edit.same[each] for each in edit.old.rows[index:] if each in edit.same)
    before = (edit.same[each] for each in reversed(edit.old.rows[:index]) if each in edit.same)
    return next(after, None) or next(before, None)


def kept_inside(edit: UnitEdit, row: Row, slot: str = "") -> list[tuple[Row, Row]]:
    """Statements that an old one enclosed and that are still there, with their new versions."""
    return [
        (old, edit.same[old])
        for old in edit.old.rows
        if old in edit.same and any(outer is row and slot in ("", where) for outer, where in old.within)
    ]


def inside(edit: UnitEdit, row: Row) -> list[Row]:
    """All statements that an old one encloses directly."""
    return [old for old in edit.old.rows if old.within and old.within[-1][0] is row]


def alone(edit: UnitEdit, row: Row) -> bool:
    """Whether a statement went by itself: all around it is still there, and what decides whether it runs reads as before."""
    kept = [outer for outer, _ in row.within if outer.part is not edit.old.part]
    return all(outer in edit.same and (outer.kind in _CARRIERS or edit.same[outer].text == outer.text) for outer in kept)
