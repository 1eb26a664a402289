"""Statements of a changed function that reach a known sink, test the caller, or sanitize a value."""

import re

from counterproof.analysis import libraries
from counterproof.analysis.libraries.concepts import KINDS
from counterproof.analysis.review.checks.losses import Names, callee_of
from counterproof.analysis.review.edits.parts import Part, walk
from counterproof.analysis.review.edits.units import Row, Unit, heads
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted
from counterproof.analysis.syntax.walk import walk as walk_ir

HARMLESS = tuple(kind for kind in KINDS["sanitiser"] if kind not in ("number", "json"))
SINKS = (
    "command-execution", "code-execution", "deserialisation", "file-access", "http-request", "redirect", "sql",
    "archive-extraction", "template-construction", "xml", "ldap", "upload",
)  # fmt: skip
_CALLER = re.compile(
    r"\b(?:request|req|ctx|context|info \. context) \. (?:user|session|auth)\b|\bcurrent_user\b|\blocals (?:\?\.|\.) user\b"
    r"|\b(?:flask \. )?g \. user\w*|\bsession \[|\bflask \. session\b"
)
"""The caller's location in frameworks, in the spelling of parts."""
_SPACED = re.compile(r"(\?\.|\.)")


def names_in(part: Part) -> set[str]:
    """The names that an expression reads."""
    return {each.text for each in walk(part) if each.kind == "name" and not each.parts}


def is_caller(part: Part, unit: Unit | None = None, but: Row | None = None, names: Names | None = None) -> bool:
    """Return True if an expression reads the caller, or a name that another statement of the function assigned from the caller;
    with `names`, also through a project function that reads the caller."""
    if _CALLER.search(part.text) or unit is None:
        return _CALLER.search(part.text) is not None
    read = names_in(part)
    assigned = (each for row in unit.rows if row is not but for each in heads(row) if each.kind == "assign")
    pairs = [(each.role("left", "name"), each.role("right", "value")) for each in assigned]
    values = [of for to, of in pairs if to is not None and of is not None and to.text in read]
    return any(_CALLER.search(of.text) or (names is not None and _asks_caller(of, unit, names)) for of in values)


def _asks_caller(value: Part, unit: Unit, names: Names) -> bool:
    """Return True if a value is the result of a project function that reads the caller."""
    callees = (callee for each in walk(value) if (callee := callee_of(each)) is not None)
    found = (names.define(each, unit.name) for each in callees)
    return any(own is not None and _CALLER.search(_SPACED.sub(r" \1 ", names.text_of(*own))) for own in found)


def find_sink(rows: list[Row], names: Names, tested: set[str]) -> tuple[str, str, str] | None:
    """The first call among statements that passes one of these names to a known sink: callee, name, kind."""
    for part in (part for row in rows for part in heads(row)):
        callee, given = callee_of(part), part.role("arguments")
        if callee is None or given is None:
            continue
        used = [each.text for each in walk(given) if each.kind == "name" and not each.parts and each.text in tested]
        kind = sink_kind(names, names.resolve(callee)) if used else ""
        if kind:
            return callee.text, used[0], kind
    return None


def sink_kind(names: Names, called: str) -> str:
    """The sink kind of a call; '' for others."""
    method = f"*.{called.rpartition('.')[2]}"
    for kind in SINKS:
        calls = {each.call for each in libraries.sinks(kind, names.language)}
        if called in calls or (kind == "sql" and "." in called and method in calls):
            return kind
    return ""


def sanitiser_kind(names: Names, callee: Part, unit: str) -> str:
    """The sink kind that a function sanitizes for: a library's, or a project function that calls one."""
    called = names.resolve(callee)
    found = _sanitises(names, {called, f"*.{called.rpartition('.')[2]}"} if "." in called else {called})
    own = names.define(callee, unit) if not found else None
    if own is None:
        return found
    module, function = own
    if any(isinstance(each, ir.Const) and "&lt;" in str(each.value) for each in walk_ir(*own[1].body)):
        return "html"  # it writes the entity itself
    inner = {dotted(each.callee, module) or "" for each in walk_ir(*function.body) if isinstance(each, ir.Call)}
    return _sanitises(names, inner)


def _sanitises(names: Names, called: set[str]) -> str:
    return next((kind for kind in HARMLESS if called & set(libraries.names("sanitiser", kind, names.language))), "")
