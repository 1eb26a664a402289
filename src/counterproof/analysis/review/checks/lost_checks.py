"""Checks that the change removes: refusals of the caller, filters by the caller, validation and escaping of values (R47).

Always: a name counts by the library or framework that it comes from. A check that the change writes elsewhere has only moved.
"""

import re
from collections.abc import Iterator

from counterproof.analysis import libraries
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.review.checks.losses import Loss, Names, callee_of, inside_of, line_of, shown, written_texts
from counterproof.analysis.review.edits.alignment import UnitEdit
from counterproof.analysis.review.edits.change import Change
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, heads
from counterproof.model.severity import Severity

HARMLESS = tuple(kind for kind in KINDS["sanitiser"] if kind not in ("number", "json"))
SINKS = (
    "command-execution", "code-execution", "deserialisation", "file-access", "http-request", "redirect", "sql",
    "archive-extraction", "template-construction", "xml", "ldap", "upload",
)  # fmt: skip
_CALLER = re.compile(
    r"\b(?:request|req|ctx|context|info \. context) \. (?:user|session|auth)\b|\bcurrent_user\b"
    r"|\b(?:flask \. )?g \. user\w*|\bsession \[|\bflask \. session\b"
)
"""Where frameworks keep the caller."""
_STATUS = re.compile(r"(?<![\w.])40[13](?![\w.])")
_REFUSALS = re.compile(
    r"\b(?:PermissionDenied|PermissionError|(?:HTTP)?Forbidden(?:Exception)?|(?:HTTP)?Unauthorized(?:Exception)?|NotAuthenticated"
    r"|AuthenticationFailed|HTTP_40[13]_\w+)\b"
)
_LEAVES = ("raise", "return", "jump", "expr")
_RUNS = ("return", "expr", "declaration", "with", "for", "if", "try")


def find_lost_checks(edit: UnitEdit, change: Change, names: Names) -> Iterator[Loss]:
    """One for each removed guard clause, and one for each reworded statement that lost a filter or an escaping call."""
    written = written_texts(change)
    for row in edit.lost:
        inside = inside_of(edit, row, "then")
        alone = row.kind == "if" and inside and all(each in edit.lost for each in inside_of(edit, row))
        test = row.part.role("condition")
        if not alone or test is None or inside[-1].kind not in _LEAVES or test.text in written:
            continue
        found = _refusal(edit, row, test, inside, written) or _unchecked_sink(edit, row, test, names)
        if found is not None:
            yield found
    for old, new in edit.reworded:
        yield from _filters(old, new, written)
        yield from _queries(old, new, names)
        yield from _escaping(old, new, names)


def _refusal(edit: UnitEdit, row: Row, test: Part, inside: list[Row], written: frozenset[str]) -> Loss | None:
    index = edit.old.rows.index(row)
    if not any(each in edit.same and each.kind in _RUNS for each in edit.old.rows[index + 1 :]):
        return None
    refusal = next((said for each in inside if (said := _refusing(each))), "")
    if (not refusal and not _about_caller(edit, test)) or any(each.text in written for each in inside if _refusing(each)):
        return None
    ends = f"with {refusal}" if refusal else "early"
    return Loss(
        "CWE-862 removed-check",
        "auth",
        f"the check `{shown(test.text)}` that refused callers is gone",
        f"Before the change `{edit.old.name}` ended {ends} where `{shown(test.text)}` held. The statements after it "
        "are still there and now run for every caller; the change does not make this check elsewhere.",
        line_of(edit, row),
        test.text,
        Severity.HIGH,
    )


def _about_caller(edit: UnitEdit, test: Part) -> bool:
    """Whether a test reads the caller, or a name that the function set from the caller."""
    if _CALLER.search(test.text):
        return True
    names = {each.text for each in walk(test) if each.kind == "name" and not each.parts}
    assigned = (part for row in edit.old.rows for part in heads(row) if part.kind == "assign")
    pairs = ((part.role("left", "name"), part.role("right", "value")) for part in assigned)
    return any(to is not None and of is not None and to.text in names and _CALLER.search(of.text) for to, of in pairs)


