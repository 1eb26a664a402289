"""Text of a caller rendered as a template without a sandbox.

## What it finds
`jinja2.Template(text)` and `from_string(text)` of an environment that is not sandboxed, where the text is what a function was
given, a field or an entry of a mapping.

## Why it matters
Templates reach the objects behind their values, and through them every function of the interpreter: whoever writes the template
runs code.

## What is safe
`jinja2.sandbox.SandboxedEnvironment`, and templates that come with the program.

## Limits
Who writes the template in the end is not judged. An environment that is made in another module counts as sandboxed.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened, python_file
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.raw_values import PLAIN, RawValues
from counterproof.analysis.outline.routes import handles_route
from counterproof.analysis.outline.traversal import argument
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Attribute, Call, Expr
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Shape
from counterproof.model.severity import Confidence, Impact, Severity

_OPEN = names("template", "open-environment")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        text = _rendered(codebase, outline, site)
        found = RawValues(outline, site, PLAIN).raw(text) if text is not None and not handles_route(site.function) else ""
        if found:
            yield bad(site, "template", f"{found} is rendered without a sandbox", Confidence.MEDIUM)


def _rendered(codebase: Codebase, outline: Outline, site: Site[Call]) -> Expr | None:
    callee = site.node.callee
    if outline.dotted(callee) == "jinja2.Template":
        return argument(site.node, 0, "source")
    if isinstance(callee, Attribute) and callee.name == "from_string":
        maker = codebase.constructor(outline, callee.value, site.function)
        return argument(site.node, 0, "source") if maker in _OPEN else None
    return None


RULE = CheckRule(
    RuleInfo(
        id="open-template",
        title="Template injection: caller's text rendered without a sandbox",
        dimension=Dimension.D1,
        kind="template",
        cwe=1336,
        severity=Severity.MEDIUM,
        shape=Shape.FLOW,
        impact=Impact.FULL,
        consequence="Whoever writes the template can run code.",
        remedy="Render it with jinja2.sandbox.SandboxedEnvironment.",
    ),
    _check,
    python_file,
    query="templates made from texts",
)
