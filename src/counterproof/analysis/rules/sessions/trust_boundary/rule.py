"""Untrusted data put into the server's session.

## What it finds
Request data that becomes the name of a session entry, or the value of an entry that says who someone is or what they may do,
with nobody asked about it before.

## Why it matters
Later code takes what stands in the session for the server's own knowledge. Whoever fills it in becomes another user, or gets
rights that were never given.

## What is safe
Values that the server looked up or verified first, numbers and names from a fixed list, entries that only remember a choice
(a language, a cart).

## Limits
Whether a check in the same function is the right one is not judged. Sessions reached through objects of the project's own are
not followed.
"""

from counterproof.analysis.libraries import sinks
from counterproof.analysis.ruleset import Complexity, FlowRule, Severity

RULE = FlowRule(
    title="Untrusted data in the session",
    kind="session",
    cwe=501,
    severity=Severity.MEDIUM,
    complexity=Complexity.MULTI_STEP,
    consequence="The sender decides what the server later believes about them.",
    remedy="Put only values into the session that the server looked up or verified itself, under fixed names.",
    sinks=sinks("session"),
    poc="admin",
)
