"""Two versions of a file, held against each other symbol by symbol and statement by statement.

Always: statements are compared by their text; what has the same text in the same order is the same statement. A statement that
was reworded is paired with the likest one in its place. A function that has another name now but the same statements is the same
function. Pairing is bounded; beyond the bound everything between counts as replaced.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from counterproof.analysis.review.edits.bindings import names_set
from counterproof.analysis.review.edits.differences import Difference, differences, flat
from counterproof.analysis.review.edits.parts import Part, parsed, walk
from counterproof.analysis.review.edits.units import Row, Unit, heads, units

MAX_DEPTH = 40

ALIKE = 0.5
"""Share of words that two statements have in common to be versions of one."""
NEARLY = 0.8
"""The same, of two that stand in different places."""
MAX_REPLACED = 2_500
"""Pairs of statements that are compared word by word."""


@dataclass(slots=True, eq=False)
class UnitEdit:
    """One symbol before and after. `same` leads from an old statement to its new version, reworded or not; `changes` says of each
    reworded one what became of it, with names that only one version has written out. A statement that only gives a name to what
    the other version holds too is neither lost nor gained."""

    path: str
    old: Unit
    new: Unit
    same: dict[Row, Row] = field(default_factory=dict[Row, Row])
    reworded: list[tuple[Row, Row]] = field(default_factory=list[tuple[Row, Row]])
    lost: list[Row] = field(default_factory=list[Row])
    gained: list[Row] = field(default_factory=list[Row])
    changes: list[tuple[Row, Row, tuple[Difference, ...]]] = field(default_factory=list[tuple[Row, Row, tuple[Difference, ...]]])

    @property
    def only_loses(self) -> bool:
        """Nothing was written in exchange for what went: what stands elsewhere now was only moved."""
        gone = [row.text for row in self.lost]
        return all(row.text in gone for row in self.gained)


@dataclass(slots=True, eq=False)
class FileEdit:
    """One file before and after: what changed in symbols that are in both, and what is in one only."""

    path: str
    before: Part
    after: Part
    old: dict[str, Unit]
    new: dict[str, Unit]
    edits: list[UnitEdit] = field(default_factory=list[UnitEdit])
    removed: list[Unit] = field(default_factory=list[Unit])
    added: list[Unit] = field(default_factory=list[Unit])


def file_edit(path: str, before: str, after: str) -> FileEdit | None:
    """None where one of the two cannot be taken apart."""
    old, new = parsed(path, before), parsed(path, after)
    if old is None or new is None:
        return None
    made = FileEdit(path, old, new, units(old), units(new))
    partners = _partners(made.old, made.new)
    made.removed = [unit for name, unit in made.old.items() if name not in partners]
    kept = set(partners.values())
    made.added = [unit for name, unit in made.new.items() if name not in kept]
    for old_name, new_name in partners.items():
        one, other = made.old[old_name], made.new[new_name]
        if [row.text for row in one.rows] != [row.text for row in other.rows]:
            made.edits.append(_aligned(path, one, other))
    return made


def _partners(old: dict[str, Unit], new: dict[str, Unit]) -> dict[str, str]:
    """Which symbol is which; one that is gone is looked for among the new ones by its statements."""
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
    before, after = only_here(made.lost, old, new), only_here(made.gained, new, old)
    if before or after:
        _same_when_written_out(made, before, after)
        made.lost = _unnamed(made.lost, before, new)
        made.gained = _unnamed(made.gained, after, old)
    for one, other in made.reworded:
        found = differences(written_out(one.part, before), written_out(other.part, after))
        made.changes.append((one, other, tuple(found)))
    return made


def _same_when_written_out(made: UnitEdit, before: dict[str, Part], after: dict[str, Part]) -> None:
    """`r = f(); return r` and `return f()` end in one statement."""
    if len(made.lost) * len(made.gained) > MAX_REPLACED:
        return
    for one in [row for row in made.lost if row.kind in ("return", "expr")]:
        old = _row_written_out(one, before)
        found = ((row, _row_written_out(row, after)) for row in made.gained if row.kind == one.kind)
        scored = [(1.0 if new.text == old.text else likeness(old, new), row, new) for row, new in found]
        score, other, new = max(scored, key=lambda each: each[0], default=(0.0, one, one))
        if score >= ALIKE:
            made.same[one] = other
            made.lost.remove(one)
            made.gained.remove(other)
            if new.text != old.text:
                made.reworded.append((one, other))


def _row_written_out(row: Row, values: dict[str, Part]) -> Row:
    part = written_out(row.part, values)
    return row if part is row.part else Row(part, row.kind, part.text, row.within)


def _unnamed(rows: list[Row], values: dict[str, Part], other: Unit) -> list[Row]:
    """Without those that give a name to what stands in the other version."""
    if not values:
        return rows
    there = {part.text for row in other.rows for part in heads(row)}
    return [row for row in rows if not any(row.part.line == value.line and value.text in there for value in values.values())]


def _paired_again(made: UnitEdit) -> None:
    """What found no partner in its place and is nearly the same as something elsewhere was moved and reworded."""
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
    """Rewordings in order of place; what finds no partner is lost or gained. What only moved is no version of something else."""
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


def _shares_operand(one: Row, other: Row) -> bool:
    old, new = one.part.role("condition"), other.part.role("condition")
    if old is None or new is None:
        return False
    before, after = ({each.text for each in (test, *flat(test))} for test in (old, new))
    return bool(before & after)


def likeness(one: Row, other: Row) -> float:
    """Share of names that two statements have in common; 0 where they are of different kinds."""
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
    """What a statement is known by: the function that it calls, the value that it sets."""
    inner = row.part.parts[-1] if row.kind in ("expr", "return", "declaration") and len(row.part.parts) == 1 else None
    while inner is not None and inner.kind == "await" and inner.parts:
        inner = inner.parts[0]
    named = (
        inner.role("function", "constructor", "left", "name") if inner is not None and inner.kind in ("call", "assign") else None
    )
    return f"{inner.kind} {named.text}" if inner is not None and named is not None else ""


def only_here(rows: list[Row], unit: Unit, other: Unit) -> dict[str, Part]:
    """What the names stand for that these statements set and the other version does not know.

    Always: only a name that is set once in one version, in a statement of its own, and not at all in the other. Parts are made
    anew; the given ones stay as they are.
    """
    found: dict[str, Part] = {}
    for row in rows:
        inner = row.part.parts[-1] if row.kind in ("expr", "declaration") and len(row.part.parts) == 1 else None
        if inner is None or inner.kind != "assign":
            continue
        target, value = inner.role("left", "name"), inner.role("right", "value")
        if target is not None and target.kind == "name" and value is not None and value.kind not in ("await", "function"):
            found[target.text] = value
    if not found:
        return {}
    elsewhere = {*_set_names(other), *_given(other)}
    times = _set_names(unit)
    return {name: value for name, value in found.items() if name not in elsewhere and times.count(name) == 1}


def _set_names(unit: Unit) -> list[str]:
    """Every name that a statement sets, as often as it does."""
    targets = (part.role("left", "name") for row in unit.rows for part in heads(row) if part.kind in ("assign", "augment", "for"))
    return [leaf.text for target in targets if target is not None for leaf in walk(target) if not leaf.parts]


def _given(unit: Unit) -> frozenset[str]:
    parameters = unit.part.role("parameters") if unit.part is not None else None
    return names_set(parameters) if parameters is not None else frozenset()


def written_out(part: Part, values: dict[str, Part], depth: int = 0) -> Part:
    """The part with the values in place of the names; the part itself where none occurs."""
    if part.kind == "name" and not part.parts and part.text in values:
        return values[part.text]
    if not values or not part.parts or depth > MAX_DEPTH:
        return part
    kept = _names_only(part)
    parts = tuple(each if each is kept else written_out(each, values, depth + 1) for each in part.parts)
    if all(one is other for one, other in zip(parts, part.parts, strict=True)):
        return part
    roles = {role: parts[part.parts.index(each)] for role, each in part.roles.items() if each in part.parts}
    text = _text(part, parts)
    return Part(part.kind, text, part.line, part.end, parts, roles, part.operator, part.optional, part.hint)


def _names_only(part: Part) -> Part | None:
    """The child that is a name and no value: an attribute, a keyword, a key, what is set."""
    if part.kind == "attribute":
        return part.parts[-1]
    named = part.role("name", "key", "left") if part.kind in ("keyword", "pair", "assign", "augment") else None
    return named if named is None or part.kind != "pair" or not named.parts else None


def _text(part: Part, parts: tuple[Part, ...]) -> str:
    made, rest = "", part.text
    for old, new in zip(part.parts, parts, strict=True):
        before, found, after = rest.partition(old.text)
        if found:
            made, rest = f"{made}{before}{new.text}", after
    return made + rest
