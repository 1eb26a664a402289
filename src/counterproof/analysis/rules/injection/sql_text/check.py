"""The check of `sql-text`."""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.open_sinks import installed_outline
from counterproof.analysis.libraries import names
from counterproof.analysis.program.interpolation import HOLE, Interpolation, interpolated
from counterproof.analysis.program.open_values import OpenValues, is_asked_about
from counterproof.analysis.program.outline import Outline, Setting, Site
from counterproof.analysis.program.raw_values import RawValues
from counterproof.analysis.program.routes import handles_route
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Call, Expr, Index, Name, Node, Return, Sequence
from counterproof.analysis.syntax.walk import last_name

_EXECUTING = (
    "execute", "executemany", "executescript", "raw", "run_sql", "query", "text", "fetchrow", "fetchval", "fetch_all", "sql",
    "read_sql", "read_sql_query", "run", "run_query", "query_and_wait", "AQLQuery",
)  # fmt: skip
_STATEMENT = re.compile(
    r"^\s{0,40}(?:select|insert|update|delete|replace|merge|with|create|alter|drop|grant|set|call|savepoint|truncate)\b"
    r"|^\s{0,40}(?:rollback to|release|lock table|pragma|use|show|describe|copy|attach) "
    r"|^\s{0,40}(?-i:MATCH|OPTIONAL MATCH|UNWIND|FOR \w{1,40} IN|RETURN DOCUMENT)\b",
    re.IGNORECASE,
)
_SESSIONS = names("session", "store")
_QUOTED = re.compile(r"'\x00'")
_VALUE = re.compile(r"['\"][%/\x00]{0,4}\x00[%/\x00]{0,4}['\"]|(?:=|<|>|\blike|\bin \(?|\bvalues ?\()\s{0,4}\x00", re.IGNORECASE)
_DEFINING = re.compile(r"\s{0,40}(?:create|drop|alter|grant)\b", re.IGNORECASE)
"""Statements that put names between double quotes and cannot bind parameters."""
_Place = Site[Call] | Site[Return] | Setting


def check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    installed = installed_outline(project, path) is not None
    judged: set[int] = set()
    for site in outline.of(Call):
        callee = site.node.callee
        given = positional(site.node, 0)
        name = last_name(callee)
        executes = name in _EXECUTING or name.startswith("execute_")
        routed = handles_route(site.function)
        if given is None:
            continue
        if not executes:
            continue
        built = _statement(outline, site, given)
        if built is None:
            continue
        found = _of_session(outline, built) if routed else _raw(outline, site, built)
        if found:
            yield bad(site, "statement", f"built with {found} unbound", Confidence.MEDIUM)
        elif installed and not routed and (name := _name_in(outline, site, built)):
            yield bad(site, "statement", f"{name} is inserted unchecked", Confidence.MEDIUM, severity=Severity.LOW)
        else:
            yield good(site, "statement", "values are bound, or only names are inserted")
            yield from _pieces(outline, site, given, judged)
    yield from _expressions(outline)


def _pieces(outline: Outline, site: Site[Call], given: Expr, judged: set[int]) -> Iterator[Match]:
    """`sql += " AND name = '%s'" % name`: text appended to a statement before it is executed. Each is checked once."""
    for each in outline.settings_of(given.id) if isinstance(given, Name) else ():
        if each.function is not site.function or each.line >= site.line or each.node.value is None or id(each.node) in judged:
            continue
        judged.add(id(each.node))
        built = interpolated(each.node.value)
        if built is None or not (isinstance(each.node, Augment) or _STATEMENT.search(built.text)):
            continue
        found = _raw(outline, each, built)
        if found:
            yield bad(each, "statement", f"built with {found} unbound", Confidence.MEDIUM)


