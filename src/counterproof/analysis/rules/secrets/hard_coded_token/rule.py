"""Hard-coded access tokens.

## What it finds
Literals assigned to names that mean a token or credentials, and strings in the format of a provider's token.

## Why it matters
Anyone who reads the source has the privileges of the token until it is revoked, and the Git history keeps it.

## What is safe
Values from the environment or a secret store, and placeholders.

## Limits
A literal recognised as a secret only by its name, with no use of it found, has the lowest confidence. Tokens are never sent
to the provider, so an expired one is reported too.
"""

from counterproof.analysis.ruleset import Impact, SecretRule, Severity
from counterproof.analysis.secrets.secret_names import Kind

RULE = SecretRule(
    title="Hard-coded token",
    kind="token",
    cwe=798,
    severity=Severity.HIGH,
    impact=Impact.FULL,
    consequence="Anyone who reads the source can act with the privileges of this token until it is revoked.",
    remedy=(
        "Read the value from the environment or a secret store, refuse to start without it, and replace the old "
        "value: it stays in the Git history."
    ),
    secret=Kind.TOKEN,
)
