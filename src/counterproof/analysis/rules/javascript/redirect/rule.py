"""Redirect to an address that the sender chooses, in JavaScript and TypeScript.

## What it finds
Request data as the address that `res.redirect` or a `Location` header sends the browser to.

## Why it matters
A link to the trusted site leads to one that imitates it.

## What is safe
A path of the site itself with a fixed beginning; a check of the address against a fixed list.

## Limits
Redirects made by scripts in the browser are not judged.
"""

from counterproof.analysis.ruleset import FlowRule, RuleInfo, Sink
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

_LOCATIONS = ("location", "window.location", "document.location")
_ASKED = ("link",)
"""In the browser what a link says after `?` or `#`; that a page goes to its own address again is nothing."""

RULE = FlowRule(
    RuleInfo(
        id="javascript-open-redirect",
        title="Redirect to an address that the sender chooses",
        dimension=Dimension.D6,
        kind="redirect",
        cwe=601,
        severity=Severity.MEDIUM,
        impact=Impact.LOCAL,
        consequence="A link to this site can lead its visitors anywhere.",
        remedy="Redirect only to paths of this site, or check the address against a fixed list.",
    ),
    sinks=(
        Sink("http.ServerResponse().redirect", (0,), when=(("1", "-"),)),
        Sink("http.ServerResponse().redirect", (1,)),
        Sink("http.ServerResponse().location", (0,)),
        Sink("koa.Context().redirect", (0,)),
        Sink("fastify.FastifyReply().redirect", (0,), when=(("1", "-"),)),
        Sink("fastify.FastifyReply().redirect", (1,)),
        Sink("next/server.NextResponse.redirect", (0,)),
        Sink("next/navigation.redirect", (0,)),
        Sink("hono.Context().redirect", (0,)),
        *(Sink(f"{home}.href=", (0,), channels=_ASKED) for home in _LOCATIONS),
        *(Sink(f"{home}.location=", (0,), channels=_ASKED) for home in ("window", "document")),
        *(Sink(f"{home}.{name}", (0,), channels=_ASKED) for home in _LOCATIONS for name in ("assign", "replace")),
    ),
    sanitisers=("host check", "fixed host", "own address"),
    poc="https://evil.example",
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)
