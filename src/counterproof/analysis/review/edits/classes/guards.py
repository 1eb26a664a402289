"""A guard that is gone while what it guarded is still there.

Harmful where a value that the guard looked at is still used in a way that fails without it, or where a case that was refused or
left alone is now treated like any other. Harmless where the guard was moved or replaced by one that looks at the same value,
where the value comes from somewhere else now, where what it tested has been retired, and in tests.
"""

from collections.abc import Iterator

from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change, Remark, alone, inside, kept_inside, place
from counterproof.analysis.review.edits.facts import Fact, facts, failing, may_be_missing
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.analysis.review.edits.wording import shown

EXITS = ("return", "raise", "jump")
MIN_TELLING = 8
"""Letters of a function's name from which on it says what is asked; shorter ones are asked everywhere."""
MAX_BODY = 4
"""Statements of a block for one case; a larger one is a feature, and taking it out is a decision."""


def remarks(edit: UnitEdit, change: Change) -> Iterator[Remark]:
    """Guards that were statements of their own."""
    for row in edit.lost:
        if row.kind in ("for", "while", "try") and edit.only_loses and _alone(edit, row) and not kept_inside(edit, row):
            yield from _block(edit, row, change)
        test = row.part.role("condition")
        if row.kind != "if" or test is None or _elsewhere(edit, change, test) or change.moved(_whole(edit, row)):
            continue
        exits, wrapped = _exits(edit, row), kept_inside(edit, row, "then")
        if exits:
            yield from _remark(edit, row, test, False, _after(edit, row))
        elif wrapped:
            yield from _remark(edit, row, test, True, wrapped)
        elif edit.only_loses and _alone(edit, row):
            yield from _case(edit, row, test)


def _whole(edit: UnitEdit, row: Row) -> list[Row]:
    """A lost statement and all that went with it; what was done otherwise is not part of it."""
    return [row, *(each for each in edit.lost if any(outer is row and slot != "else" for outer, slot in each.within))]


def _alone(edit: UnitEdit, row: Row) -> bool:
    """Whether the block went whole, and nothing else that it was part of; the rest of a chain may stand alone now."""
    otherwise = [each for each in edit.old.rows if (row, "else") in each.within]
    moved = {each.text for each in edit.gained}
    return alone(edit, row) and all(each in edit.same or each.text in moved for each in otherwise)


def _block(edit: UnitEdit, row: Row, change: Change) -> Iterator[Remark]:
    """A loop or an attempt, gone with all that it did."""
    at, body = place(edit, row), inside(edit, row)
    done = [
        each for each in edit.old.rows if any(outer is row for outer, _ in each.within) and each.kind in ("expr", "declaration")
    ]
    if at is None or not body or not done or len(edit.lost) > 2 * MAX_BODY or change.retired(row.part, edit):
        return
    if change.moved(_whole(edit, row)) or any(each.kind == "import" for each in _whole(edit, row)):
        return
    yield Remark(
        "step removed",
        "invariants",
        f"`{shown(done[0].text)}` is no longer done",
        f"Before, a block stood here that did `{shown(done[0].text)}`. It went whole and everything around it is "
        f"unchanged, so what it "
        "did (setting, filling or telling something) does not happen any more.",
        "Bring it back, or say what does this now",
        at.line,
    )


def _case(edit: UnitEdit, row: Row, test: Part) -> Iterator[Remark]:
    """A block for one case, gone with its test."""
    at, body = place(edit, row), [each for each in inside(edit, row) if (row, "else") not in each.within]
    if at is None or not body or len(body) > MAX_BODY:
        return
    yield Remark(
        "case no longer handled",
        "edge-cases",
        f"nothing is done any more where `{shown(test)}`",
        f"Before, where `{shown(test)}`, `{shown(body[0].text)}` was done first. The block is gone and everything around "
        f"it is unchanged, so "
        "the case now runs on like every other.",
        "Bring the block back, or say where the case is handled now",
        at.line,
    )


def _exits(edit: UnitEdit, row: Row) -> bool:
    """Whether the guard turned the case away: all of its body left with it, and its body left the block."""
    body = [each for each in inside(edit, row) if (row, "then") in each.within]
    otherwise = [each for each in edit.old.rows if (row, "else") in each.within]
    return bool(body) and not otherwise and body[-1].kind in EXITS and not any(each in edit.same for each in body)


def _after(edit: UnitEdit, row: Row) -> list[tuple[Row, Row]]:
    index = edit.old.rows.index(row)
    depth = row.within
    return [(old, edit.same[old]) for old in edit.old.rows[index:] if old in edit.same and old.within[: len(depth)] == depth]


def _elsewhere(edit: UnitEdit, change: Change, test: Part) -> bool:
    """Whether the same question is asked by something new, or nobody could ask it any more."""
    texts = {test.text, *(each.text for each in walk(test) if each.kind in ("compare", "call", "not", "attribute"))}
    plain = {text for text in texts if len(text) > 3}
    asked = {callee.text.rpartition(" ")[2] for each in walk(test) if (callee := each.role("function")) is not None}
    moved = {name for name in asked if len(name) >= MIN_TELLING} & change.fresh_words
    return bool(plain & change.appeared) or bool(moved) or change.retired(test, edit)


