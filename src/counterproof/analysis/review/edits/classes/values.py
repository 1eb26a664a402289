"""Values that lost what made them fit: the question mark of an optional chain, a default, a conversion, a copy.

Harmful where the rest of the expression is the same. Harmless where the value comes from somewhere else now, or where the
conversion was one for an interpreter that is no longer supported.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.bindings import names_set
from counterproof.analysis.review.edits.change import Change, Remark, missed, parameters, signature
from counterproof.analysis.review.edits.classes.conditions import is_default
from counterproof.analysis.review.edits.classes.guards import looked_at
from counterproof.analysis.review.edits.differences import Difference, flat
from counterproof.analysis.review.edits.facts import PRESENT, Fact, may_be_missing
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import BRIEF, called, shown

_DATED = re.compile(
    r"\b(?:six|unicode|u|force_text|smart_text|force_unicode|text_type|cast|_|gettext\w*|ugettext\w*|NewType|ensure_text|t|useMemo|useCallback|memo)\b"
)
_NOTHING = ('""', "None", "null", "undefined", "0", "false", "False")
"""Defaults that are as false as what they stand in for."""
_PRESET = ("object_assignment_pattern", "assignment_pattern")
_COPIES = re.compile(
    r"^(?:list|tuple|dict|set|copy|deepcopy|copy \. \w+|Array \. from|structuredClone) \(|\. (?:copy|slice|items) \(\)?$"
)


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Reworded statements, difference by difference."""
    for old, new, changes in edit.changes:
        for each in changes:
            if each.how == "unchained":
                yield from _unchained(edit, new, each)
            elif each.how == "unwrapped":
                yield from _unwrapped(edit, old, new, each, change)
            elif each.how == "exchanged":
                yield from _firm(edit, new, each)
                yield from _emptied(edit, new, each)
            elif each.how == "dropped" and each.old.kind == "arguments":
                yield from _fallback(edit, old, new, each)


def _unchained(edit: UnitEdit, new: Row, difference: Difference) -> Iterator[Remark]:
    base = difference.new.parts[0]
    fact = Fact(base.text, PRESENT)
    if looked_at(edit, fact, new) or base.text != difference.old.parts[0].text:
        return
    origin = may_be_missing(edit, fact) or _gives_nothing(base)
    yield Remark(
        "optional chain removed",
        "null-safety",
        f"`{shown(base)}` may be missing where a part of it is taken",
        f"Before, `{shown(difference.old)}` gave undefined where `{shown(base)}` is missing; now "
        f"`{shown(difference.new)}` throws there. "
        f"{origin or 'No check of the value stands before it in the function.'}",
        "Bring `?.` back, or check the value first",
        new.line,
        proved=bool(origin),
    )


def _gives_nothing(base: Part) -> str:
    callee = base.role("function")
    if base.kind == "call" and callee is not None and callee.text.endswith((". match", ". exec", ". find")):
        return f"`{shown(callee)}` gives nothing where nothing fits."
    return ""


def _unwrapped(edit: UnitEdit, old: Row, new: Row, difference: Difference, change: Change) -> Iterator[Remark]:
    before, after = difference.old, difference.new
    if is_default(difference, old):
        yield from _one_of(edit, new, before, after)
    elif before.kind == "conditional":
        yield missed(
            new,
            "case no longer handled",
            f"`{shown(after)}` is taken in every case",
            f"Before, `{shown(before)}` told two cases apart. The test is gone and one of the two is taken for both, so "
            f"the other one is no "
            "longer dealt with.",
        )
    elif before.kind in _PRESET and (default := before.role("right", "value")) is not None and default.text not in _NOTHING:
        yield missed(
            new,
            "default removed",
            f"`{shown(after)}` has no default any more",
            f"Before, `{shown(before)}` stood in for a value that is not given. The body is the same and now meets nothing "
            "instead, wherever a caller leaves the value out.",
        )
    elif before.kind == "binary" and edit.only_loses:
        yield from _operand(edit, new, before, after)
    elif (
        before.kind in ("attribute", "index", "template_string", "string")
        and edit.only_loses
        and before.text != f"self . {after.text}"
        and not _given_anew(edit, after)
        and not _taken_apart(new, before)
    ):
        yield missed(
            new,
            "part no longer taken",
            f"`{shown(after)}` stands where `{shown(before)}` stood",
            f"Before, `{shown(before)}` was used here and now `{shown(after)}` alone. The rest of the statement is the "
            f"same, so who receives "
            "it gets another thing than before.",
        )
    elif before.kind == "call" and edit.only_loses and not _DATED.search(before.text.partition(" (")[0]):
        yield from _conversion(edit, new, before, after, change)


def _taken_apart(new: Row, before: Part) -> bool:
    """`const { root } = parse(d)` takes the part that `parse(d).root` took."""
    patterns = [each for each in walk(new.part) if each.kind == "object_pattern"]
    return before.kind == "attribute" and any(before.parts[-1].text == leaf.text for each in patterns for leaf in walk(each))


def _given_anew(edit: UnitEdit, value: Part) -> bool:
    """Whether the value has its name from elsewhere than before: from parameters that are taken otherwise now, or from what gives
    a value to a name that the old version did not know."""
    names = {each.text for each in walk(value) if each.kind == "name"}
    old, new = (names_set(unit.part) if unit.part is not None else frozenset[str]() for unit in (edit.old, edit.new))
    return bool(names & (new - old)) or (bool(names & parameters(edit.new)) and signature(edit.old) != signature(edit.new))


