"""NoSQL query built from untrusted data.

## What it finds
Data of a JSON body, or other structured request data, as the filter of a query or as a value inside it, and request data in a
`$where` script.

## Why it matters
A value that is a mapping, such as `{"$ne": ""}`, is interpreted as an operator. The sender changes the query: logs in without
a password, or reads everything.

## What is safe
Strings: query parameters and form fields, `str(value)`, values checked to be strings, numbers. `{"$eq": value}` around the
value. In JavaScript `mongo-sanitize`.

## Limits
Only databases with a recognised client library are covered. Schemas that restrict a body to strings are trusted where they
are types of the handler's parameters. In JavaScript a field that a schema checks elsewhere is reported too.
"""

from counterproof.analysis.ruleset import FlowRule, Severity

RULE = FlowRule(
    id="nosql-injection",
    title="NoSQL injection",
    kind="nosql",
    cwe=943,
    severity=Severity.HIGH,
    consequence="The sender can change the query: bypass a login or read and delete other records.",
    remedy="Convert every value to a string or a number before it goes into the query, or wrap it in $eq.",
    sink="nosql",
    sanitisers=(
        "plain text",
        "str",
        "$eq",
    ),
    poc='{"$ne": ""}',
)

SCRIPTS = RULE.in_scripts(
    FlowRule,
    sanitisers=("str", "plain text"),
    poc='{"password": {"$ne": ""}}',
)
