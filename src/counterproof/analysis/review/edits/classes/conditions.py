"""A condition that asks less, or the opposite, of what it asked before, while what depends on it is the same.

Harmful where the part that went protected what is left of the expression or what follows, where the outcome is turned around and
the two branches are not, and where `is None` became a test of truth, which takes 0 and '' for nothing. Harmless where the same
question is asked elsewhere now, where the branches were swapped too, and where what was asked about has been retired.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, kept_inside
from counterproof.analysis.review.edits.classes.guards import missing, unprotected
from counterproof.analysis.review.edits.differences import Difference, flat
from counterproof.analysis.review.edits.facts import facts, failing
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

_QUESTION = re.compile(
    r"(?:is|has|can|should|in)(?:[A-Z_]|instance)|(?:starts|ends|any|all|every|some|includes|test|match)", re.ASCII
)
_OPPOSITE = {
    "==": "!=", "!=": "==", "===": "!==", "!==": "===", "is": "is not", "is not": "is", "in": "not in", "not in": "in",
    "<": ">=", ">=": "<", ">": "<=", "<=": ">",
}  # fmt: skip
_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_EDGE = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Reworded statements, difference by difference."""
    for old, new, changes in edit.changes:
        for each in changes:
            dropped = () if is_default(each, old) else _dropped(each)
            if dropped and not change.retired(each.old, edit) and not any(part.text in change.appeared for part in dropped):
                yield from _asked_less(edit, old, new, each, dropped)
            elif each.how in ("exchanged", "unwrapped", "wrapped"):
                yield from _exchanged(edit, old, new, each)


def is_default(difference: Difference, row: Row) -> bool:
    """Whether `a or b` stands for a value, of which there is one or the other, and not for a question."""
    if difference.old.kind != "bool" or difference.old.operator in ("and", "&&"):
        return False
    test = row.part.role("condition")
    if row.kind == "assert" or (test is not None and (test.kind == "name" or difference.old.text in _operands(test))):
        return False
    return not any(each.kind in ("compare", "not", "bool") or _asks(each) for each in flat(difference.old))


def _operands(test: Part) -> set[str]:
    """What is asked by a condition, as a whole and in its parts."""
    inner = test.parts if test.kind in ("bool", "not") else ()
    return {test.text}.union(*(_operands(each) for each in inner))


def _asks(part: Part) -> bool:
    callee = part.role("function")
    return callee is not None and bool(_QUESTION.match(callee.text.rpartition(" ")[2]))


def _dropped(difference: Difference) -> tuple[Part, ...]:
    """Operands of `and` or `or` that went."""
    if difference.old.kind != "bool" or difference.old.operator == "??":
        return ()
    if difference.how == "dropped":
        return difference.items
    if difference.how == "unwrapped":
        alike = difference.new.kind == "bool" and difference.new.operator == difference.old.operator
        left = {each.text for each in (flat(difference.new) if alike else (difference.new,))}
        return tuple(each for each in flat(difference.old) if each.text not in left)
    return ()


def _asked_less(edit: UnitEdit, old: Row, new: Row, difference: Difference, dropped: tuple[Part, ...]) -> Iterator[Remark]:
    every = difference.old.operator in ("and", "&&")
    for part in dropped:
        for fact in facts(part, every):
            use = failing(difference.new, fact)
            if use is None and old.kind == "if":
                inner = [row for _, row in kept_inside(edit, old, "then" if every else "else")]
                found = next(iter(unprotected(edit, fact, inner)), None)
                use = found[1] if found else None
            if use is not None:
                yield missing(edit, old, part, fact, (new, use))
                return
    if old.kind != "if" or kept_inside(edit, old):
        text = " and ".join(f"`{shown(part)}`" for part in dropped[:2])
        says = "is now enough without" if every else "is no longer met by"
        yield Remark(
            "condition weakened" if every else "condition narrowed",
            "logic",
            f"the condition {says} {text}",
            f"Before, the condition was `{shown(difference.old)}`; now it is `{shown(difference.new)}`. What depends on "
            f"it is unchanged, "
            f"so the case that {text} told apart is now treated the other way.",
            "Bring that part of the condition back, or say why the case needs no telling apart",
            new.line,
        )


def _exchanged(edit: UnitEdit, old: Row, new: Row, difference: Difference) -> Iterator[Remark]:
    before, after = difference.old, difference.new
    branches = _unswapped(edit, old, new) if old.kind in ("if", "while") else [(old, new)]
    if not branches:
        return
    if (before.kind == "not" and before.parts[0].text == after.text) or (
        after.kind == "not" and after.parts[0].text == before.text
    ):
        yield _turned(new, before, after)
    elif before.kind == after.kind == "compare" and [each.text for each in before.parts] == [each.text for each in after.parts]:
        operators = (before.operator, after.operator)
        if after.operator in (_OPPOSITE.get(before.operator), _TURNED.get(before.operator)):
            yield _turned(new, before, after)
        elif _EDGE.get(before.operator) == after.operator:
            yield Remark(
                "boundary moved",
                "edge-cases",
                f"the case of equality changes sides: `{shown(before)}` became `{shown(after)}`",
                f"Only the operator changed, from `{operators[0]}` to `{operators[1]}`: exactly where both sides are "
                f"equal the outcome is now "
                "the other one, and nothing around it was adapted to that.",
                "Check the case of equality, and add a test for it",
                new.line,
            )
    elif _truth_for_presence(before, after) or _or_for_missing(before, after):
        yield Remark(
            "truth for presence",
            "edge-cases",
            f"`{shown(after)}` also takes 0, '' and other false values for missing",
            f"Before, `{shown(before)}` asked only whether there is a value. The test of truth treats values that are "
            "there but false (zero, an empty text, False, in Python also an empty collection) like a missing one.",
            f"Write `{shown(before)}` again, unless false values cannot occur",
            new.line,
        )


def _unswapped(edit: UnitEdit, old: Row, new: Row) -> list[tuple[Row, Row]]:
    """Statements that depend on the same outcome of the test as before."""
    found = kept_inside(edit, old)
    return [(one, other) for one, other in found if _slots(one, old) == _slots(other, new)]


def _slots(row: Row, outer: Row) -> set[str]:
    return {slot for each, slot in row.within if each is outer}


def _truth_for_presence(before: Part, after: Part) -> bool:
    if before.kind != "compare" or len(before.parts) != 2 or before.parts[1].kind != "none":
        return False
    asked = after.parts[0] if after.kind == "not" and after.parts else after
    positive = before.operator in ("is not", "!=", "!==")
    return asked.text == before.parts[0].text and (after.kind != "not") == positive


def _or_for_missing(before: Part, after: Part) -> bool:
    """`a ?? b` became `a || b`."""
    same = [each.text for each in before.parts] == [each.text for each in after.parts]
    return before.kind == after.kind == "bool" and (before.operator, after.operator) == ("??", "||") and same


def _turned(new: Row, before: Part, after: Part) -> Remark:
    return Remark(
        "condition inverted",
        "logic",
        f"the condition says the opposite: `{shown(before)}` became `{shown(after)}`",
        f"The condition was `{shown(before)}` and is now `{shown(after)}`, and what it decides over is unchanged: every "
        f"case that went one "
        "way now goes the other way.",
        "Turn the condition back, or swap what depends on it",
        new.line,
    )
