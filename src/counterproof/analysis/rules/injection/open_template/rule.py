"""Text of a caller rendered as a template without a sandbox.

## What it finds
`jinja2.Template(text)` and `from_string(text)` of an environment that is not sandboxed, where the text is what a function was
given, a field or an entry of a mapping. With Low, an environment without a sandbox whose templates a function brings, or that has
no loader and leaves its module, so that it renders only what others hand it.

## Why it matters
Templates reach the objects behind their values, and through them every function of the interpreter: whoever writes the template
runs code.

## What is safe
`jinja2.sandbox.SandboxedEnvironment`, and templates that come with the program.

## Limits
Who writes the template in the end is not judged. An environment that is made in another module counts as sandboxed.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN, RawValues
from counterproof.analysis.outline.routes import handles_route
from counterproof.analysis.outline.traversal import argument
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Impact, Match, Severity, Shape
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Name

_OPEN = names("template", "open-environment")
_FUNCTIONS = ("jinja2.FunctionLoader", "jinja2.loaders.FunctionLoader")
_RENDERING = frozenset({"from_string", "get_template", "select_template", "compile_expression", "parse", "lex", "overlay"})
"""Methods of an environment that show what it is used for."""


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        text = _rendered(codebase, outline, site)
        found = RawValues(outline, site, PLAIN).raw(text) if text is not None and not handles_route(site.function) else ""
        if found:
            yield bad(site, "template", f"{found} is rendered without a sandbox", Confidence.MEDIUM)
        elif outline.dotted(site.node.callee) in _OPEN and (found := _foreign_templates(outline, site)):
            yield bad(site, "template", found, Confidence.MEDIUM, severity=Severity.LOW)


def _foreign_templates(outline: Outline, site: Site[Call]) -> str:
    """Why an environment renders what did not come with the program; '' where that cannot be told."""
    if any(each.spread for each in site.node.arguments):
        return ""
    loader = next((each.value for each in site.node.arguments if each.keyword == "loader"), None)
    if loader is None:
        return "" if any(_renders(each.node) for each in outline.of(Call)) else "it has no loader and renders what it is handed"
    if isinstance(loader, Name):
        assigned = outline.local(site.function, loader.id) or outline.top_level.get(loader.id)
        loader = assigned.value if assigned is not None else None
    brings = isinstance(loader, Call) and outline.dotted(loader.callee) in _FUNCTIONS
    return "a function brings its templates, and nothing confines them" if brings else ""


def _renders(call: Call) -> bool:
    return isinstance(call.callee, Attribute) and call.callee.name in _RENDERING


def _rendered(codebase: Codebase, outline: Outline, site: Site[Call]) -> Expr | None:
    callee = site.node.callee
    if outline.dotted(callee) == "jinja2.Template":
        return argument(site.node, 0, "source")
    if isinstance(callee, Attribute) and callee.name == "from_string":
        maker = codebase.constructor(outline, callee.value, site.function)
        return argument(site.node, 0, "source") if maker in _OPEN else None
    return None


RULE = CheckRule(
    title="Template injection: caller's text rendered without a sandbox",
    kind="template",
    cwe=1336,
    severity=Severity.MEDIUM,
    shape=Shape.FLOW,
    impact=Impact.FULL,
    consequence="Whoever writes the template can run code.",
    remedy="Render it with jinja2.sandbox.SandboxedEnvironment.",
    check=_check,
    query="templates made from texts",
)
