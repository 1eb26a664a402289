"""Content Security Policy that allows any script.

## What it finds
A literal `Content-Security-Policy` whose `default-src` or `script-src` allows any origin, or inline scripts without a nonce
or hash.

## Why it matters
The policy is the second line of defence against injected scripts. A policy that allows inline scripts from anywhere offers no
protection.

## What is safe
Policies that list their sources, with a nonce or hash for inline scripts. A missing policy is not reported.

## Limits
Policies built at run time or set by a proxy are not read.
"""

from counterproof.analysis.config.patterns import Bad, Headers, Matching
from counterproof.analysis.config.places import Place
from counterproof.analysis.ruleset import CheckRule, Impact, Severity


def _is_open(at: Place) -> bool:
    directives = {words[0]: words[1:] for part in at.text().lower().split(";") if (words := part.split())}
    sources = directives.get("script-src", directives.get("default-src", []))
    tied = any(source.startswith(("'nonce-", "'sha")) for source in sources)
    return "*" in sources or ("'unsafe-inline'" in sources and not tied)


RULE = CheckRule(
    title="Content Security Policy allows any script",
    kind="headers",
    cwe=693,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="The policy does not block scripts that an attacker injects.",
    remedy="List the script sources; use a nonce or hash for inline scripts.",
    check=Matching(
        Headers(("content-security-policy",)),
        bad=Bad(_is_open, "allows any script"),
        good="limits scripts, or is built at run time",
        item="policy",
    ),
    query="Content-Security-Policy headers",
    in_tests=True,
)
