"""Other sites may read the answers, in JavaScript and TypeScript.

## What it finds
CORS middleware that allows every origin, or repeats the origin of the request, and headers set by hand that do.

## Why it matters
A page of any other site can ask in the visitor's name and read the answer; with credentials that includes what only the
visitor may see.

## What is safe
A fixed origin or a list of them; a function that decides.

## Limits
An interface that is meant to be public, with no login, loses nothing by it.
"""

from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_HEADERS = ("setHeader", "header", "set", "append")


def _check(seen: SeenCall) -> Match | None:
    if seen.method in _HEADERS and seen.name.startswith("http.ServerResponse()"):
        return _header(seen)
    origin = seen.option(0, "origin")
    credentials = is_true(seen.option(0, "credentials"))
    if origin is not None and origin.const is True and credentials:
        return seen.bad("CORS", "every origin may ask with credentials")
    if origin is None or origin.const == "*" or any(each.const == "*" for each in origin.items or ()):
        return seen.bad("CORS", "every origin is allowed", Confidence.MEDIUM)
    return seen.good("CORS", "the origins are named or decided by code")


def _header(seen: SeenCall) -> Match | None:
    name, value = seen.text(0), seen.at(1)
    if name is None or name.lower() != "access-control-allow-origin" or value is None:
        return None
    if value.const == "*":
        return seen.bad("Access-Control-Allow-Origin", "every origin is allowed", Confidence.MEDIUM)
    if any(getattr(each.origin, "channel", "") == "header" for each in value.taints):
        return seen.bad("Access-Control-Allow-Origin", "repeats the origin of the request")
    return seen.good("Access-Control-Allow-Origin", "a fixed or computed origin")


RULE = CallRule(
    RuleInfo(
        id="javascript-cors-wildcard",
        title="CORS allows any origin",
        dimension=Dimension.D8,
        kind="cors",
        cwe=942,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Other sites can read responses meant for this one.",
        remedy="List the origins that may read responses.",
    ),
    calls=("cors", "@koa/cors", "kcors", "@fastify/cors", *(f"http.ServerResponse().{name}" for name in _HEADERS)),
    check=_check,
    query="cross-origin settings",
)
