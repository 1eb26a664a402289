"""A change as contracts and history see it: the files before and after, new names, and names still in use."""

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.bindings import bound, names_set
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.shapes import shapes
from counterproof.analysis.review.edits.units import Unit, heads

_WORD = re.compile(r"\w{3,}")
FEW = 2
"""Uses of a helper that went with it, up to which its use was what the change took away, and not the helper."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One broken contract: `line` is in the newer text of the file `path`, which the caller fills in."""

    kind: str
    domain: str
    title: str
    why: str
    fix: str
    line: int
    path: str = ""


@dataclass(eq=False)
class Change:
    """`mentions` says whether a word is still in the tree's code; `texts` gives the files of code that hold it, tests aside.
    `paths` are those of the tree, `touched` those of the change."""

    files: tuple[FileEdit, ...]
    mentions: Callable[[str], bool] = lambda _: True
    texts: Callable[[str], Iterable[tuple[str, str]]] = lambda _: ()
    paths: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()

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
