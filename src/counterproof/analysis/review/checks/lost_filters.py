"""Removed protections inside a statement: filters by the caller, bound values, escaping (R47).

Invariant: the statement still exists and still uses the value. A protection that the change writes elsewhere counts as moved.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.review.checks.losses import Loss, Names, callee_of, shown, written_texts
from counterproof.analysis.review.checks.sinks import is_caller, sanitiser_kind, sink_kind
from counterproof.analysis.review.edits.alignment import Change, UnitEdit
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.model.severity import Severity

_CONDITIONS = ("keyword", "compare", "mapping", "pair")
_KEYS = ("name", "attribute", "string", "template_string", "binary")


def find_lost_filters(edit: UnitEdit, change: Change, names: Names) -> Iterator[Loss]:
    """One loss for each statement that lost a filter, bound values or an escaping call."""
    written = written_texts(change)
    for old, new in edit.reworded:
        yield from _filters(edit, old, new, written, names)
        yield from _queries(old, new, names)
        yield from _escaping(edit, old, new, names)
    for row in edit.lost:
        yield from _dropped(edit, row, written, names)


def _filters(edit: UnitEdit, old: Row, new: Row, written: frozenset[str], names: Names) -> Iterator[Loss]:
    """An argument for the caller, or a condition in one, removed from a call that still exists; any argument if the result is
    used."""
    for call in heads(old) if not is_caller(new.part, edit.new, new, names) else ():
        callee, given = callee_of(call), call.role("arguments")
        if callee is None or given is None or f"{callee.text.rpartition(' . ')[2]} (" not in f"{new.text} (":
            continue
        looked_up = old.part.parts[:1] != (call,)
        gone = [
            each
            for each in (*given.parts, *_pairs(given))
            if (each.kind in _CONDITIONS and is_caller(each))
            or (looked_up and each.kind in (*_KEYS, "pair") and is_caller(each, edit.old, old, names))
        ]
        if gone and gone[0].text not in written:
            yield Loss(
                "CWE-639 removed-owner-filter",
                "auth",
                f"the filter `{shown(gone[0].text)}` is gone",
                f"Before the change `{shown(callee.text)}` was limited to the caller by `{shown(gone[0].text)}`. The call is "
                f"still made, without it: `{shown(new.text)}`. It now reaches what belongs to others.",
                new.line,
                gone[0].text,
                Severity.HIGH,
            )
            return


def _pairs(given: Part) -> list[Part]:
    """The conditions in a call's object or dictionary argument."""
    return [each for each in walk(given) if each.kind == "pair"]


def _queries(old: Row, new: Row, names: Names) -> Iterator[Loss]:
    """A query that was a constant text with bound values, and is now built from values."""
    bound = {callee.text for callee, given in _sql_calls(old, names) if given.parts[0].kind == "text" and len(given.parts) > 1}
    for callee, given in _sql_calls(new, names):
        made = given.parts[0]
        if callee.text in bound and made.kind not in ("text", "name") and any(each.kind == "name" for each in walk(made)):
            yield Loss(
                "CWE-89 removed-parameters",
                "injection",
                f"the query of `{shown(callee.text)}` no longer binds its values",
                f"Before the change the query was a constant text and its values were bound. Now its text is made from values: "
                f"`{shown(made.text)}`. Whoever chooses such a value can change what the query does.",
                new.line,
                "",
                Severity.HIGH,
            )
            return


def _sql_calls(row: Row, names: Names) -> Iterator[tuple[Part, Part]]:
    for part in heads(row):
        callee, given = callee_of(part), part.role("arguments")
        if callee is not None and given is not None and given.parts and sink_kind(names, names.resolve(callee)) == "sql":
            yield callee, given


def _escaping(edit: UnitEdit, old: Row, new: Row, names: Names) -> Iterator[Loss]:
    """A value that no longer passes through a sanitizing function, and is still used."""
    unit = edit.old.name
    if any(sanitiser_kind(names, callee, unit) for each in heads(new) if (callee := callee_of(each)) is not None):
        return
    for part in heads(old):
        callee, given = callee_of(part), part.role("arguments")
        if callee is None or given is None or not given.parts or not (kind := sanitiser_kind(names, callee, unit)):
            continue
        value = next((each for each in _values(given.parts[0]) if _reads(new.text, each.text)), None)
        if value is not None:
            yield _unescaped(callee, value, kind, new)


def _values(part: Part) -> list[Part]:
    """An argument, or the names and attributes in it."""
    return [part, *(each for each in walk(part) if each.kind in ("name", "attribute") and each is not part)]


def _reads(text: str, value: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", text) is not None


def _dropped(edit: UnitEdit, row: Row, written: frozenset[str], names: Names) -> Iterator[Loss]:
    """`x = escape(x)` was removed, and x is still used."""
    made = next((each for each in heads(row) if each.kind == "assign"), None)
    target, value = (made.role("left", "name"), made.role("right", "value")) if made is not None else (None, None)
    callee = callee_of(value) if value is not None else None
    given = value.role("arguments") if value is not None else None
    if target is None or callee is None or given is None or callee.text in written:
        return
    if not given.parts or given.parts[0].kind == "keyword":
        return
    same = target.text in {each.text for each in _values(given.parts[0])}
    kind = sanitiser_kind(names, callee, edit.old.name) if same else ""
    later = edit.old.rows[edit.old.rows.index(row) + 1 :]
    used = next((edit.same[each] for each in later if each in edit.same and _reads(edit.same[each].text, target.text)), None)
    if kind and used is not None:
        yield _unescaped(callee, target, kind, used)


def _unescaped(callee: Part, value: Part, kind: str, new: Row) -> Loss:
    return Loss(
        "CWE-116 removed-escaping",
        "injection",
        f"`{shown(value.text)}` no longer passes through `{shown(callee.text)}`",
        f"Before the change `{shown(callee.text)}` made `{shown(value.text)}` harmless here: it {KINDS['sanitiser'][kind]}. "
        f"The statement still uses `{shown(value.text)}`, now as it is: `{shown(new.text)}`.",
        new.line,
        callee.text,
    )
