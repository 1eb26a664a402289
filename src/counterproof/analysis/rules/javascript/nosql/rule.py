"""Database query object or script built from untrusted data, in JavaScript and TypeScript.

## What it finds
A request's body, or fields of it that may be objects, in a query of a document database, and request data in a `$where` script.
Parts of a path are texts, and so no operators.

## Why it matters
An object with operators such as `$ne` or `$gt` in place of a value turns a question into one that is always answered with yes.

## What is safe
Each field turned into a text or a number before it is used; schemas that check types; `mongo-sanitize`.

## Limits
A request field that is checked by a schema elsewhere is reported too. Models that another file only passes on are seen by
their import.
"""

from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.ruleset import FlowRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity
from counterproof.model.survey import Language

RULE = FlowRule(
    RuleInfo(
        id="javascript-nosql-injection",
        title="NoSQL injection",
        dimension=Dimension.D1,
        kind="nosql",
        cwe=943,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can change what the query asks and read or change data of others.",
        remedy="Turn each field into a text or a number before it becomes part of a query.",
    ),
    sinks=sinks("nosql", Language.JAVASCRIPT),
    sanitisers=(*names("sanitiser", "nosql", Language.JAVASCRIPT), "str", "plain text"),
    poc='{"password": {"$ne": ""}}',
    languages=(Language.JAVASCRIPT, Language.TYPESCRIPT),
)  # fmt: skip
