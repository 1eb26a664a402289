"""GraphQL questions without a bound.

## What it finds
A schema of graphene or Strawberry whose types lead back to each other, in a project that limits neither the depth nor the cost
of a question; and an endpoint that takes any number of questions in one request (`batch=True`).

## Why it matters
One short request can make the server load the same objects thousands of times over. Many questions in one request also pass
limits that count requests, those on guessing passwords for example.

## What is safe
A limit on depth, cost, tokens or aliases, as an extension, a validation rule or middleware; batches switched off or bounded.

## Limits
That something limits questions is read from names. Limits of a gateway are not seen.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.graphql_types import circle, limits_questions
from counterproof.analysis.config.values import switch
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.queries import called
from counterproof.analysis.outline.traversal import keyword
from counterproof.analysis.outline.words import words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match, RuleInfo
from counterproof.analysis.syntax.ir import Call
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_SCHEMAS = names("graphql", "schema")


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        if outline.dotted(site.node.callee) in _SCHEMAS:
            found = circle(codebase, path)
            if not found or limits_questions(codebase):
                yield good(site, "schema", "no type leads back to itself, or questions are limited")
            else:
                detail = f"{found[0]} and {found[1]} lead to each other, and no limit on depth or cost is seen"
                yield bad(site, "schema", detail, Confidence.MEDIUM)
        elif called(site.node) in ("as_view", "GraphQLView") and (given := keyword(site.node, "batch")) is not None:
            on = switch(codebase, outline, given, site.function)
            if on.on and on.certain and words_in(site.node) & {"schema", "graphql"}:
                yield bad(site, "batch", "any number of questions in one request", Confidence.MEDIUM)
            else:
                yield good(site, "batch", "off, or configurable")


RULE = CheckRule(
    RuleInfo(
        id="graphql-limits",
        title="GraphQL queries without limits",
        dimension=Dimension.D9,
        kind="limits",
        cwe=770,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="One request can keep the server busy, or try many things at once.",
        remedy="Limit query depth or cost, and the number of queries per request.",
    ),
    _check,
    python_file,
    query="limits on GraphQL questions",
)
