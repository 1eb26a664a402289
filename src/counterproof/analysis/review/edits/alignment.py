"""Comparing two versions of a file, symbol by symbol and statement by statement.

Invariant: statements are compared by their text; the same text in the same order is the same statement. A reworded statement is
paired with the most similar one in its place. A renamed function with the same statements is the same function. Pairing is
bounded; beyond the bound everything between counts as replaced.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from counterproof.analysis.review.edits.parts import Part, parsed
from counterproof.analysis.review.edits.units import Row, Unit, units

ALIKE = 0.5
"""Share of common words for two statements to be versions of one."""
NEARLY = 0.8
"""The same for two statements in different places."""
MAX_REPLACED = 2_500
"""Limit on pairs of statements that are compared word by word."""


@dataclass(slots=True, eq=False)
class UnitEdit:
    """One symbol before and after. `same` maps an old statement to its new version, reworded or not."""

    path: str
    old: Unit
    new: Unit
    same: dict[Row, Row] = field(default_factory=dict[Row, Row])
    reworded: list[tuple[Row, Row]] = field(default_factory=list[tuple[Row, Row]])
    lost: list[Row] = field(default_factory=list[Row])
    gained: list[Row] = field(default_factory=list[Row])


@dataclass(slots=True, eq=False)
class FileEdit:
    """One file before and after: changes in symbols that exist in both, and symbols in one only. `partners` are the newer names
    of those in both."""

    path: str
    before: Part
    after: Part
    old: dict[str, Unit]
    new: dict[str, Unit]
    partners: dict[str, str]
    edits: list[UnitEdit] = field(default_factory=list[UnitEdit])
    removed: list[Unit] = field(default_factory=list[Unit])
    added: list[Unit] = field(default_factory=list[Unit])


Change = tuple[FileEdit, ...]
"""Every changed code file of a review, without tests and generated files."""


def file_edit(path: str, before: str, after: str) -> FileEdit | None:
    """The edit of a file; None if one version cannot be parsed."""
    old, new = parsed(path, before), parsed(path, after)
    if old is None or new is None:
        return None
    before_units, after_units = units(old), units(new)
    partners = _partners(before_units, after_units)
    made = FileEdit(path, old, new, before_units, after_units, partners)
    made.removed = [unit for name, unit in made.old.items() if name not in partners]
    kept = set(partners.values())
    made.added = [unit for name, unit in made.new.items() if name not in kept]
    for old_name, new_name in partners.items():
        one, other = made.old[old_name], made.new[new_name]
        if [row.text for row in one.rows] != [row.text for row in other.rows]:
            made.edits.append(_aligned(path, one, other))
    return made


def _partners(old: dict[str, Unit], new: dict[str, Unit]) -> dict[str, str]:
    """Matching symbols; a removed one is searched among the new ones by its statements."""
    found = {name: name for name in old if name in new}
    fresh = {name: Counter(row.text for row in unit.rows[1:]) for name, unit in new.items() if name not in old}
    for name, unit in old.items():
        if name in found or len(unit.rows) < 3:
            continue
        words = Counter(row.text for row in unit.rows[1:])
        likest = max(fresh, key=lambda each: (words & fresh[each]).total(), default="")
        if likest and (words & fresh[likest]).total() * 2 > max(words.total(), fresh[likest].total()):
            found[name] = likest
            del fresh[likest]
    return found


def _aligned(path: str, old: Unit, new: Unit) -> UnitEdit:
    made = UnitEdit(path, old, new)
    matcher = SequenceMatcher(None, [row.text for row in old.rows], [row.text for row in new.rows], autojunk=False)
    spans = [(old.rows[low:high], new.rows[start:stop], kind) for kind, low, high, start, stop in matcher.get_opcodes()]
    replaced = [(before, after) for before, after, kind in spans if kind != "equal"]
    texts = [{row.text for rows in each for row in rows} for each in zip(*replaced, strict=True)]
    for before, after, kind in spans:
        if kind == "equal":
            made.same.update(zip(before, after, strict=True))
        else:
            _paired(made, before, after, texts[0] & texts[1])
    _paired_again(made)
    return made


def _paired_again(made: UnitEdit) -> None:
    """Pair unmatched statements that are nearly the same as one elsewhere: moved and reworded."""
    texts = {row.text for row in made.gained}
    left = [row for row in made.lost if row.text not in texts]
    if not left or len(left) * len(made.gained) > MAX_REPLACED:
        return
    for one in left:
        scores = {id(other): (likeness(one, other), other) for other in made.gained if other.kind == one.kind}
        score, other = max(scores.values(), key=lambda each: each[0], default=(0.0, one))
        if score >= NEARLY:
            made.same[one] = other
            made.reworded.append((one, other))
            made.lost.remove(one)
            made.gained.remove(other)


def _paired(made: UnitEdit, before: list[Row], after: list[Row], moved: set[str]) -> None:
    """Pair reworded statements in order; unmatched ones are lost or gained. A moved statement is not a version of another."""
    stayed = [[row for row in rows if row.text not in moved] for rows in (before, after)]
    pairs = list(_likest(*stayed)) if len(before) * len(after) <= MAX_REPLACED else []
    for one, other in pairs:
        made.same[one] = other
        made.reworded.append((one, other))
    made.lost += [row for row in before if row not in made.same]
    reached = {id(other) for _, other in pairs}
    made.gained += [row for row in after if id(row) not in reached]


def _likest(before: list[Row], after: list[Row]) -> Iterator[tuple[Row, Row]]:
    scores = sorted(
        ((likeness(one, other), -abs(i - j), i, j) for i, one in enumerate(before) for j, other in enumerate(after)),
        reverse=True,
    )
    left: dict[int, int] = {}
    for score, _, i, j in scores:
        crossing = any((i - a) * (j - b) <= 0 for a, b in left.items())
        if score >= ALIKE and not crossing:
            left[i] = j
    yield from ((before[i], after[left[i]]) for i in sorted(left))


_WORD = re.compile(r"\w+|[^\w\s]+")


def operands(part: Part) -> tuple[Part, ...]:
    """The operands of a chain of one operator."""
    if part.kind != "bool":
        return part.parts
    chained = (operands(each) if each.kind == "bool" and each.operator == part.operator else (each,) for each in part.parts)
    return tuple(operand for each in chained for operand in each)


def _shares_operand(one: Row, other: Row) -> bool:
    old, new = one.part.role("condition"), other.part.role("condition")
    if old is None or new is None:
        return False
    before, after = ({each.text for each in (test, *operands(test))} for test in (old, new))
    return bool(before & after)


def likeness(one: Row, other: Row) -> float:
    """Share of names that two statements have in common; 0 for different kinds."""
    if one.kind != other.kind and {one.kind, other.kind} - {"return", "expr"}:
        return 0.0
    if one.kind == "if" and _shares_operand(one, other):
        return 1.0
    words, others = Counter(_WORD.findall(one.text)), Counter(_WORD.findall(other.text))
    names = Counter({word: count for word, count in words.items() if word[0].isalnum() or word[0] == "_"})
    shared = (names & others).total()
    most = max(names.total(), sum(count for word, count in others.items() if word[0].isalnum() or word[0] == "_"), 1)
    return max(shared / most, ALIKE if (head := _head(one)) and head == _head(other) else 0.0)


def _head(row: Row) -> str:
    """The key of a statement: the function it calls, or the variable it assigns."""
    inner = row.part.parts[-1] if row.kind in ("expr", "return", "declaration") and len(row.part.parts) == 1 else None
    while inner is not None and inner.kind == "await" and inner.parts:
        inner = inner.parts[0]
    named = (
        inner.role("function", "constructor", "left", "name") if inner is not None and inner.kind in ("call", "assign") else None
    )
    return f"{inner.kind} {named.text}" if inner is not None and named is not None else ""
