"""Pages without the headers that protect them, in JavaScript and TypeScript.

## What it finds
An Express application that renders pages, where no file beside it or below it uses `helmet` or its like or sets such a header
itself.

## Why it matters
Other sites can frame its pages and lead clicks on them; a script that gets into a page is not stopped by anything.

## What is safe
`helmet`, `lusca`, or `Content-Security-Policy` and `X-Frame-Options` set by hand.

## Limits
Headers that a proxy adds are not seen.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_PROTECTING = frozenset(names("guard", "headers", Language.JAVASCRIPT))
_HEADERS = ("x-frame-options", "content-security-policy")


def _check(seen: SeenCall) -> Match | None:
    folder = seen.frame.path.rpartition("/")[0]
    renders, protects = seen.watch.remembered(f"pages and headers in {folder}", lambda: _looked(seen))
    if protects or not renders:
        return seen.good("headers", "set" if protects else "no page is rendered")
    return seen.bad("headers", "nothing protects the pages", Confidence.MEDIUM)


def _looked(seen: SeenCall) -> tuple[bool, bool]:
    """Whether a file beside the application or below it renders pages, and whether one protects them."""
    renders = protects = False
    for module in seen.watch.modules_near(seen.frame.path):
        protects = protects or bool(_PROTECTING & {each.partition(".")[0] for each in module.imports.values()})
        for node in walk(*module.body):
            callee = node.callee if isinstance(node, ir.Call) else None
            renders = renders or (isinstance(callee, ir.Attribute) and callee.name == "render")
            protects = protects or (text_of(node) or "").lower() in _HEADERS
    return renders, protects


RULE = CallRule(
    RuleInfo(
        id="javascript-security-headers",
        title="Security headers missing",
        dimension=Dimension.D8,
        kind="headers",
        cwe=1021,
        severity=Severity.LOW,
        posture=True,
        impact=Impact.LOCAL,
        consequence="Other sites can frame the pages and trick users into clicking on them.",
        remedy="Use helmet, or set Content-Security-Policy and X-Frame-Options.",
    ),
    calls=("express",),
    check=_check,
    query="Express applications and their headers",
)
