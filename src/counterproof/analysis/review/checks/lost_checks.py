"""Removed checks: rejections of the caller and validation of values, as clauses, conditions or calls (R47).

Invariant: a name is interpreted by its library or framework, or by the code of the project's function. A check that the change
writes elsewhere counts as moved.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis import libraries
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.review.checks.losses import (
    Loss,
    Names,
    callee_of,
    inside_of,
    line_of,
    shown,
    written_texts,
)
from counterproof.analysis.review.checks.sinks import find_sink, is_caller, names_in
from counterproof.analysis.review.edits.alignment import Change, FileEdit, UnitEdit, operands
from counterproof.analysis.review.edits.parts import Part
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.severity import Severity

_STATUS = re.compile(r"(?<![\w.])40[13](?![\w.])")
_REFUSALS = re.compile(
    r"\b(?:PermissionDenied|PermissionError|(?:HTTP)?Forbidden(?:Exception)?|(?:HTTP)?Unauthorized(?:Exception)?|NotAuthenticated"
    r"|AuthenticationFailed|HTTP_40[13]_\w+)\b"
)
GUARDS = ("identity", "login", "role", "token")
_LEAVES = ("raise", "return", "jump", "expr")
_RUNS = ("return", "expr", "declaration", "with", "for", "if", "try")


def find_lost_checks(edit: UnitEdit, file: FileEdit, change: Change, names: Names) -> Iterator[Loss]:
    """One loss for each removed clause, condition or call that checked, and for each condition that lost a part."""
    written = written_texts(change)
    for row in edit.lost:
        test = row.part.role("condition") if row.kind == "if" else row.part.parts[0] if row.kind == "assert" else None
        if row.kind == "decorator":
            found = _removed_decorator(edit, row, names)
        elif test is not None and test.text not in written:
            found = _removed(edit, row, test, written, names) or _kept_by_siblings(edit, row, test, file, names)
        else:
            found = _removed_call(edit, row, written, names)
        if found is not None:
            yield found
    for old, new in edit.reworded:
        found = _weakened(edit, old, new, written, names)
        if found is not None:
            yield found


def _removed(edit: UnitEdit, row: Row, test: Part, written: frozenset[str], names: Names) -> Loss | None:
    """A clause that ended the function early, or a condition around statements that now run without it."""
    inside = inside_of(edit, row, "then")
    after = _later(edit, row)
    if row.kind == "assert":
        return _unchecked_sink(edit, row, test, after, names)
    if inside and all(each in edit.lost for each in inside_of(edit, row)):
        if inside[-1].kind not in _LEAVES:
            return None
        return _refusal(edit, row, test, inside, written) or _unchecked_sink(edit, row, test, after, names)
    kept = [each for each in inside if each in edit.same]
    guards = [outer for each in kept for outer, _ in edit.same[each].within if outer in edit.gained and outer.kind == "if"]
    if not kept or guards:
        return None
    if is_caller(test, edit.old) and any(part.kind == "call" for each in kept for part in heads(each)):
        return _check(edit, test, "ran these statements only", edit.same[kept[0]].line)
    return _unchecked_sink(edit, row, test, kept, names)


def _later(edit: UnitEdit, row: Row) -> list[Row]:
    return edit.old.rows[edit.old.rows.index(row) + 1 :]


def _refusal(edit: UnitEdit, row: Row, test: Part, inside: list[Row], written: frozenset[str]) -> Loss | None:
    if not any(each in edit.same and each.kind in _RUNS for each in _later(edit, row)):
        return None
    refusal = next((said for each in inside if (said := _refusing(each.text))), "")
    if (not refusal and not is_caller(test, edit.old)) or any(each.text in written for each in inside if _refusing(each.text)):
        return None
    return _check(edit, test, f"ended {f'with {refusal}' if refusal else 'early'}", line_of(edit, row))


def _check(edit: UnitEdit, test: Part, did: str, line: int) -> Loss:
    return Loss(
        "CWE-862 removed-check",
        "auth",
        f"the check `{shown(test.text)}` that refused callers is gone",
        f"Before the change `{edit.old.name}` {did} where `{shown(test.text)}` held. The statements that it guarded "
        "are still there and now run for every caller; the change does not make this check elsewhere.",
        line,
        test.text,
        Severity.HIGH,
    )


def _refusing(text: str) -> str:
    """The rejection in code, '' if there is none."""
    found = _REFUSALS.search(text) or _STATUS.search(text)
    return found[0] if found else ""


def _unchecked_sink(edit: UnitEdit, row: Row, test: Part, rows: list[Row], names: Names) -> Loss | None:
    """The loss if the checked value still reaches a known sink in one of these statements."""
    found = find_sink([edit.same[each] for each in rows if each in edit.same], names, names_in(test))
    if found is None:
        return None
    call, value, kind = found
    return Loss(
        "CWE-20 removed-validation",
        "injection",
        f"`{value}` is no longer checked before `{shown(call)}`",
        f"Before the change `{edit.old.name}` checked `{shown(test.text)}`. The check is gone, and "
        f"`{value}` still goes into `{shown(call)}`, which {KINDS['sink'][kind]}.",
        line_of(edit, row) if row in edit.lost else edit.same[row].line,
        test.text,
    )


def _removed_call(edit: UnitEdit, row: Row, written: frozenset[str], names: Names) -> Loss | None:
    """A call of a project function that raises or returns normally, whose result was unused."""
    call = next((each for each in heads(row) if each.kind == "call"), None) if row.kind == "expr" else None
    callee = callee_of(call) if call is not None else None
    if call is None or callee is None or callee.text in written or any(outer not in edit.same for outer, _ in row.within):
        return None
    later = [each for each in _later(edit, row) if each in edit.same and each.kind in _RUNS]
    found = names.define(callee, edit.old.name) if later else None
    if found is None or not any(_raises(each) for each in walk(*found[1].body)):
        return None
    if _refusing(names.text_of(*found)):
        return _check(edit, call, "refused callers", line_of(edit, row))
    given = call.role("arguments")
    return _unchecked_sink(edit, row, given, later, names) if given is not None else None


def _removed_decorator(edit: UnitEdit, row: Row, names: Names) -> Loss | None:
    """A removed decorator of a library or the project that requires a login or a right, without a replacement."""
    if any(each.kind == "decorator" for each in edit.gained):
        return None
    part = row.part.parts[0]
    named = callee_of(part) or part
    own = names.define(named, edit.old.name)
    guards = {each for kind in GUARDS for each in libraries.names("guard", kind, names.language)}
    if names.resolve(named) in guards or (own is not None and _refusing(names.text_of(*own))):
        return _check(edit, part, "was guarded by a decorator", (edit.new.part or part).line)
    return None


def _kept_by_siblings(edit: UnitEdit, row: Row, test: Part, file: FileEdit, names: Names) -> Loss | None:
    """A clause that ended the function early by a project function, if another function of the file still has it."""
    inside = inside_of(edit, row, "then")
    if not inside or inside[-1].kind not in ("raise", "return") or not any(each in edit.lost for each in inside):
        return None
    asked = [callee for callee in _callees(row) if names.define(callee, edit.old.name)]
    callees = {each.text for each in asked}
    others = (each for name, unit in file.new.items() if name != edit.new.name for each in unit.rows if each.kind == "if")
    kept = any(callee.text in callees for each in others for callee in _callees(each))
    runs = any(each in edit.same and each.kind in _RUNS for each in _later(edit, row))
    if not kept or not runs:
        return None
    made = _check(edit, test, "ended early", line_of(edit, row))
    return replace(made, title=f"`{shown(test.text)}` is no longer checked", severity=Severity.MEDIUM)


def _callees(row: Row) -> list[Part]:
    return [callee for part in heads(row) if (callee := callee_of(part)) is not None]


def _raises(node: ir.Node) -> bool:
    return isinstance(node, ir.Raise) or (isinstance(node, ir.Call) and last_name(node.callee) == "abort")


def _weakened(edit: UnitEdit, old: Row, new: Row, written: frozenset[str], names: Names) -> Loss | None:
    """A condition that lost a part and gained none: a clause ends the function less often, or a guard admits more."""
    tests = [row.part.role("condition") if row.kind == "if" else None for row in (old, new)]
    before, after = tests
    if before is None or after is None or before.kind != "bool":
        return None
    kept = {each.text for each in (operands(after) if after.kind == "bool" else (after,))}
    gone = [each for each in operands(before) if each.text not in kept and each.text not in written]
    if not gone or not kept <= {each.text for each in operands(before)}:
        return None
    inside = inside_of(edit, old, "then")
    leaves = bool(inside) and inside[-1].kind in ("raise", "return", "jump")
    refuses = any(_refusing(each.text) for each in inside)
    if (before.operator in ("or", "||")) is not (leaves or refuses):
        return None
    if refuses or is_caller(gone[0], edit.old):
        return _check(edit, gone[0], "refused callers" if refuses else "decided", new.line)
    return _unchecked_sink(edit, old, gone[0], _later(edit, old) if leaves else inside, names)
