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

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import switch
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.codebase import Codebase
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.traits import anywhere, having, trait
from counterproof.analysis.outline.traversal import called, keyword, text_of
from counterproof.analysis.outline.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Call, Class, Expr, Name
from counterproof.analysis.syntax.walk import walk

MAX_TYPES = 400
_TYPES = names("graphql", "type-decorator")
_BASES = ("graphene.ObjectType", "graphene.Interface")
_LIMITING = vocabulary("depth complexity cost limiter")
_LIMITED = vocabulary("query limit limiter max validator analysis protection graphql")

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
    title="GraphQL queries without limits",
    kind="limits",
    cwe=770,
    severity=Severity.MEDIUM,
    posture=True,
    consequence="One request can keep the server busy, or try many things at once.",
    remedy="Limit query depth or cost, and the number of queries per request.",
    check=_check,
    query="limits on GraphQL questions",
)


def circle(codebase: Codebase, path: str) -> tuple[str, ...]:
    """Two types of which each has a field of the other, in the part of the tree that this file is in; empty if there are none.

    Always holds: only classes that graphene or Strawberry make types of; bounded in the number of types.
    """
    part = path.partition("/")[0] + "/" if "/" in path else ""
    return codebase.remembered(("graphql circle", part), lambda: _circle(codebase, part))


def _circle(codebase: Codebase, part: str) -> tuple[str, ...]:
    leads = {name: frozenset(found) for name, found in _graph(codebase, part)}
    for first in sorted(leads):
        for second in sorted(leads[first] & leads.keys()):
            if second != first and first in leads[second]:
                return first, second
    return ()


def _graph(codebase: Codebase, part: str) -> Iterator[tuple[str, set[str]]]:
    near = [outline for outline in having(codebase, _has_types) if outline.path.startswith(part)]
    found = [(outline, each) for outline in near for each in outline.module.classes if _is_type(outline, each)]
    for outline, owner in found[:MAX_TYPES]:
        yield owner.name, set(_named(outline, owner))


@trait("types of GraphQL")
def _has_types(outline: Outline) -> bool:
    return any(_is_type(outline, each) for each in outline.module.classes)


def _is_type(outline: Outline, owner: Class) -> bool:
    marks = [each.value.callee if isinstance(each.value, Call) else each.value for each in owner.decorators]
    return any(outline.dotted(each) in (*_TYPES, *_BASES) for each in (*marks, *owner.bases))


def _named(outline: Outline, owner: Class) -> Iterator[str]:
    """Names in the declarations of fields: `graphene.List(lambda: Order)`, `orders: list["Order"]`, what a method returns."""
    for part in owner.body:
        declared: list[Expr | None] = [part.value, part.annotation] if isinstance(part, Assign) else []
        yield from _spoken(declared)
    for method in outline.methods(owner).values():
        yield from _spoken([method.returns])


def _spoken(declared: list[Expr | None]) -> Iterator[str]:
    for node in walk(*(each for each in declared if each is not None)):
        if isinstance(node, Name):
            yield node.id
        elif (text := text_of(node)) is not None:
            yield text


def limits_questions(codebase: Codebase) -> bool:
    """Whether anything in the project speaks of how deep or costly a question may be."""
    return anywhere(codebase, _limits_questions)


@trait("limits of GraphQL")
def _limits_questions(outline: Outline) -> bool:
    names = (*outline.module.imports.values(), *outline.functions, *outline.classes)
    spoken = (set(words(name.rpartition(".")[2])) for name in names)
    return any(each & _LIMITING and each & _LIMITED for each in spoken)
