"""Hard-coded cryptographic keys.

## What it finds
Literals assigned to settings or variables, or passed as arguments, whose names mean a key (`SECRET_KEY`, `signing_key`),
private keys, and strings in the format of a provider's key, in code and in configuration files. A placeholder is reported
where the code itself passes it to the framework for signing (`app.secret_key = "your-secret-key"`).

## Why it matters
Anyone who reads the source, a copy of it or its history can sign, forge or decrypt the data that the key protects, in every
installation.

## What is safe
Values from the environment or a secret store, placeholders, and names that only mention a key.

## Limits
A literal recognised as a secret only by its name, with no use of it found, has the lowest confidence. Very long lines are
searched at their start only. A value in a test or an example has the lowest confidence, or is not reported.
"""

from counterproof.analysis.ruleset import Impact, SecretRule, Severity
from counterproof.analysis.secrets.secret_names import Kind

RULE = SecretRule(
    title="Hard-coded cryptographic key",
    kind="key",
    cwe=321,
    severity=Severity.HIGH,
    impact=Impact.FULL,
    consequence="Anyone who reads the source can sign, forge or decrypt the data that this key protects, in every installation.",
    remedy=(
        "Read the value from the environment or a secret store, refuse to start without it, and replace the old "
        "value: it stays in the Git history."
    ),
    secret=Kind.KEY,
)
