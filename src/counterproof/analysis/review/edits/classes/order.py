"""A statement that now runs at another time than before.

Harmful where it left the `try` whose success it depended on, or the block whose condition it depended on, where it went into a
block that does not always run, and where it sets what a statement before it uses now. Harmless where it stays in the same block
otherwise: two statements that do not depend on each other may change places.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark
from counterproof.analysis.review.edits.units import Row
from counterproof.analysis.review.edits.wording import shown

_EXITS = ("return", "raise", "jump")


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Statements of the same text that went from one block to one further out."""
    for old in edit.lost:
        new = next((each for each in edit.gained if each.text == old.text), None)
        if new is None or old.kind not in ("expr", "declaration") or not old.within:
            continue
        yield from _into(edit, old, new)
        yield from _too_late(edit, new)
        outer, slot = old.within[-1]
        after = edit.same.get(outer)
        if after is None or any(each is after for each, _ in new.within) or len(new.within) >= len(old.within):
            continue
        if outer.kind == "try" and slot == "body" and new.line > after.line and _goes_on(edit, after):
            yield _remark(edit, new, "the `try` before it failed", after)
        elif outer.kind == "if" and slot == "then":
            test = after.part.role("condition")
            yield _remark(edit, new, f"`{shown(test) if test else ''}` does not hold", after)


def _into(edit: UnitEdit, old: Row, new: Row) -> Iterator[Remark]:
    """It went into a block that was there before."""
    known = {id(row): one for one, row in edit.same.items()}
    around = [row for row, _ in new.within if id(row) in known and not any(known[id(row)] is each for each, _ in old.within)]
    if around and len(around) == len(new.within) - len(old.within) and around[0].kind not in ("try", "with", "else"):
        yield Remark(
            "runs in fewer cases",
            "logic",
            f"`{shown(new.text)}` now runs only within the block at line {around[0].line}",
            f"Before, the statement ran each time that the function came by. It was moved into the block at line "
            f"{around[0].line}, which runs in some cases only, or later; in the others it is no longer done.",
            "Move it back, or make sure that the other cases do without",
            edit.path,
            new.line,
        )


def _too_late(edit: UnitEdit, new: Row) -> Iterator[Remark]:
    """It sets a value that a statement of the same block, which it stood before, uses."""
    inner = new.part.parts[-1] if len(new.part.parts) == 1 else new.part
    target = inner.role("left", "name") if inner.kind == "assign" else None
    if target is None or len(target.text) < 3:
        return
    rows = edit.new.rows[: edit.new.rows.index(new)]
    words = f" {target.text} "
    use = next((row for row in rows if row.within == new.within and words in f" {row.text} "), None)
    sets = any(names.startswith(words.lstrip()) for names in (f"{row.text} " for row in rows))
    if use is not None and not sets and not any(words in f" {row.text} " for row in edit.old.rows[: _index(edit, new)]):
        yield Remark(
            "set after it is used",
            "logic",
            f"`{shown(target)}` is set after line {use.line} uses it",
            f"Before, `{shown(new.text)}` came first. Now line {use.line} uses `{shown(target)}` and only then it is set, so "
            "the use meets what was there before, or nothing.",
            "Set it first again",
            edit.path,
            new.line,
            also=use.line,
        )


def _index(edit: UnitEdit, new: Row) -> int:
    return next((at for at, row in enumerate(edit.old.rows) if row.text == new.text), 0)


def _goes_on(edit: UnitEdit, attempt: Row) -> bool:
    """Whether a handler of it comes to its end."""
    handlers = [row for row in edit.new.rows if row.kind == "handler" and row.within and row.within[-1][0] is attempt]
    for handler in handlers:
        inside = [row for row in edit.new.rows if row.within and row.within[-1][0] is handler]
        if not inside or inside[-1].kind not in _EXITS:
            return True
    return False


def _remark(edit: UnitEdit, new: Row, when: str, outer: Row) -> Remark:
    return Remark(
        "runs in more cases",
        "logic",
        f"`{shown(new.text)}` now runs also where {when}",
        f"Before, the statement stood inside the block at line {outer.line}. It was moved out of it, so it now runs as well "
        f"where {when}, with whatever values are there then.",
        "Move it back, or make sure that it fits that case too",
        edit.path,
        new.line,
    )
