"""Outgoing request to an address that untrusted data chooses.

## What it finds
Request data in the URL of a request that the server sends.

## Why it matters
The sender reaches services that only the server can reach: metadata of the cloud, databases, administration pages.

## What is safe
A fixed address, a host checked against a list, a literal prefix that fixes scheme and host.

## Limits
An address that a setting starts is taken for fixed once a slash follows it. Redirects that the other side sends and name
resolution are not judged.
A function from outside that says by its name that it checks or cleans is believed, because its code is not there to be read.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import FlowRule, Language, Severity

RULE = FlowRule(
    id="ssrf",
    title="Server-side request forgery (SSRF)",
    kind="request",
    cwe=918,
    severity=Severity.HIGH,
    consequence="The sender can reach internal services through the server.",
    remedy="Parse the URL and check its host against a fixed list before making the request.",
    sinks=sinks("http-request"),
    sanitisers=("host check", "fixed host"),
    poc="http://169.254.169.254/latest/meta-data/",
    openly=True,
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("http-request", Language.JAVASCRIPT),
    sanitisers=("host check", "fixed host"),
    openly=True,
)
