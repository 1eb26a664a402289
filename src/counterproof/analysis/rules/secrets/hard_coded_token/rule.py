"""Access tokens written into the source.

## What it finds
Literals given to names that mean a token or credentials, and texts in the shape of a provider's token.

## Why it matters
Whoever reads the source acts with the rights of the token until it is revoked, and the history keeps it.

## What is safe
Values from the environment or a secret store, and place holders.

## Limits
A literal that only its name calls a secret, with no use of it found, has the lowest confidence.
Tokens are never tried out, so an expired one is reported too.
"""

from counterproof.analysis.ruleset import Impact, SecretRule, Severity
from counterproof.analysis.secrets.secret_names import Kind

RULE = SecretRule(
    title="Hard-coded token",
    kind="token",
    cwe=798,
    severity=Severity.HIGH,
    impact=Impact.FULL,
    consequence="Whoever reads the source can act with the rights of this token until it is revoked.",
    remedy="Read the value from the environment or a secret store, refuse to start without it, and replace the old value: "
    "it stays in the history.",
    secret=Kind.TOKEN,
)
