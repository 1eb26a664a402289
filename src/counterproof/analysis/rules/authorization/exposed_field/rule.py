"""Secrets and personal data in answers.

## What it finds
A handler, or a function it calls, that answers with a mapping in which a password, a card number, a social security number or the
secret of a second factor of a stored object stands. Also a handler that writes such a field into a text it answers with, and one
that gives out the whole environment or a secret setting of the server, and such a field in a response model of FastAPI or Django
Ninja or in a type of a GraphQL schema; rows that a statement fetches with such a column and a handler answers with as they are;
a FastAPI handler without a response model that answers with a stored object which has such a column; and a page that prints such
a field of a user or row.

## Why it matters
Answers end up in browsers, caches and logs of others. A password hash can be guessed at leisure, a card number be used at once.

## What is safe
Answers that name the fields they give out, without these; masked values.

## Limits
Fields are judged by their names. Of objects that a library turns into JSON as a whole, only those of Django, REST framework,
SQLAlchemy and SQLModel under FastAPI, and declared response models are seen.
"""

from itertools import chain

from counterproof.analysis.control.exposure import exposed_fields
from counterproof.analysis.control.printed import printed_fields
from counterproof.analysis.control.queried import queried_records
from counterproof.analysis.control.records import whole_records
from counterproof.analysis.control.serialised import serialised_fields, serialised_records
from counterproof.analysis.control.shapes import shaped_answers
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="exposed-field",
        title="Sensitive field in a response",
        dimension=Dimension.D3,
        kind="exposure",
        cwe=200,
        severity=Severity.MEDIUM,
        guesses=(Guess.NAME,),
        impact=Impact.PARTIAL,
        consequence="Whoever may call the endpoint reads passwords, personal data or secrets of the server.",
        remedy="Leave the field out of the response, or mask it.",
    ),
    lambda site: chain(
        exposed_fields(site.quotes, site.program, site.operations),
        serialised_records(site.quotes, site.program, site.operations),
        serialised_fields(site.quotes, site.program),
        shaped_answers(site.quotes, site.program, site.operations),
        whole_records(site.quotes, site.program, site.operations),
        queried_records(site.quotes, site.program, site.operations),
        printed_fields(site.quotes, site.program),
    ),
)
