"""Outgoing request to a URL that untrusted data chooses.

## What it finds
Request data in the URL of a request that the server sends.

## Why it matters
The sender reaches services that only the server can reach: cloud metadata, databases, administration pages.

## What is safe
A fixed URL, a host checked against a list, a literal prefix that fixes scheme and host.

## Limits
A URL that starts with a configured setting followed by a slash counts as fixed. Redirects by the remote server and name
resolution are not checked. An external function whose name says that it checks or cleans is trusted, because its code is not
available.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="ssrf",
    title="Server-side request forgery (SSRF)",
    kind="request",
    cwe=918,
    severity=Severity.HIGH,
    consequence="The sender can reach internal services through the server.",
    remedy="Parse the URL and check its host against a fixed list before making the request.",
    sink="http-request",
    sanitisers=("host check", "fixed host"),
    poc="http://169.254.169.254/latest/meta-data/",
    openly=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("host check", "fixed host"),
    openly=True,
)
