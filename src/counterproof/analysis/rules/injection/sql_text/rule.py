"""SQL statement put together from values that were not bound.

## What it finds
A statement that is executed and into which a function puts what it was given, fields or entries as values: between quotes,
after a comparison, or in a list of values. The SQL that an expression of Django gives (`as_sql`) counts too.

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
from counterproof.analysis.outline.traversal import positional
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name, Return, Sequence
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_EXECUTING = ("execute", "executemany", "executescript", "raw", "run_sql", "query", "text", "fetchrow", "fetchval", "fetch_all")
_STATEMENT = re.compile(
    r"^\s{0,40}(?:select|insert|update|delete|replace|merge|with|create|alter|drop|grant|set|call)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"'\x00'")
_VALUE = re.compile(r"['\"]%?\x00%?['\"]|(?:=|<|>|\blike|\bin \(?|\bvalues ?\()\s{0,4}\x00", re.IGNORECASE)


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for site in outline.of(Call):
        callee = site.node.callee
        given = positional(site.node, 0)
        name = callee.name if isinstance(callee, Attribute) else callee.id if isinstance(callee, Name) else ""
        executes = name in _EXECUTING or name.startswith("execute_")
        if not executes or given is None or handles_route(site.function):
            continue
        built = _statement(outline, site, given)
        if built is None:
            continue
        found = _raw(outline, site, built)
        if found:
            yield bad(site, "statement", f"made with {found} in it as it is", Confidence.MEDIUM)
        else:
            yield good(site, "statement", "values are bound, or only names are put in")
    yield from _expressions(outline)


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
    if isinstance(given, Name):
        assigned = outline.local(site.function, given.id)
        if assigned is None or assigned.value is None:
            return None
        given = assigned.value
    built = interpolated(given)
    return built if built is not None and _STATEMENT.search(built.text) else None


def _raw(outline: Outline, site: "Site[Call] | Site[Return]", built: Interpolation) -> str:
    """The first value that stands where a value of SQL does."""
    values = RawValues(outline, site)
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        around = built.text[max(0, hole - 12) : hole + 3]
        told = hole >= 0 and _VALUE.search(around) and not _is_dialect(site.node, value)
        if told and (name := values.raw(value)):
            return name
        start = hole + 1
    return ""


def _is_dialect(node: Call | Return, value: Expr) -> bool:
    """`db.execute(f"… time < {db.now}")`: how this very connection spells something."""
    callee = node.callee if isinstance(node, Call) else None
    owner = callee.value if isinstance(callee, Attribute) else None
    said = value.value if isinstance(value, Attribute) else None
    return isinstance(owner, Name) and isinstance(said, Name) and owner.id == said.id and owner.id not in ("self", "cls")


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
