"""Work around other work that is gone: a lock, a transaction, a closing call, a decorator, a `finally`.

Harmful where what it surrounded is unchanged. Harmless where the resource is no longer taken either, where something else that
was written anew looks after it, or where the same stood there twice.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, alone, inside, kept_inside, parameters, place
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.analysis.review.edits.wording import shown

_CLOSING = re.compile(
    r"(?:^|\. |_)(?:close|release|unlock|dispose|destroy|cleanup|clean_up|clear\w*|remove\w*|off|un\w+|abort|shutdown|disconnect"
    r"|loseConnection|flush|commit|rollback|stop|cancel|terminate|kill\w*|reset|invalidate|detach|delete|drop|end|join) \("
)
_TRIVIAL = re.compile(r"^(?:print|console \. \w+|warnings \. warn|debug|(?:self \. |this \. )?_?log\w*(?: \. \w+)?) \(")


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Everything that went from around or after kept work."""
    if len(edit.gained) > 1 and not edit.only_loses:
        return
    for row in edit.lost:
        if change.moved([row]) or row.text in change.appeared or change.retired(row.part, edit):
            continue
        if row.kind == "with" and (kept := kept_inside(edit, row)) and not any(new.kind == "import" for _, new in kept):
            yield _surrounding(row, kept[0][1])
        elif row.kind == "finally" and edit.only_loses and not inside(edit, row)[1:]:
            yield from _after_all(edit, row)
        elif row.kind == "decorator":
            yield from _decorator(edit, row)
        elif row.kind == "expr" and _alone(edit, row):
            yield from _call(edit, row)


def _alone(edit: UnitEdit, row: Row) -> bool:
    """Whether it went by itself, or nearly so, and the block does not do the same once more."""
    twice = any(each.text == row.text and each.within == row.within and each in edit.same for each in edit.old.rows)
    return alone(edit, row) and edit.only_loses and len(edit.lost) <= 3 and not twice


def _surrounding(row: Row, kept: Row) -> Remark:
    what = shown(row.text).removesuffix(": {}").removeprefix("with ").removeprefix("async with ")
    return Remark(
        "protection removed",
        "races",
        f"this no longer runs within `{what}`",
        f"Line {kept.line} and what follows ran within `{what}`. The block is gone and the statements are the same: what "
        f"it took before them "
        "and gave back after them (a lock, a transaction, a context) is missing.",
        "Bring the block back, or say what protects these statements now",
        kept.line,
    )


def _after_all(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    at = place(edit, row)
    if at is not None:
        yield Remark(
            "cleanup not on every path",
            "invariants",
            "what was done in `finally` is not done when an error occurs",
            f"Before, a `finally` made sure that it ran on every path. It is gone: after an error in the statements "
            f"before line {at.line} "
            "the cleaning up is skipped.",
            "Put it back into `finally`",
            at.line,
        )


def _decorator(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    first = next((each for each in edit.new.rows if each.kind == "function"), None)
    if first is not None and not any(each.kind == "decorator" for each in edit.gained):
        name = shown(row.text).removeprefix("@").strip()
        yield Remark(
            "decorator removed",
            "invariants",
            f"`@{name}` no longer stands around this function",
            f"The function is called as before, but what `{name}` did around each call (checking, locking, registering, "
            f"caching) is gone, and "
            "nothing in the change takes its place.",
            "Bring it back, or say why it is not needed",
            first.line,
        )


def _written_out(edit: UnitEdit, assignment: Part) -> bool:
    target = assignment.role("left", "name")
    if target is not None and target.text in parameters(edit.new) - parameters(edit.old):
        return True  # callers give it now
    used = {part.text for row in edit.new.rows for part in heads(row) if part.kind == "name"}
    return target is not None and target.kind == "name" and target.text not in used


def _call(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    at = place(edit, row)
    if at is None or _TRIVIAL.search(row.text.removeprefix("await ")):
        return
    inner = row.part.parts[0] if row.part.parts else row.part
    if inner.kind not in ("call", "await", "assign", "augment") or (inner.kind == "assign" and not edit.new.is_function):
        return  # what a class or a file sets is a definition: others say whether somebody misses it
    if inner.kind == "assign" and _written_out(edit, inner):
        return  # its value stands where the name stood, or something else does: that is said there
    closing = inner.kind in ("call", "await") and bool(_CLOSING.search(row.text))
    word = "cleanup removed" if closing else "step removed"
    yield Remark(
        word,
        "invariants",
        f"`{shown(row.text)}` is no longer done",
        f"Before, `{shown(row.text)}` stood here. It went and everything around it is unchanged, so what it did "
        f"(setting, releasing or telling "
        "something) does not happen any more.",
        "Bring it back, or say what does this now",
        at.line,
    )
