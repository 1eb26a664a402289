"""Directory listing enabled, in JavaScript and TypeScript.

## What it finds
`serve-index` and `list: true` of static file middleware.

## Why it matters
Files that no page links to can be found: backups, keys, drafts.

## What is safe
Static files without a listing.

## Limits
The content of the folder is not checked.
"""

from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.ruleset import CallRule, Dimension, Impact, Match, Severity


def _check(seen: SeenCall) -> Match | None:
    if seen.name == "serve-index":
        return seen.bad("folder listing", "on")
    given = seen.option(0, "list")
    if given is not None and is_true(given):
        return seen.bad("folder listing", "on")
    return seen.good("static files", "no listing")


RULE = CallRule(
    title="Directory listing enabled",
    dimension=Dimension.D8,
    kind="listing",
    cwe=548,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Visitors find files that no page links to.",
    remedy="Turn directory listings off.",
    calls=("serve-index", "serve-static", "express.static", "@fastify/static"),
    check=_check,
    query="static files and folder listings",
)