def _one_of(edit: UnitEdit, new: Row, before: Part, after: Part) -> Iterator[Remark]:
    """`a or b` became `a`, or `b`."""
    if flat(before)[0].text == after.text and flat(before)[-1].text not in _NOTHING:
        yield missed(
            new,
            "default removed",
            f"`{shown(after)}` has no default any more",
            f"Before, `{shown(before)}` stood in where the value is missing. Now `{shown(after)}` is taken as it is, and "
            "who uses it meets a value that they never met before.",
        )
    elif flat(before)[-1].text == after.text:
        yield missed(
            new,
            "value no longer preferred",
            f"`{shown(flat(before)[0])}` is no longer asked before `{shown(after)}` is taken",
            f"Before, `{shown(before)}` took the first of them that there is. Now `{shown(after)}` is taken even where "
            f"`{shown(flat(before)[0])}` says otherwise.",
        )


def _operand(edit: UnitEdit, new: Row, before: Part, after: Part) -> Iterator[Remark]:
    """`n + 1` became `n`."""
    other = next((each for each in before.parts if each.text != after.text), None)
    if other is not None and any(each.text == after.text for each in before.parts):
        yield missed(
            new,
            "part of the sum removed",
            f"`{shown(after)}` stands where `{shown(before)}` stood",
            f"Before, `{shown(before)}` was used here and now `{shown(after)}` alone. The rest of the statement is the same, so "
            f"what `{shown(other)}` made up for (a bound, an offset, a unit, a prefix) is missing.",
        )


def _emptied(edit: UnitEdit, new: Row, difference: Difference) -> Iterator[Remark]:
    """A value that was there became nothing."""
    before, after = difference.old, difference.new
    if after.kind == "none" and before.kind in ("mapping", "list", "call", "text", "number", "attribute") and edit.only_loses:
        yield missed(
            new,
            "value became nothing",
            f"`{shown(after)}` stands where `{shown(before)}` stood",
            f"Before, `{shown(before)}` was given here and now nothing is. The rest of the statement is the same, so who "
            "takes the value "
            "meets a missing one, which it never met from here.",
        )


def _conversion(edit: UnitEdit, new: Row, before: Part, after: Part, change: Change) -> Iterator[Remark]:
    given, callee = before.role("arguments"), before.role("function", "constructor")
    if callee is None or change.retired(callee, edit):
        return
    if given is None or not _led_through(before, after.text):
        return
    if _COPIES.search(before.text) and not _changes(edit, after):
        return
    yield missed(
        new,
        "conversion removed",
        f"`{shown(after, BRIEF)}` is used as it is, no longer through `{called(callee)}`",
        f"Before, `{shown(before)}` was used here. The call around the value is gone and the rest of the statement is "
        f"the same, so what "
        f"`{called(callee)}` did to it (converting, copying, escaping, normalising) is no longer done.",
    )


def _led_through(call: Part, value: str) -> bool:
    """Whether a call, or a row of calls, does something to the value and nothing else."""
    callee, given = call.role("function", "constructor"), call.role("arguments")
    if call.kind != "call" or callee is None or given is None:
        return False
    inner = [*given.parts, *(callee.parts[:1] if callee.kind == "attribute" else ())]
    return any(each.text == value or _led_through(each, value) for each in inner)


def _changes(edit: UnitEdit, value: Part) -> bool:
    """Whether the collection may change while it is used: something that may change it runs in the function, or "
    "elsewhere meanwhile."""
    root = value.text.partition(" ")[0]
    return (
        root in ("self", "this")
        or any(part.kind == "await" for row in edit.new.rows for part in walk(row.part))
        or "." in value.text
    )


def _firm(edit: UnitEdit, new: Row, difference: Difference) -> Iterator[Remark]:
    """`d.get(k)` became `d[k]`, `getattr(x, "a", …)` became `x.a`."""
    before, after = difference.old, difference.new
    callee, given = before.role("function"), before.role("arguments")
    if before.kind != "call" or callee is None or given is None or not given.parts:
        return
    key = given.parts[0].text
    taken = after.kind == "index" and callee.text == f"{after.parts[0].text} . get" and after.parts[1].text == key
    attribute = after.kind == "attribute" and callee.text == "getattr" and key == after.parts[0].text and len(given.parts) == 3
    if taken or attribute:
        yield missed(
            new,
            "default removed",
            f"`{shown(after)}` fails where the {'key' if taken else 'attribute'} is missing",
            f"Before, `{shown(before)}` gave a default where there is none; now `{shown(after)}` raises an error there. "
            f"Nothing else in the "
            "statement makes sure that it is there.",
        )


_TAKES_DEFAULT = {"pop": 2, "next": 2, "getattr": 3, "get": 2, "setdefault": 2}


def _fallback(edit: UnitEdit, old: Row, new: Row, difference: Difference) -> Iterator[Remark]:
    """`d.pop(k, None)` became `d.pop(k)`: without its default the call raises."""
    name = next(
        (
            callee.text.rpartition(" ")[2]
            for part in walk(old.part)
            if part.role("arguments") is difference.old and (callee := part.role("function")) is not None
        ),
        "",
    )
    if _TAKES_DEFAULT.get(name) == len(difference.old.parts) and difference.items == difference.old.parts[-1:]:
        what = "gives nothing" if name == "get" else "raises an error"
        yield missed(
            new,
            "default removed",
            f"`{name}` {what} where there is no such value",
            f"Before, `{name} {shown(difference.old)}` gave `{shown(difference.items[0])}` where there is none; without "
            f"that argument it {what}. "
            "Nothing else in the statement makes sure that the value is there.",
        )
