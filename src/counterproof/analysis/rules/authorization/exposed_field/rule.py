"""Secrets and personal data in answers.

## What it finds
A handler, or a function it calls, that answers with a mapping in which a password, a card number, a social security number or the
secret of a second factor of a stored object stands. Also a handler that writes such a field into a text it answers with, and one
that gives out the whole environment or a secret setting of the server.

## Why it matters
Answers end up in browsers, caches and logs of others. A password hash can be guessed at leisure, a card number be used at once.

## What is safe
Answers that name the fields they give out, without these; masked values.

## Limits
Fields are judged by their names. Rows and objects that are answered with as a whole, pages and answers of scripts are not read.
"""

from counterproof.analysis.control.exposure import exposed_fields
from counterproof.analysis.ruleset import ControlRule, Guess, Severity

RULE = ControlRule(
    title="Sensitive field in a response",
    kind="exposure",
    cwe=200,
    severity=Severity.MEDIUM,
    guesses=(Guess.NAME,),
    consequence="Whoever may call the endpoint reads passwords, personal data or secrets of the server.",
    remedy="Leave the field out of the response, or mask it.",
    check=lambda site: exposed_fields(site.quotes, site.program, site.operations),
)
