"""SQL statement put together from values that were not bound.

## What it finds
A statement that is executed and into which a function puts what it was given, fields or entries as values: between quotes,
after a comparison, or in a list of values. So do conditions that are added to a statement piece by piece, clauses to sort by
(`order_by("%s %s" % …)`), statements of graph and document databases that are built alike, and the SQL that an expression of
Django gives (`as_sql`).

## Why it matters
A value with a quote in it ends the text and goes on as SQL.

## What is safe
Parameters that the driver binds, and numbers. Names of tables and columns cannot be bound and are not judged.

## Limits
Where the value comes from in the end is not judged. Handlers of routes are left out: data is followed there from the request.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.outline.interpolation import HOLE, Interpolation, interpolated
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import RawValues
from counterproof.analysis.outline.routes import handles_route
from counterproof.analysis.outline.traversal import positional, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Call, Expr, Name, Return, Sequence
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_EXECUTING = (
    "execute", "executemany", "executescript", "raw", "run_sql", "query", "text", "fetchrow", "fetchval", "fetch_all", "sql",
    "read_sql", "read_sql_query", "run", "run_query", "query_and_wait", "AQLQuery",
)  # fmt: skip
_STATEMENT = re.compile(
    r"^\s{0,40}(?:select|insert|update|delete|replace|merge|with|create|alter|drop|grant|set|call)\b"
    r"|^\s{0,40}(?-i:MATCH|OPTIONAL MATCH|UNWIND|FOR \w{1,40} IN|RETURN DOCUMENT)\b",
    re.IGNORECASE,
)
_SORTING = ("order_by", "group_by")
_CLAUSE = re.compile(r"[\w.]{0,40}\x00\s{1,3}(?:\x00|asc|desc)\s{0,3}", re.IGNORECASE)
_QUOTED = re.compile(r"'\x00'")
_VALUE = re.compile(r"['\"][%/\x00]{0,4}\x00[%/\x00]{0,4}['\"]|(?:=|<|>|\blike|\bin \(?|\bvalues ?\()\s{0,4}\x00", re.IGNORECASE)
_Place = Site[Call] | Site[Return] | Site[Assign] | Site[Augment]


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        callee = site.node.callee
        given = positional(site.node, 0)
        name = callee.name if isinstance(callee, Attribute) else callee.id if isinstance(callee, Name) else ""
        executes = name in _EXECUTING or name.startswith("execute_")
        if given is None or handles_route(site.function):
            continue
        if name in _SORTING:
            yield from _sorted_by(outline, site, given)
        if not executes:
            continue
        built = _statement(outline, site, given)
        if built is None:
            continue
        found = _raw(outline, site, built)
        if found:
            yield bad(site, "statement", f"made with {found} in it as it is", Confidence.MEDIUM)
        else:
            yield good(site, "statement", "values are bound, or only names are put in")
            yield from _pieces(outline, site, given)
    yield from _expressions(outline)


def _sorted_by(outline: Outline, site: Site[Call], given: Expr) -> Iterator[Match]:
    """`query.order_by("%s %s" % (column, direction))`: a clause that is taken as SQL."""
    built = interpolated(given)
    if built is not None and _CLAUSE.fullmatch(built.text):
        values = RawValues(outline, site)
        found = next((name for each in built.values if (name := values.raw(each))), "")
        if found:
            yield bad(site, "statement", f"sorted by {found} as it is", Confidence.MEDIUM)


def _pieces(outline: Outline, site: Site[Call], given: Expr) -> Iterator[Match]:
    """`sql += " AND name = '%s'" % name`: what is added to a statement before it is executed."""
    for each in outline.settings_of(given.id) if isinstance(given, Name) else ():
        if each.function is not site.function or each.line >= site.line or each.node.value is None:
            continue
        built = interpolated(each.node.value)
        if (
            built is not None
            and (isinstance(each.node, Augment) or _STATEMENT.search(built.text))
            and (found := _raw(outline, each, built))
        ):
            yield bad(each, "statement", f"made with {found} in it as it is", Confidence.MEDIUM)


def _expressions(outline: Outline) -> Iterator[Match]:
    """What Django's expressions give as SQL (`as_sql`): a value between quotes belongs among the parameters."""
    for site in outline.of(Return):
        if site.function is None or not site.function.name.startswith("as_") or not site.function.owner:
            continue
        given = site.node.value
        text = given.items[0] if isinstance(given, Sequence) and given.items else None
        built = interpolated(text) if text is not None else None
        if built is not None and _QUOTED.search(built.text) and (found := _raw(outline, site, built)):
            yield bad(site, "statement", f"made with {found} in it as it is", Confidence.MEDIUM)


def _statement(outline: Outline, site: Site[Call], given: Expr) -> Interpolation | None:
    """The statement that is executed; one without holes where it is a literal that more may be added to."""
    if isinstance(given, Name):
        assigned = outline.local(site.function, given.id)
        if assigned is None or assigned.value is None:
            return None
        given = assigned.value
        begins = text_of(given)
        if begins is not None:
            return Interpolation(begins, ()) if _STATEMENT.search(begins) else None
    built = interpolated(given)
    return built if built is not None and _STATEMENT.search(built.text) else None


def _raw(outline: Outline, site: _Place, built: Interpolation, inner: bool = False) -> str:
    """The first value that stands where a value of SQL does, or that is a condition with such a value in it."""
    values = RawValues(outline, site)
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        around = built.text[max(0, hole - 12) : hole + 5]
        if hole >= 0 and _VALUE.search(around) and (name := values.raw(value)):
            return name
        if not inner and isinstance(value, Name) and (condition := _condition(outline, site, value)) is not None:
            found = _raw(outline, site, condition, inner=True)
            if found:
                return found
        start = hole + 1
    return ""


def _condition(outline: Outline, site: _Place, name: Name) -> Interpolation | None:
    """`where = "WHERE name = '%s'" % name`, put into the statement as a whole."""
    assigned = outline.local(site.function, name.id)
    return interpolated(assigned.value) if assigned is not None and assigned.value is not None else None


RULE = CheckRule(
    RuleInfo(
        id="sql-text",
        title="SQL statement put together from values that were not bound",
        dimension=Dimension.D1,
        kind="sql",
        cwe=89,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Whoever chooses the value can change what the statement does.",
        remedy="Bind the value as a parameter of the statement.",
    ),
    _check,
    python_file,
    query="statements that are executed",
)
