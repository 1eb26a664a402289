"""Cross-site scripting (XSS): markup built from unescaped values, in JavaScript and TypeScript.

## What it finds
A text with HTML tags in it into which a parameter, a field or an entry is put as it is, and which is returned, kept or handed on;
and such a value that is set as markup (`innerHTML`, `html()`) just as it is.

## Why it matters
Whoever chooses the value (a title, a label, an address) puts a script into the page that shows the text.

## What is safe
Escaping; `textContent`; JSX and templates that escape; numbers; values that a call made.

## Limits
Low by nature: where the value comes from, and whether the text becomes a page, is not followed. Variables that by their name
hold markup are left out, and so are packed files and those that a published package does not load.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, script_file, script_outline
from counterproof.analysis.config.offered import is_loaded, is_packed
from counterproof.analysis.outline.interpolation import Interpolation, interpolated
from counterproof.analysis.outline.markup import MARKUP_WORDS, TAG
from counterproof.analysis.outline.open_values import OpenValues
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Call, Expr, Return
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_Place = Site[Call] | Site[Assign] | Site[Augment] | Site[Return]
_FIELDS = frozenset({"innerHTML", "outerHTML", "srcdoc"})
_SETTERS = {"html": 0, "insertAdjacentHTML": 1, "setHTMLUnsafe": 0}
"""Methods that take markup, and where."""
_SAME = frozenset({"split", "join", "trim", "toString", "replace", "replaceAll", "concat", "strip"})
_MADE = PLAIN | vocabulary(
    """html markup tag tags attrs attributes css style styles rendered widget template children color colour indent svg footer
    header head media static script locale lang language cls classes class icon"""
)
"""Words of names that hold markup already, or that only the program sets. An address in an attribute may end it."""
MAX_ARGUMENTS = 4
"""Arguments of a call that are looked at."""


def _check(project: Project, path: str) -> Iterator[Match]:
    if is_packed(project.text(path)) or not is_loaded(project, path):
        return
    outline = script_outline(project, path)
    for site, value in _texts(outline):
        built = interpolated(value)
        if built is not None and TAG.search(built.text) and (found := _raw_in(outline, site, built)):
            yield bad(site, "markup", f"made with {found} in it as it is", Confidence.MEDIUM)
    for site, value in _set(outline):
        if interpolated(value) is None and (found := OpenValues(outline, site, MARKUP_WORDS).raw(value)):
            yield bad(site, "markup", f"{found} is set as markup as it is", Confidence.MEDIUM)


def _raw_in(outline: Outline, site: _Place, built: Interpolation) -> str:
    values = OpenValues(outline, site, _MADE)
    return next((name for each in built.values if (name := values.raw(each))), "")


def _set(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    """`element.innerHTML = text`, `$("#status").html(text)`."""
    for assigned in outline.of(Assign):
        markup = any(isinstance(each, Attribute) and each.name in _FIELDS for each in assigned.node.targets)
        if markup and assigned.node.value is not None:
            yield assigned, _joined(assigned.node.value)
    for call in outline.of(Call):
        name = call.node.callee.name if isinstance(call.node.callee, Attribute) else ""
        if name in _SETTERS and len(call.node.arguments) > _SETTERS[name]:
            yield call, _joined(call.node.arguments[_SETTERS[name]].value)


def _joined(value: Expr) -> Expr:
    """`text.split("\\n").join("<br>")`: the text."""
    while isinstance(value, Call) and isinstance(value.callee, Attribute) and value.callee.name in _SAME:
        value = value.callee.value
    return value


def _texts(outline: Outline) -> Iterator[tuple[_Place, Expr]]:
    for site in outline.of(Return):
        if site.node.value is not None:
            yield site, site.node.value
    for assigned in outline.of(Assign):
        if assigned.node.value is not None:
            yield assigned, assigned.node.value
    for added in outline.of(Augment):
        yield added, added.node.value
    for call in outline.of(Call):
        yield from ((call, each.value) for each in call.node.arguments[:MAX_ARGUMENTS])


RULE = CheckRule(
    RuleInfo(
        id="javascript-unescaped-markup",
        title="Cross-site scripting (XSS): markup built from unescaped values",
        dimension=Dimension.D1,
        kind="html",
        cwe=79,
        severity=Severity.LOW,
        shape=Shape.FLOW,
        impact=Impact.PARTIAL,
        consequence="Whoever chooses the value runs a script in the browser of those who see the page.",
        remedy="Escape the value, or set it as text.",
    ),
    _check,
    script_file,
    query="texts with HTML tags that values are put into",
)
