"""Passwords written into the source.

## What it finds
Literals given to or compared with names that mean a password, credentials in addresses of services, and accounts that the code
creates with passwords of its own.

## Why it matters
Whoever reads the source can log in wherever the password was not changed.

## What is safe
Values from the environment or a secret store, place holders, empty values, and labels or fields named after a password.

## Limits
A literal that only its name calls a secret, with no use of it found, has the lowest confidence.
Whether the account still exists is not known. Very long lines are searched at their start only.
"""

from counterproof.analysis.ruleset import SecretRule, Severity
from counterproof.analysis.secrets.secret_names import Kind

RULE = SecretRule(
    title="Hard-coded password",
    kind="password",
    cwe=798,
    severity=Severity.HIGH,
    consequence="Whoever reads the source can log in with this password wherever it was not changed.",
    remedy="Read the value from the environment or a secret store, refuse to start without it, and replace the old value: "
    "it stays in the history.",
    secret=Kind.PASSWORD,
)
