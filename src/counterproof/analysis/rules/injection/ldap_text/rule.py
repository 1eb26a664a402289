"""LDAP filter put together from values that were not escaped.

## What it finds
A filter that a directory is searched with and into which a function puts what it was given, fields or entries as they are.

## Why it matters
A value with a parenthesis or a star in it changes the search: it finds other entries, or lets somebody in.

## What is safe
`escape_filter_chars` around each value, `filter_format`, and numbers.

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
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_SEARCHING = ("search", "search_s", "search_ext", "search_ext_s", "search_st", "paged_search")
_LIBRARIES = ("ldap", "ldap3")
_FILTER = re.compile(r"(?:^|[(&|!])[A-Za-z\x00][\w.:;-]{0,60}[~<>]?=\*?\x00")
"""A comparison of an attribute with a value that is put in."""


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    if not any(name.partition(".")[0] in _LIBRARIES for name in outline.module.imports.values()):
        return
    for site in outline.of(Call):
        callee = site.node.callee
        if not isinstance(callee, Attribute) or callee.name not in _SEARCHING or handles_route(site.function):
            continue
        filters = [built for each in site.node.arguments for built in _filters(outline, site, each.value)]
        if filters:
            found = next((name for built in filters if (name := _raw(outline, site, built))), "")
            if found:
                yield bad(site, "search", f"the filter is made with {found} in it as it is", Confidence.MEDIUM)
            else:
                yield good(site, "search", "values in the filter are escaped, or made elsewhere")


def _filters(outline: Outline, site: Site[Call], given: Expr) -> Iterator[Interpolation]:
    """The filter or, where it is a variable, all that the function has put into it."""
    values = [given]
    if isinstance(given, Name):
        settings = (each for each in outline.settings_of(given.id) if each.function is site.function is not None)
        values = [each.node.value for each in settings if each.node.value is not None]
    for each in values:
        built = interpolated(each)
        if built is not None and _FILTER.search(built.text):
            yield built


def _raw(outline: Outline, site: Site[Call], built: Interpolation) -> str:
    """The first value that is compared with. Names of attributes and whole filters are the program's own."""
    values = RawValues(outline, site)
    start = 0
    for value in built.values:
        hole = built.text.find(HOLE, start)
        compared = hole > 0 and built.text[:hole].rstrip("*").endswith("=")
        if compared and (name := values.raw(value)):
            return name
        start = hole + 1
    return ""


RULE = CheckRule(
    RuleInfo(
        id="ldap-text",
        title="LDAP injection: unescaped value in a filter",
        dimension=Dimension.D1,
        kind="ldap",
        cwe=90,
        severity=Severity.MEDIUM,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="Whoever chooses the value can change the directory query.",
        remedy="Escape every value with the library's escape_filter_chars first.",
    ),
    _check,
    python_file,
    query="searches of a directory",
)
