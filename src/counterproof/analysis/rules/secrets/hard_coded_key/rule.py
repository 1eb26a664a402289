"""Keys written into the source.

## What it finds
Literals given to settings, variables, parameters or calls whose names mean a key (`SECRET_KEY`, `signing_key`), private keys, and
texts in the shape of a provider's key, in code and in configuration files. A place holder counts where the code itself gives it
to the framework to sign with (`app.secret_key = "your-secret-key"`).

## Why it matters
Whoever reads the source, a copy of it or its history can sign, forge or decrypt what the key protects, in every installation.

## What is safe
Values from the environment or a secret store, place holders, and names that only speak about a key.

## Limits
A literal that only its name calls a secret, with no use of it found, has the lowest confidence.
Very long lines are searched at their start only. A value in a test or an example has the lowest confidence, if any.
"""

from counterproof.analysis.ruleset import Impact, SecretRule, Severity
from counterproof.analysis.secrets.secret_names import Kind

RULE = SecretRule(
    title="Hard-coded cryptographic key",
    kind="key",
    cwe=321,
    severity=Severity.HIGH,
    impact=Impact.FULL,
    consequence="Whoever reads the source can sign, forge or decrypt what this key protects, in every installation.",
    remedy="Read the value from the environment or a secret store, refuse to start without it, and replace the old value: "
    "it stays in the history.",
    secret=Kind.KEY,
)
