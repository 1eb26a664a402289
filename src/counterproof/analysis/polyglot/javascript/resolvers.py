"""GraphQL in JavaScript: resolvers by type and field, root values, and types built in code.

Invariant: only in programs that load a GraphQL package; a resolver's guard is read from its code, because the server itself
admits everyone. Not handled here: classes with decorators.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.understanding import Asked
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.libraries import names
from counterproof.analysis.polyglot.chains import chain_at, is_call, plain_name
from counterproof.analysis.polyglot.corpus import SCRIPTS, Place
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.guards import as_written, by_name
from counterproof.analysis.polyglot.javascript.middleware import handler_of, middleware_verdict
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import entries, entry, known_text
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import Asks, EntryKind, EntryPoint, Guard, GuardKind
from counterproof.model.survey import Language

RESOLVER, ROOT_VALUE = "GraphQL", "GraphQL root"
"""The calling conventions: parent followed by arguments, or arguments only."""
_PACKAGES = names("domain", "graphql", Language.JAVASCRIPT)
_TYPES = {"Query": "QUERY", "Mutation": "MUTATION", "Subscription": "SUBSCRIPTION"}
_MAX_FIELDS = 2_000
_MAX_STATEMENTS = 5
_MAX_DEPTH = 4
"""Objects spread into objects."""
_NOBODY = re.compile(
    r"!\s?\(?\w{1,40}\??\.(?:req\??\.)?(?:user|userId|currentUser|me|viewer|session|auth|isAuth|account|token)\w{0,20}"
)
_CALLER = re.compile(r"\b(?:ctx|context|user|req|session|viewer|\w{1,40}Context)\b")
_AROUND_CALLS = frozenset(
    ("expression_statement", "await_expression", "return_statement", "lexical_declaration", "parenthesized_expression")
)
_THROWS = re.compile(r"\b(?:throw|reject)\b")


def graphql_entries(modules: Modules) -> Iterator[EntryPoint]:
    sources = list(modules.corpus.sources(*SCRIPTS))
    if not any(name.startswith(_PACKAGES) for each in sources if _may_be(each) for name in modules.packages(each)):
        return
    seen: set[tuple[str, str]] = set()
    for source in sources:
        for found in (*_maps(modules, source), *_roots(modules, source), *_coded(modules, source)):
            key = (str(found.handler), found.path)
            if key not in seen:
                seen.add(key)
                yield found


def _may_be(source: Source) -> bool:
    return b"graphql" in source.data or b"apollo" in source.data


def _maps(modules: Modules, source: Source) -> Iterator[EntryPoint]:
    """`{ Query: { user(parent, args) {…} } }`, in any place, with parts from any file."""
    for node in _objects(modules, source):
        for name, kind in _TYPES.items():
            value = entry(source, node, name)
            found = modules.meaning(source, value) if value is not None else None
            if found is not None and found.node is not None and found.node.type == "object":
                yield from _fields(modules, found.source, found.node, kind, RESOLVER)


def _objects(modules: Modules, source: Source) -> Iterator[Node]:
    given = (argument for chain in modules.corpus.chains(source) for link in chain.links for argument in link.arguments)
    candidates = [*(each.value for each in source.assignments), *given, *modules.exports(source).nodes.values()]
    for node in candidates:
        node = unwrapped(node)
        if node is None or node.type != "object":
            continue
        yield node
        inner = unwrapped(entry(source, node, "resolvers"))
        if inner is not None and inner.type == "object":
            yield inner


def _fields(modules: Modules, source: Source, node: Node, kind: str, called: str, depth: int = 0) -> Iterator[EntryPoint]:
    for spread in (each.named_children[0] for each in node.named_children if each.type == "spread_element"):
        found = modules.meaning(source, spread) if depth < _MAX_DEPTH else None
        if found is not None and found.node is not None and found.node.type == "object":
            yield from _fields(modules, found.source, found.node, kind, called, depth + 1)
    for name, value in list(entries(source, node))[:_MAX_FIELDS]:
        handler = unwrapped(value)
        if handler is not None and handler.type == "object":
            handler = entry(source, handler, "resolve") or entry(source, handler, "subscribe")
        if handler is not None and _is_function(modules, source, handler):
            yield _entry(modules, source, handler, kind, name, called)


def _is_function(modules: Modules, source: Source, node: Node) -> bool:
    return node.type in (*FUNCTIONS, "call_expression") or modules.place(source, node) is not None


def _roots(modules: Modules, source: Source) -> Iterator[EntryPoint]:
    """`graphqlHTTP({ schema, rootValue: { user({ id }) {…} } })`."""
    for chain in modules.corpus.chains(source):
        for link in chain.links:
            value = entry(source, link.arguments[0], "rootValue") if link.arguments else None
            found = modules.meaning(source, value) if value is not None else None
            if found is not None and found.node is not None and found.node.type == "object":
                yield from _fields(modules, found.source, found.node, "QUERY", ROOT_VALUE)


def _coded(modules: Modules, source: Source) -> Iterator[EntryPoint]:
    """`new GraphQLObjectType({ name: "Query", fields: { user: { resolve(parent, args) {…} } } })`."""
    for chain in modules.corpus.chains(source):
        link = chain.links[-1]
        if link.name == "GraphQLObjectType" and link.arguments:
            name = known_text(source, entry(source, link.arguments[0], "name")) or ""
            fields = _returned(unwrapped(entry(source, link.arguments[0], "fields")))
            kind = "MUTATION" if "mutation" in name.lower() else "QUERY"
            if fields is not None and fields.type == "object":
                yield from _fields(modules, source, fields, kind, RESOLVER)


def _returned(node: Node | None) -> Node | None:
    """The object in `() => ({ … })`."""
    return unwrapped(node.child_by_field_name("body")) if node is not None and node.type == "arrow_function" else node


def _entry(modules: Modules, source: Source, handler: Node, kind: str, name: str, called: str) -> EntryPoint:
    where, own = handler_of(modules, source, handler)
    verdict = strongest((own, _wrapped(modules, source, handler), _asks_context(modules, source, handler)))
    network = EntryKind.WEBSOCKET if kind == "SUBSCRIPTION" else EntryKind.HTTP
    return entered(network, kind, f"/graphql#{name}", where, verdict, called)


def _wrapped(modules: Modules, source: Source, handler: Node) -> Verdict:
    """`signedIn(resolver)` and `combineResolvers(signedIn, resolver)`."""
    chain = chain_at(source, unwrapped(handler))
    if chain is None:
        return OPEN
    before = (middleware_verdict(modules, source, each) for each in chain.links[-1].arguments[:-1])
    return strongest((by_name(source, handler, plain_name(source, handler)), *before))


def _asks_context(modules: Modules, source: Source, handler: Node) -> Verdict:
    """`if (!context.user) throw …` among the first statements."""
    place = modules.place(source, handler)
    return _asked(modules, place, 0) if place is not None else OPEN


def _asked(modules: Modules, place: Place, depth: int) -> Verdict:
    """The check among a function's first statements, or in a function that one of them calls; unknown if one of them hands the
    caller to code in which no check was found."""
    body = place.function.node.child_by_field_name("body")
    if body is None:
        return OPEN
    handed = OPEN
    for each in body.named_children[:_MAX_STATEMENTS] if body.type == "statement_block" else [body]:
        test, then = each.child_by_field_name("condition"), each.child_by_field_name("consequence")
        if (
            each.type == "if_statement"
            and _NOBODY.search(place.source.text(test, 300))
            and _THROWS.search(place.source.text(then, 300))
        ):
            found = present(place.source.path, line_of(each), "", "refuses callers who are not signed in", GuardKind.CHECK)
            return found.understood(as_written(place.source, each, Asked(Asks.IDENTITY)))
        call = _call_of(each) if depth < _MAX_DEPTH else None
        if call is None or not _CALLER.search(place.source.text(call.child_by_field_name("arguments"), 300)):
            continue
        target = modules.called(place.source, call)
        found = _asked(modules, target, depth + 1) if target is not None else OPEN
        if found.guard is Guard.PRESENT:
            return found
        name = plain_name(place.source, call.child_by_field_name("function"))
        handed = unknown(place.source.path, line_of(call), f"{name} gets the caller and was not understood", name)
    return handed


def _call_of(statement: Node) -> Node | None:
    """The call of `f(x);`, `await f(x)`, `const y = await f(x)` and `return f(x)`."""
    node: Node | None = statement
    for _ in range(_MAX_STATEMENTS):
        if node is None or is_call(node):
            return node
        if node.type == "variable_declarator":
            node = node.child_by_field_name("value")
        elif node.type in _AROUND_CALLS and node.named_children:
            node = node.named_children[0]
        else:
            return None
    return None
