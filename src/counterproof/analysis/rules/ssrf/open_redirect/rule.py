"""Redirect to a URL that untrusted data chooses.

## What it finds
Request data as the target of a redirect, by a function of the framework or as the `Location` header of a response.

## Why it matters
A link that starts with the trusted site leads to another one; used for phishing and token theft.

## What is safe
`url_for`, a target from a fixed list, a host check (`url_has_allowed_host_and_scheme`, `urlparse(x).netloc`), a literal prefix.

## Limits
A check that only looks for a leading slash does not count: `//host` leaves the site. An external function whose name says
that it checks or cleans is trusted, because its code is not available. A page that redirects to its own URL, with its own
query or fragment, stays on its site.
"""

from counterproof.analysis.ruleset import Complexity, FlowRule, Impact, Severity

RULE = FlowRule(
    title="Open redirect",
    kind="redirect",
    cwe=601,
    severity=Severity.MEDIUM,
    impact=Impact.LOCAL,
    complexity=Complexity.MULTI_STEP,
    consequence="A link to the trusted site redirects its visitor to the attacker's site.",
    remedy="Redirect only to paths on your own site, or check the host of the target against a fixed list.",
    sink="redirect",
    safe=("url",),
    sanitisers=(
        "host check",
        "fixed host",
        "own address",
        "previous page",
    ),
    poc="https://attacker.example/",
    handler_returns=("address",),
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("host check", "fixed host", "own address", "previous page"),
    openly=True,
)
