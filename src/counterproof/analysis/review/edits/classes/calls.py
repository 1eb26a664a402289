"""Calls that lost something: the `await`, an argument, an option.

Harmful where the call is otherwise the same and what it calls still takes what was dropped. Harmless where the function called
was changed to do without, where the argument says what holds anyway (`super()` knows its class), and where the value passed has
been retired.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.differences import ELEMENTS, Difference, callee_of, name_of
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

_PLAIN = ("None", "undefined", "null", "{}", "[]", '""')
_SWITCHES = ("False", "false")
"""Written out where the default is the opposite, or for clearness."""
_ONE_OR_MORE = ("isinstance", "issubclass", "startswith", "endswith")
_EXPORTS = re.compile(r"(?:module \. )?exports\b|__all__\b|export\b")
"""What a file gives away; whether somebody misses it is asked elsewhere."""
_COSMETIC = (
    "style",
    "className",
    "color",
    "title",
    "help",
    "label",
    "description",
    "message",
    "verbose",
    "icon",
    "size",
    "variant",
    "key",
    "class",
    "alt",
    "placeholder",
)


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Reworded statements, difference by difference."""
    for old, new, changes in edit.changes:
        for each in changes:
            if each.how == "unwrapped" and each.old.kind == "await":
                yield from _not_awaited(new, each, change)
            elif each.how == "dropped" and each.old.kind in ("arguments", "mapping", "list", "set", "tuple", *ELEMENTS):
                yield from _dropped(edit, old, new, each, change)


def _not_awaited(new: Row, difference: Difference, change: Change) -> Iterator[Remark]:
    call = difference.old.parts[0]
    callee = call.role("function")
    if callee is None or new.kind == "return":
        return
    name = callee.text.rpartition(" . ")[2]
    defined = [unit for file in change.files for full, unit in file.new.items() if full.rpartition(".")[2] == name]
    now_plain = any(unit.part is not None and not unit.part.text.startswith("async") for unit in defined)
    if now_plain or not shown(difference.new).startswith(shown(callee)):
        return
    proved = any(unit.part is not None and unit.part.text.startswith("async") for unit in defined)
    yield Remark(
        "await removed",
        "races",
        f"the result of `{shown(callee)}()` is no longer awaited",
        f"Before, the call was awaited; now `{shown(difference.new)}` hands over the promise or the coroutine itself. "
        f"What follows runs "
        "before the work is done, and its errors are not seen here.",
        "Await it again",
        new.line,
        proved=proved,
    )


def _dropped(edit: UnitEdit, old: Row, new: Row, difference: Difference, change: Change) -> Iterator[Remark]:
    gone = [each for each in difference.items if not _says_nothing(each, change)]
    if difference.old.kind in ("list", "set", "tuple") and not _still_a_choice(old.part, difference):
        return
    if not gone or not edit.only_loses or len(difference.items) > 2 or any(change.retired(each, edit) for each in gone):
        return
    if _EXPORTS.match(old.text) or (
        difference.old.kind == "arguments"
        and ((callee := callee_of(old.part, difference.old)) == "super" or change.signed_anew(callee))
    ):
        return
    what = "argument" if difference.old.kind in ("arguments", *ELEMENTS) else "entry"
    text = ", ".join(f"`{shown(each)}`" for each in gone)
    yield Remark(
        f"{what} dropped",
        "invariants",
        f"the {what} {text} is no longer passed" if what == "argument" else f"the entry {text} is gone",
        f"Before: `{shown(difference.old)}`; now: `{shown(difference.new)}`. Everything else in the statement is the "
        f"same, so who receives it "
        "falls back to what it does without, and nothing in the change says that this is wanted.",
        f"Pass {text} again, or say why it is not needed",
        new.line,
    )


def _still_a_choice(root: Part, difference: Difference) -> bool:
    """Whether it is still a collection, or what is left of one is taken where several may be given."""
    if difference.new.kind == difference.old.kind:
        return len(difference.old.parts) > 1 and bool(difference.new.parts)
    takers = [each for each in walk(root) if (given := each.role("arguments")) is not None and difference.old in given.parts]
    return any(each.text.partition(" (")[0].rpartition(" ")[2] in _ONE_OR_MORE for each in takers)


def _says_nothing(item: Part, change: Change) -> bool:
    value, name = item.role("value"), name_of(item)
    said = (value or item).text
    if said in _PLAIN or name.strip('"') in _COSMETIC:
        return True
    return said in _SWITCHES and (not name or _is_default(name, said, change))


def _is_default(name: str, said: str, change: Change) -> bool:
    """Whether a function of the tree has that parameter with that default."""
    head = re.compile(rf"\b(?:def|function)\s+\w+\s*\([^)]*\b{re.escape(name)}\b[^,)=]*=\s*{said}\b")
    return any(head.search(text) for _, text in change.texts(name))
