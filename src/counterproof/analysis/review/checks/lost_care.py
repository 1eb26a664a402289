"""Removed precautions: `await`, transactions and locks around statements, cleanup in `finally` (R47).

Invariant: the protected statements still exist. A precaution that the change writes elsewhere counts as moved.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.checks.losses import Loss, Names, callee_of, inside_of, shown, written_texts
from counterproof.analysis.review.edits.alignment import FileEdit, UnitEdit
from counterproof.analysis.review.edits.bindings import names_set
from counterproof.analysis.review.edits.change import Change, parameters
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, heads

_TRANSACTIONS = re.compile(r"(?:^|\. )(?:atomic|begin|begin_nested|transaction)(?: \(.*\)| \(\))?$")
_LOCKS = re.compile(r"^(?:threading|asyncio|multiprocessing|anyio|trio)\.(?:Lock|RLock|Semaphore|BoundedSemaphore|Condition)$")


def find_lost_care(edit: UnitEdit, file: FileEdit, change: Change, names: Names) -> Iterator[Loss]:
    """One loss for each removed `await`, block and cleanup call."""
    if edit.new.part is not None and _is_async(edit.new.part):
        for old, new in edit.reworded:
            yield from _awaits(edit, old, new, change)
    written = written_texts(change)
    locks = _locks(file.before, names)
    for row in edit.lost:
        if row.kind == "with":
            yield from _blocks(edit, row, locks, written)
        elif row.kind == "expr":
            yield from _cleanup(edit, row, written)


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
    named = (unit.part for file in change.files for full, unit in file.new.items() if full.rpartition(".")[2] == short)
    return any(part is not None and part.kind == "function" and not _is_async(part) for part in named)


def _locks(root: Part, names: Names) -> frozenset[str]:
    """The lock objects of a file."""
    found: set[str] = set()
    for part in walk(root):
        target, value = (part.role("left", "name"), part.role("right", "value")) if part.kind == "assign" else (None, None)
        callee = callee_of(value) if value is not None else None
        if target is not None and callee is not None and _LOCKS.search(names.resolve(callee)):
            found.add(target.text)
    return frozenset(found)


def _blocks(edit: UnitEdit, row: Row, locks: frozenset[str], written: frozenset[str]) -> Iterator[Loss]:
    items = [each for each in heads(row) if each.text in locks or (each.kind == "call" and _TRANSACTIONS.search(each.text))]
    inside = inside_of(edit, row)
    kept = [each for each in inside if each in edit.same]
    if not items or not kept or items[0].text in written:
        return
    lock = items[0].text in locks
    what = "lock" if lock else "transaction"
    risk = "two callers can now run them at once" if lock else "where one of them fails, the earlier ones stay done"
    yield Loss(
        f"removed {what}",
        "races",
        f"{len(kept)} {'statement' if len(kept) == 1 else 'statements'} no longer run in the {what} `{shown(items[0].text)}`",
        f"Before the change `with {shown(items[0].text)}` held {len(inside)} of the statements of `{edit.old.name}` together. "
        f"{len(kept)} of them {'is' if len(kept) == 1 else 'are'} still there, without it: {risk}.",
        edit.same[kept[0]].line,
        f"with {items[0].text}",
    )


def _set_by(edit: UnitEdit) -> set[str]:
    return {name for row in edit.old.rows for name in names_set(row.part)}


def _cleanup(edit: UnitEdit, row: Row, written: frozenset[str]) -> Iterator[Loss]:
    """Removed cleanup calls in `finally` whose resource is still used."""
    tried = next((outer for outer, slot in row.within if slot == "finally"), None)
    call = next((each for each in heads(row) if each.kind == "call"), None)
    callee = callee_of(call) if call is not None and tried is not None else None
    if call is None or callee is None or tried is None or callee.kind != "attribute":
        return
    receiver = callee.parts[0].text
    if receiver.partition(" ")[0] not in {"self", "this", *parameters(edit.old), *_set_by(edit)}:
        return  # a module, such as a logger's, needs no cleanup
    left = {part.text for each in edit.new.rows for part in heads(each)}
    managed = any(each.kind == "with" and receiver in each.text for each in edit.new.rows)
    used = [each for each in inside_of(edit, tried) if each in edit.same and receiver in each.text]
    if used and not managed and call.text not in left | written:
        yield Loss(
            "removed cleanup",
            "error-handling",
            f"`{shown(call.text)}` no longer runs where something fails",
            f"Before the change `finally` always ran `{shown(call.text)}`. `{shown(receiver)}` is still used, and nothing in the "
            "change releases it.",
            edit.same[used[0]].line,
            call.text,
        )
