"""Forms of other sites are accepted, in JavaScript and TypeScript.

## What it finds
Session middleware in a program that has no protection against forged requests: no token package, and a cookie without
`sameSite`.

## Why it matters
A page of another site can send a form in the visitor's name, and the session cookie goes with it.

## What is safe
`sameSite: "lax"` or `"strict"`; `csurf`, `csrf-csrf`, `lusca` and their like.

## Limits
A check of one's own is not recognised, so that confidence is medium.
"""

from counterproof.analysis.flow.seen_calls import SeenCall, routed
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_MIDDLEWARE = names("session", "cookie-middleware", Language.JAVASCRIPT)
_PROTECTING = frozenset(names("guard", "csrf", Language.JAVASCRIPT))

_CHANGING = ("post", "put", "patch", "delete")


def _check(seen: SeenCall) -> Match | None:
    nested = seen.option(0, "cookie", "sameSite")
    given = nested if nested is not None else seen.option(0, "sameSite")
    if given is not None and given.const not in ("none", "None", False):
        return seen.good("session cookie", "sameSite is set or computed")
    if not any(_changes(module) for module in seen.watch.modules_near(seen.frame.path)):
        return seen.good("session cookie", "no route here changes anything")
    found = sorted(seen.packages() & _PROTECTING)
    if found:
        return seen.good("session cookie", f"the program uses {found[0]}")
    return seen.bad(
        "session cookie", "goes with requests that other sites cause, and nothing asks for a token", Confidence.MEDIUM
    )


def _changes(module: ir.Module) -> bool:
    """Whether a file registers a route that is meant to change something."""
    for node in walk(*module.body):
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _CHANGING:
            first = routed(node) or next((text_of(each.value) for each in node.arguments), None)
            if first is not None and first.startswith("/"):
                return True
    return False


RULE = CallRule(
    RuleInfo(
        id="javascript-csrf",
        title="Cross-site request forgery (CSRF)",
        dimension=Dimension.D3,
        kind="csrf",
        cwe=352,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Other sites can act in the name of whoever is logged in.",
        remedy="Set sameSite on the session cookie, or ask for a token in every form.",
    ),
    calls=_MIDDLEWARE,
    check=_check,
    query="session middleware",
)
