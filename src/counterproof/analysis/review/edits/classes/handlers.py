"""Errors that were caught and no longer are, and errors that were passed on and now end silently.

Harmful where the statements that may fail are still there and nothing around them catches what the handler caught. Harmless
where another handler, or one further out that was written anew, takes the error.
"""

import builtins
from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, kept_inside, place
from counterproof.analysis.review.edits.differences import Difference
from counterproof.analysis.review.edits.parts import walk
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.analysis.review.edits.wording import shown


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Lost handlers, narrowed ones, and handlers that no longer raise."""
    gained = [row for row in edit.gained if row.kind in ("handler", "try")]
    for row in edit.lost:
        if row.kind == "handler" and row.within and not gained and row.text not in change.appeared:
            yield from _lost(edit, row)
    for old, new, changes in edit.changes:
        if old.kind == "handler":
            yield from _narrowed(new, changes)
            yield from _exchanged(old, new)
    for row in edit.lost:
        taken = [each for each in gained if each.kind == "handler"]
        if row.kind == "handler" and len(taken) == 1:
            yield from _exchanged(row, taken[0])
    for row in edit.lost:
        if row.kind == "raise" and edit.only_loses:
            yield from _silenced(edit, row)


def _lost(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    attempt = row.within[-1][0]
    tried = kept_inside(edit, attempt, "body")
    if not tried or (attempt not in edit.same and _tried(tried[0][1].within[len(attempt.within) :])):
        return
    gone = (each for each in edit.old.rows if (attempt, "body") in each.within and each not in edit.same)
    if any(part.kind in ("call", "await") for each in gone for part in heads(each)):
        return  # what could fail went with its handler
    caught = shown(row.text).removesuffix(": {}").removesuffix(" {}")
    at = tried[0][1]
    yield Remark(
        "handler removed",
        "error-propagation",
        f"errors that `{caught}` took are no longer caught here",
        f"Line {at.line} and what follows ran in a `try` whose `{caught}` dealt with the error. The same statements are "
        f"still there and the "
        "handler is gone, so the error now leaves the function.",
        "Bring the handler back, or say who takes the error now",
        at.line,
    )


def _tried(within: tuple[tuple[Row, str], ...]) -> bool:
    return any(outer.kind == "try" and slot == "body" for outer, slot in within)


def _narrowed(new: Row, changes: tuple[Difference, ...]) -> Iterator[Remark]:
    for each in changes:
        gone = each.items if each.how == "dropped" and each.old.kind == "tuple" else ()
        if gone:
            names = ", ".join(shown(part) for part in gone)
            yield Remark(
                "handler narrowed",
                "error-propagation",
                f"{names} is no longer caught",
                f"The handler took `{shown(each.old)}` and now takes `{shown(each.new)}`. The statements that it guards "
                f"are the same, so "
                f"{names} now leaves the function.",
                f"Catch {names} again, or say why it cannot be raised any more",
                new.line,
            )


def _exchanged(old: Row, new: Row) -> Iterator[Remark]:
    """Another error is caught, of a narrower kind of the language's own."""
    before, after = _caught(old), _caught(new)
    if not before or not after or not all(any(issubclass(one, other) for other in before) for one in after):
        return
    if all(any(issubclass(other, one) for one in after) for other in before):
        return
    names = ", ".join(sorted({each.__name__ for each in before}))
    yield Remark(
        "handler narrowed",
        "error-propagation",
        f"not every {names} is caught any more",
        f"The handler took {names} and now takes `{shown(new.text).removesuffix(': {}')}` alone, which is a special case "
        f"of it. The other "
        "errors of that kind now leave the function.",
        f"Catch {names} again, or say why the others cannot be raised any more",
        new.line,
    )


def _caught(row: Row) -> list[type[BaseException]]:
    """The built-in errors that a handler names; none where it names others too."""
    found: list[type[BaseException]] = []
    for part in walk(row.part):
        if part.kind == "block":
            break
        known = getattr(builtins, part.text, None) if part.kind == "name" else None
        if isinstance(known, type) and issubclass(known, BaseException):
            found.append(known)
    return found


def _silenced(edit: UnitEdit, row: Row) -> Iterator[Remark]:
    """A handler that raised and now goes on."""
    outer = next(((each, slot) for each, slot in reversed(row.within) if each.kind == "handler"), None)
    if outer is None or outer[0] not in edit.same:
        return
    at = place(edit, row)
    handler = edit.same[outer[0]]
    yield Remark(
        "error swallowed",
        "error-handling",
        "the handler no longer passes the error on",
        f"Before, the handler at line {handler.line} ended with `{shown(row.text)}`. That is gone, so the error ends "
        f"here and what follows "
        "runs as if nothing had happened.",
        "Raise the error again, or say what makes it safe to go on",
        (at or handler).line if at else handler.line,
    )
