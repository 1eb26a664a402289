"""Query of a document database shaped by untrusted data.

## What it finds
Data of a JSON body, or other structured request data, as the filter of a query or as a value inside it, and request data in
the script of `$where`.

## Why it matters
A value that is a mapping, such as `{"$ne": ""}`, is an operator. The sender changes what the query asks: passes a login
without a password, or reads everything.

## What is safe
Texts: query parameters and form fields, `str(value)`, values checked to be texts, numbers. `{"$eq": value}` around the value.
In scripts `mongo-sanitize`.

## Limits
Only databases whose client library is recognised. Schemas that restrict a body to texts are trusted where they are types of the
handler's parameters. In scripts a field that a schema checks elsewhere is reported too.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, Language, Severity

RULE = FlowRule(
    id="nosql-injection",
    title="NoSQL injection",
    kind="nosql",
    cwe=943,
    severity=Severity.HIGH,
    consequence="The sender can change the query: bypass a login or read and delete other records.",
    remedy="Convert every value to a string or a number before it goes into the query, or wrap it in $eq.",
    sinks=sinks("nosql"),
    sanitisers=(
        *names("sanitiser", "nosql"),
        "plain text",
        "str",
        "$eq",
    ),
    poc='{"$ne": ""}',
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sinks=sinks("nosql", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "nosql", Language.JAVASCRIPT), "str", "plain text"),
    poc='{"password": {"$ne": ""}}',
)