def _refusing(row: Row) -> str:
    """The refusal in a statement, '' without one."""
    found = _REFUSALS.search(row.text) or _STATUS.search(row.text)
    return found[0] if found else ""


def _unchecked_sink(edit: UnitEdit, row: Row, test: Part, names: Names) -> Loss | None:
    """The checked value still goes into a known sink."""
    tested = {each.text for each in walk(test) if each.kind == "name" and not each.parts}
    for later in edit.old.rows[edit.old.rows.index(row) + 1 :]:
        found = _sink(edit.same[later], names, tested) if later in edit.same else None
        if found is not None:
            call, value, kind = found
            return Loss(
                "CWE-20 removed-validation",
                "injection",
                f"`{value}` is no longer checked before `{shown(call)}`",
                f"Before the change `{edit.old.name}` ended early where `{shown(test.text)}` held. The check is gone, and "
                f"`{value}` still goes into `{shown(call)}`, which {KINDS['sink'][kind]}.",
                line_of(edit, row),
                test.text,
            )
    return None


def _sink(row: Row, names: Names, tested: set[str]) -> tuple[str, str, str] | None:
    for part in heads(row):
        callee, given = callee_of(part), part.role("arguments")
        if callee is None or given is None:
            continue
        used = [each.text for each in walk(given) if each.kind == "name" and not each.parts and each.text in tested]
        kind = _sink_kind(names, names.resolve(callee)) if used else ""
        if kind:
            return callee.text, used[0], kind
    return None


def _sink_kind(names: Names, dotted: str) -> str:
    method = f"*.{dotted.rpartition('.')[2]}"
    for kind in SINKS:
        calls = {each.call for each in libraries.sinks(kind, names.language)}
        if dotted in calls or (kind == "sql" and "." in dotted and method in calls):
            return kind
    return ""


def _filters(old: Row, new: Row, written: frozenset[str]) -> Iterator[Loss]:
    """An argument that names the caller is gone from a call that is still made."""
    for call in heads(old) if not _CALLER.search(new.text) else ():
        callee, given = callee_of(call), call.role("arguments")
        if callee is None or given is None or f"{callee.text.rpartition(' . ')[2]} (" not in f"{new.text} (":
            continue
        gone = [
            each for each in given.parts if each.kind in ("keyword", "compare", "mapping", "pair") and _CALLER.search(each.text)
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


def _queries(old: Row, new: Row, names: Names) -> Iterator[Loss]:
    """A query was a constant text with bound values, and is now made from values."""
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
        if callee is not None and given is not None and given.parts and _sink_kind(names, names.resolve(callee)) == "sql":
            yield callee, given


def _escaping(old: Row, new: Row, names: Names) -> Iterator[Loss]:
    """A value no longer passes through a function that made it harmless, and is still used."""
    if any(_harmless(names, callee) for each in heads(new) if (callee := callee_of(each)) is not None):
        return
    for part in heads(old):
        callee, given = callee_of(part), part.role("arguments")
        if callee is None or given is None or not given.parts or not (kind := _harmless(names, callee)):
            continue
        value = given.parts[0].text
        if re.search(rf"(?<![\w.]){re.escape(value)}(?!\w)", new.text):
            yield Loss(
                "CWE-116 removed-escaping",
                "injection",
                f"`{shown(value)}` no longer passes through `{shown(callee.text)}`",
                f"Before the change `{shown(callee.text)}` made `{shown(value)}` harmless here: it {KINDS['sanitiser'][kind]}. "
                f"The statement still uses `{shown(value)}`, now as it is: `{shown(new.text)}`.",
                new.line,
                callee.text,
            )


def _harmless(names: Names, callee: Part) -> str:
    """The kind of sink that a function makes data harmless for."""
    dotted = names.resolve(callee)
    wanted = (dotted, f"*.{dotted.rpartition('.')[2]}") if "." in dotted else (dotted,)
    return next((kind for kind in HARMLESS if set(wanted) & set(libraries.names("sanitiser", kind, names.language))), "")
