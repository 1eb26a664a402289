"""Removed `await`s: the statement is still there, in a function that is still async (R47).

Invariant: a call whose result is stored or passed on counts as awaited later, and so does one that is no longer async.
"""

from collections.abc import Iterator

from counterproof.analysis.review.checks.losses import Loss, callee_of, shown
from counterproof.analysis.review.edits.alignment import Change, UnitEdit
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, heads


def find_lost_awaits(edit: UnitEdit, change: Change) -> Iterator[Loss]:
    """One loss for each call that the same statement no longer awaits."""
    if edit.new.part is not None and _is_async(edit.new.part):
        for old, new in edit.reworded:
            yield from _awaits(edit, old, new, change)


def _is_async(function: Part) -> bool:
    return function.text.startswith("async")


def _awaits(edit: UnitEdit, old: Row, new: Row, change: Change) -> Iterator[Loss]:
    awaited, still = ({each.parts[0].text for each in heads(row) if each.kind == "await" and each.parts} for row in (old, new))
    for part in heads(new) if new.kind != "return" else ():
        callee = callee_of(part)
        if callee is None or part.text not in awaited - still or _is_kept(edit, new, part) or _became_plain(change, callee):
            continue
        yield Loss(
            "removed await",
            "races",
            f"`{shown(part.text)}` is no longer awaited",
            f"This statement awaited `{shown(callee.text)}`. The function is still async and the call is the same, so what "
            "follows now runs before the work is done, and its errors are lost.",
            new.line,
            f"await {callee.text}",
        )


def _is_kept(edit: UnitEdit, row: Row, call: Part) -> bool:
    """Return True if the awaitable is stored: in a name that is awaited, or passed to another call."""
    holders = [each for each in heads(row) if each.kind == "call" and each is not call and call in walk(each)]
    target = next((one.text for each in heads(row) if each.kind == "assign" and (one := each.role("left", "name"))), "")
    later = target and any(each.kind == "await" and target in each.text for one in edit.new.rows for each in heads(one))
    return bool(holders or later) or row.text.startswith("void")


def _became_plain(change: Change, callee: Part) -> bool:
    """Return True if the changed files define a function of that name that is not async."""
    short = callee.text.rpartition(" . ")[2]
    named = (unit.part for file in change for full, unit in file.new.items() if full.rpartition(".")[2] == short)
    return any(part is not None and part.kind == "function" and not _is_async(part) for part in named)
