"""Hard-coded passwords.

## What it finds
Literals assigned to or compared with names that mean a password, credentials in service URLs, and accounts that the code
creates with literal passwords.

## Why it matters
Anyone who reads the source can log in wherever the password was not changed.

## What is safe
Values from the environment or a secret store, placeholders, empty values, and labels or fields named after a password.

## Limits
A literal recognised as a secret only by its name, with no use of it found, has the lowest confidence. Whether the account
still exists is not known. Very long lines are searched at their start only.
"""

from counterproof.analysis.ruleset import SecretRule, Severity
from counterproof.analysis.secrets.secret_names import Kind

RULE = SecretRule(
    title="Hard-coded password",
    kind="password",
    cwe=798,
    severity=Severity.HIGH,
    consequence="Anyone who reads the source can log in with this password wherever it was not changed.",
    remedy=(
        "Read the value from the environment or a secret store, refuse to start without it, and replace the old "
        "value: it stays in the Git history."
    ),
    secret=Kind.PASSWORD,
)