def _expressions(outline: Outline) -> Iterator[Match]:
    """SQL returned by Django expressions (`as_sql`): values between quotes should be parameters."""
    for site in outline.of(Return):
        if site.function is None or not site.function.name.startswith("as_") or not site.function.owner:
            continue
        given = site.node.value
        text = given.items[0] if isinstance(given, Sequence) and given.items else None
        built = interpolated(text) if text is not None else None
        if built is not None and _QUOTED.search(built.text) and (found := _raw(outline, site, built)):
            yield bad(site, "statement", f"built with {found} unbound", Confidence.MEDIUM)


def _statement(outline: Outline, site: Site[Call], given: Expr) -> Interpolation | None:
    """The executed statement; for a literal that may be appended to, without holes."""
    if isinstance(given, Name):
        inside = (each for each in outline.settings_of(given.id) if each.function is site.function is not None)
        before = [each.node for each in inside if isinstance(each.node, Assign) and each.line < site.line]
        assigned = before[-1] if before else outline.local(site.function, given.id)
        if assigned is None or assigned.value is None:
            return None
        given = assigned.value
        begins = text_of(given)
        if begins is not None:
            return Interpolation(begins, ()) if _STATEMENT.search(begins) else None
    built = interpolated(given)
    return built if built is not None and _STATEMENT.search(built.text) else None


def _of_session(outline: Outline, built: Interpolation) -> str:
    """A value that a handler takes from the session: the server stores it, but the user chose it at registration."""
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        around = built.text[max(0, hole - 12) : hole + 3]
        read = value.callee.value if isinstance(value, Call) and isinstance(value.callee, Attribute) else None
        kept = value.value if isinstance(value, Index) else read
        if hole >= 0 and _VALUE.search(around) and kept is not None and outline.dotted(kept) in _SESSIONS:
            return "an entry of the session"
        start = hole + 1
    return ""


def _raw(outline: Outline, site: _Place, built: Interpolation, inner: bool = False) -> str:
    """The first value in the position of an SQL value, or a condition that contains such a value."""
    values = RawValues(outline, site)
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        around = built.text[max(0, hole - 12) : hole + 5]
        named = built.text[max(0, hole - 1) : hole + 2] == f'"{HOLE}"' and _DEFINING.match(built.text)
        told = hole >= 0 and _VALUE.search(around) and not named and not _is_dialect(site.node, value) and not _is_doubled(value)
        if told and (name := values.raw(value)):
            return name
        if not inner and isinstance(value, Name) and (condition := _condition(outline, site, value)) is not None:
            found = _raw(outline, site, condition, inner=True)
            if found:
                return found
        start = hole + 1
    return ""


def _name_in(outline: Outline, site: Site[Call], built: Interpolation) -> str:
    """The first untrusted, unchecked value anywhere in the statement."""
    values = OpenValues(outline, site)
    named = ((each, name) for each in built.values if (name := values.raw(each)))
    return next((name for each, name in named if not is_asked_about(outline, site, each)), "")


def _is_doubled(value: Expr) -> bool:
    """`zone.replace("'", "''")`: doubled quotes, which cannot end a string."""
    if not isinstance(value, Call) or not isinstance(value.callee, Attribute) or value.callee.name != "replace":
        return False
    return [text_of(each.value) for each in value.arguments] == ["'", "''"]


def _is_dialect(node: Node, value: Expr) -> bool:
    """`db.execute(f"… time < {db.now}")`: SQL syntax specific to this connection."""
    callee = node.callee if isinstance(node, Call) else None
    owner = callee.value if isinstance(callee, Attribute) else None
    said = value.value if isinstance(value, Attribute) else None
    return isinstance(owner, Name) and isinstance(said, Name) and owner.id == said.id and owner.id not in ("self", "cls")


def _condition(outline: Outline, site: _Place, name: Name) -> Interpolation | None:
    """`where = "WHERE name = '%s'" % name`, inserted into the statement as a whole."""
    assigned = outline.local(site.function, name.id)
    return interpolated(assigned.value) if assigned is not None and assigned.value is not None else None
