"""Untrusted data stored in the server's session.

## What it finds
Unchecked request data used as the name of a session entry, or as the value of an entry that identifies the user or grants
privileges.

## Why it matters
Later code trusts session entries as the server's own data. Anyone who can set them becomes another user, or gets privileges
that were never granted.

## What is safe
Values that the server looked up or verified first, numbers and names from a fixed list, entries that only store a preference
(a language, a cart).

## Limits
Whether a check in the same function is sufficient is not determined. Sessions accessed through the project's own classes are
not followed.
"""

from counterproof.analysis.ruleset import Complexity, FlowRule, Severity

RULE = FlowRule(
    title="Untrusted data in the session",
    kind="session",
    cwe=501,
    severity=Severity.MEDIUM,
    complexity=Complexity.MULTI_STEP,
    consequence="The sender controls data that the server later trusts.",
    remedy="Store only values that the server looked up or verified, under fixed names.",
    sink="session",
    poc="admin",
)
