"""Secrets and personal data in responses.

## What it finds
A handler, or a function it calls, that returns a mapping with a stored object's password, card number, social security number
or second-factor secret; a handler that writes such a field into a text response; a handler that returns the whole environment
or a secret setting of the server.

## Why it matters
Responses end up in browsers, caches and third-party logs. A password hash can be cracked offline; a card number can be used
at once.

## What is safe
Responses that list the fields they return, without these; masked values.

## Limits
Fields are recognised by name. Rows and objects returned as a whole, rendered pages, and responses in JavaScript are not read.
"""

from counterproof.analysis.control.exposure import exposed_fields
from counterproof.analysis.ruleset import ControlRule, Guess, Severity

RULE = ControlRule(
    title="Sensitive field in a response",
    kind="exposure",
    cwe=200,
    severity=Severity.MEDIUM,
    guesses=(Guess.NAME,),
    consequence="Anyone who may call the endpoint reads passwords, personal data or secrets of the server.",
    remedy="Leave the field out of the response, or mask it.",
    check=lambda site: exposed_fields(site.quotes, site.program, site.operations),
)
