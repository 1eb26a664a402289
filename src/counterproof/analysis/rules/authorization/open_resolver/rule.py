"""Resolvers of a GraphQL schema that anyone may call.

## What it finds
A field of a query or mutation type, in graphene, Strawberry or Ariadne, that changes what is stored or hands out accounts and
what belongs to people, while nothing in front of the schema and nothing in the resolver asks who is calling.

## Why it matters
All fields of a schema share one address: whoever reaches it can ask for every one of them, in any combination.

## What is safe
A login in front of the endpoint; middleware or extensions that check one; permission classes or a decorator on the field; a
resolver that reads the caller from its context. Enrolment and login are open by nature.

## Limits
Fields of other types are reached through root fields and not judged on their own. Guards in a proxy are not seen. Where the
program knows no callers at all, only what changes data or hands out accounts is reported.
"""

from counterproof.analysis.control.resolvers import open_resolvers
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="open-resolver",
        title="GraphQL field without authentication",
        dimension=Dimension.D3,
        kind="login",
        guard="a login",
        cwe=306,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="Anyone who reaches the schema reads or changes this, without being known to the application.",
        remedy="Require a login for the schema, or a permission on the field.",
    ),
    lambda site: open_resolvers(site.quotes, site.program, site.operations),
)
