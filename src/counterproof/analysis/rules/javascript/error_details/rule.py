"""Answer that carries the error's inner text, in JavaScript and TypeScript.

## What it finds
An error, or its stack, sent to the client; error pages for developers in front of every client.

## Why it matters
Paths, statements and versions in it tell an attacker what to try next.

## What is safe
A text of one's own in the answer and the error in the log.

## Limits
`error.message` alone is not reported.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_ERRORS = vocabulary("err error e ex exc exception")
_WRAPPING = ("str", "util.inspect", "JSON.stringify")


def _check(seen: SeenCall) -> Match | None:
    if seen.name == "errorhandler":
        return seen.bad("errorhandler", "shows stack traces to every client", Confidence.MEDIUM)
    first = seen.expression(0)
    if first is None:
        return None
    shown = [first, *(value for key, value in first.entries if key is not None)] if isinstance(first, ir.Mapping) else [first]
    for each in shown:
        if _is_stack(each):
            return seen.bad("answer", "carries the stack of an error")
        if _is_error(seen, each):
            return seen.bad("answer", "carries a whole error", Confidence.MEDIUM)
    return None


def _is_stack(expr: ir.Expr) -> bool:
    parts = expr.parts if isinstance(expr, ir.Concat | ir.Format) else (expr,)
    return any(
        isinstance(each, ir.Attribute) and each.name == "stack" and isinstance(each.value, ir.Name) and each.value.id in _ERRORS
        for each in parts
    )


def _is_error(seen: SeenCall, expr: ir.Expr) -> bool:
    """The error of a callback or of a `catch`, as it is."""
    if not isinstance(expr, ir.Name) or expr.id not in _ERRORS:
        return False
    function = seen.frame.function
    first = function.node.parameters[:1] if function else ()
    caught = any(isinstance(node, ir.Handler) and node.name == expr.id for node in seen.nearby())
    return caught or any(each.name == expr.id for each in first)


RULE = CallRule(
    RuleInfo(
        id="javascript-error-details",
        title="Internal error details sent to the client",
        dimension=Dimension.D8,
        kind="errors",
        cwe=209,
        severity=Severity.LOW,
        posture=True,
        impact=Impact.LOCAL,
        consequence="Clients learn paths, statements and versions.",
        remedy="Return a generic message and log the error.",
    ),
    calls=(
        "errorhandler",
        *(f"http.ServerResponse().{name}" for name in ("send", "json", "end", "write")),
    ),
    check=_check,
    query="answers that clients get, and error pages",
)