def _given_up(edit: UnitEdit, row: Row, test: Part) -> bool:
    """Whether the guard protected a value that the function used and does not use any more."""
    fields = {each.text for each in walk(test) if each.kind in ("attribute", "index")}
    guard = {id(each) for each in (row, *inside(edit, row))}
    before = {part.text for each in edit.old.rows if id(each) not in guard for part in heads(each)}
    after = {part.text for each in edit.new.rows for part in heads(each)}
    return bool(fields & before) and not fields & after


def _remark(edit: UnitEdit, row: Row, test: Part, holds: bool, kept: list[tuple[Row, Row]]) -> Iterator[Remark]:
    for fact in facts(test, holds):
        use = next(iter(unprotected(edit, fact, [new for _, new in kept])), None)
        if use is not None:
            yield missing(edit, row, test, fact, use)
            return
    at = kept[0][1] if kept else place(edit, row)
    if at is None or not edit.only_loses:
        return
    body = inside(edit, row)
    if holds:
        yield Remark(
            "condition removed",
            "logic",
            f"this now runs whether or not `{shown(test)}`",
            f"Before, the statement at line {at.line} ran only if `{shown(test)}`. The condition is gone and what it guarded is "
            "unchanged, so the case that it left out is now treated like every other.",
            "Bring the condition back, or say why the case can no longer occur",
            at.line,
        )
    elif kept and body[-1].kind in ("raise", "return") and not _given_up(edit, row, test):
        what = "refused" if body[-1].kind == "raise" else "answered at once"
        yield Remark(
            "case no longer handled",
            "edge-cases",
            f"the case `{shown(test)}` is no longer {what}",
            f"Before, the function {what} the case `{shown(test)}` with `{shown(body[-1].text)}`. That is gone, nothing "
            f"stands in its "
            f"place, and the case now runs into line {at.line} like every other.",
            "Bring the check back, or say where the case is handled now",
            at.line,
        )


def unprotected(edit: UnitEdit, fact: Fact, rows: list[Row]) -> Iterator[tuple[Row, Part]]:
    """Statements of the new version that fail where the fact does not hold, as far as nothing else looks at the value first."""
    if _set_anew(edit, fact):
        return
    for row in rows:
        if looked_at(edit, fact, row):
            return
        use = failing(_own(row), fact)
        if use is not None:
            yield row, use


def _own(row: Row) -> Part:
    """The statement without its blocks."""
    blocks = ("block", "elif", "else", "handler", "finally")
    part = row.part
    return Part(
        part.kind, part.text, part.line, part.end, tuple(each for each in part.parts if each.kind not in blocks), part.roles
    )


def _set_anew(edit: UnitEdit, fact: Fact) -> bool:
    """Whether the value comes from somewhere else than before."""
    fresh = [*edit.gained, *(new for _, new in edit.reworded)]
    return any(_sets(row, fact.about) for row in fresh)


def _sets(row: Row, about: str) -> bool:
    for part in heads(row):
        if part.kind in ("assign", "augment") and (target := part.role("left", "name")) is not None:
            root = about.partition(" ")[0]
            if any(each.text in (about, root) for each in walk(target) if each.kind in ("name", "attribute") or not each.parts):
                return True
    return False


def looked_at(edit: UnitEdit, fact: Fact, row: Row) -> bool:
    """Whether the new version tests the value around or before a statement, or sets it before."""
    words = f" {fact.about} "
    for outer, slot in row.within:
        test = outer.part.role("condition")
        if test is not None and words in f" {test.text} " and slot != "test":
            return True
        if outer.kind == "try" and slot == "body":
            return True
    index = edit.new.rows.index(row)
    for each in edit.new.rows[:index]:
        test = each.part.role("condition")
        if each.kind == "if" and test is not None and words in f" {test.text} " and each.within == row.within[: len(each.within)]:
            return True
        if each.kind == "assert" and words in f" {each.text} ":
            return True
    return False


def missing(edit: UnitEdit, row: Row, test: Part, fact: Fact, use: tuple[Row, Part]) -> Remark:
    """The value may be missing where it is used."""
    at, part = use
    here = place(edit, row) or at
    origin = may_be_missing(edit, fact)
    reason = f" {origin}" if origin else ""
    return Remark(
        "guard removed",
        "edge-cases",
        f"`{shown(fact.about)}` is used without the check that it {fact.what}",
        f"Before, `{shown(test)}` kept `{shown(part)}` at line {part.line} from running where it fails. The check is "
        f"gone and the "
        f"use is still there.{reason}",
        "Bring the check back, or make sure that the value cannot be missing",
        min(here.line, part.line),
        proved=bool(origin),
        also=part.line,
    )
