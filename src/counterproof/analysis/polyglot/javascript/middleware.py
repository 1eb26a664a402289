"""The verdict on middleware of Express, Koa and Fastify: from its code in the project, else by its name."""

from dataclasses import replace

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.libraries import names
from counterproof.analysis.polyglot.chains import chain_at, is_call, plain_name
from counterproof.analysis.polyglot.corpus import SCRIPTS, Place
from counterproof.analysis.polyglot.entered import Where
from counterproof.analysis.polyglot.guards import as_written, by_code, by_name, handler_verdict, promises
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.literals import items
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.model.recon import KNOWS_CALLER, Guard, WrittenGuard
from counterproof.model.survey import Language

MAX_DEPTH = 6
_SILENT = ("session", "initialize", "static", "json", "urlencoded", "text", "raw", "logout")
MAX_WRAPPED = 8
_GUARD_LIKE = ("identifier", "member_expression", "call_expression", "array")
_PASSED_ON = ("app", "passport", *names("route", "router-package", Language.JAVASCRIPT))


def middleware_verdict(modules: Modules, source: Source, node: Node | None, depth: int = 0) -> Verdict:
    """The verdict on one middleware, or a list of them."""
    node = unwrapped(node)
    if node is None or depth > MAX_DEPTH:
        return OPEN
    if node.type == "array":
        return strongest(middleware_verdict(modules, source, each, depth + 1) for each in items(node))
    if node.type in FUNCTIONS:
        place = modules.place(source, node)
        return by_code(source, node, "", place, modules.called) if place else OPEN
    name = plain_name(source, node)
    last = name.rpartition(".")[2]
    silent = last in _SILENT and name.partition(".")[0] in (*_PASSED_ON, last)
    if silent or (is_call(node) and "credentialsRequired: false" in source.text(node)):
        return OPEN
    loaded = _loaded(modules, source, node) if name == "require" else None
    if loaded is not None:
        found = middleware_verdict(modules, *loaded, depth + 1)
        return replace(found, written=tuple(_named_here(source, node, each) for each in found.written))
    callee = _callee(node)
    place = modules.place(source, callee)
    own = by_code(source, node, name, place, modules.called) if place is not None else OPEN
    if own.guard is Guard.PRESENT or any(each.asks in KNOWS_CALLER for each in own.written):
        return own  # its arguments contain the requirement
    inside = _wrapped(modules, source, node, depth)
    if place is not None:
        return strongest((own, *inside))
    return strongest(inside) if inside else _foreign(modules, source, node, name, depth)


def _foreign(modules: Modules, source: Source, node: Node, name: str, depth: int) -> Verdict:
    """The verdict on middleware that is not a project function: a list, the result of a call, or external code."""
    found = modules.meaning(source, _callee(node))
    if found is not None and found.parameter is not None and not is_call(node):
        given = [middleware_verdict(modules, *each, depth + 1) for each in _given(modules, found.source, *found.parameter)]
        if given and all(each.written and each.written[0].asks is given[0].written[0].asks for each in given):
            return replace(given[0], written=tuple(_named_here(source, node, each) for each in given[0].written))
    if found is not None and found.node is not None and not is_call(node) and found.node.type == "array":
        return middleware_verdict(modules, found.source, found.node, depth + 1)
    if found is not None and found.node is not None and is_call(found.node) and not is_call(node):
        inner = middleware_verdict(modules, found.source, found.node, depth + 1)
        return inner if inner.guard is Guard.PRESENT or inner is OPEN else by_name(source, node, name)
    foreign = found.foreign if found else ""
    return by_name(source, node, f"{name} of {foreign}" if foreign and foreign != name else name)


def _given(modules: Modules, source: Source, function: Function, parameter: str) -> list[tuple[Source, Node]]:
    """The arguments that callers of a function pass for a parameter: `createRoutes(controller, verifyJWT)`."""

    def found() -> list[tuple[Source, Node]]:
        place = function.parameters.index(parameter)
        calling = [each for each in modules.corpus.sources(*SCRIPTS) if function.name and function.name.encode() in each.data]
        calls = [(each, call) for each in calling for call in each.calls if function.name in each.text(_callee(call), 120)]
        ours = [(each, call) for each, call in calls if (at := modules.called(each, call)) and at.function.node == function.node]
        passed = [(each, call.child_by_field_name("arguments")) for each, call in ours]
        return [(each, given.named_children[place]) for each, given in passed if given and len(given.named_children) > place]

    return modules.corpus.remembered(("given", source.path, function.start, parameter), found)


def _wrapped(modules: Modules, source: Source, node: Node, depth: int) -> tuple[Verdict, ...]:
    """Guards passed to a wrapper, as in `asyncHandler(auth.jwt)`. Other arguments are options, unrelated to callers."""
    arguments = node.child_by_field_name("arguments") if is_call(node) else None
    given = arguments.named_children[:MAX_WRAPPED] if arguments is not None else ()
    looked_at = (each for each in given if each.type in (*_GUARD_LIKE, *FUNCTIONS) and not _is_object(modules, source, each))
    found = ((each, middleware_verdict(modules, source, each, depth + 1)) for each in looked_at)
    return tuple(verdict for each, verdict in found if _counts(source, each, verdict))


def _is_object(modules: Modules, source: Source, given: Node) -> bool:
    """Return True for an argument that is an object of the project, such as the schema that `validate(schema)` is given."""
    found = modules.meaning(source, given)
    return found is not None and found.node is not None and found.node.type == "object"


def _counts(source: Source, given: Node, verdict: Verdict) -> bool:
    """Return True if a wrapper's argument is a guard: it rejects, or checks the caller."""
    if verdict.guard is not Guard.UNKNOWN:
        return verdict.guard is Guard.PRESENT
    understood = any(each.asks in KNOWS_CALLER for each in verdict.written)
    return understood if given.type in FUNCTIONS else promises(plain_name(source, given))


def _named_here(source: Source, node: Node, written: WrittenGuard) -> WrittenGuard:
    """A guard of another file as written where it is registered."""
    here = as_written(source, node)
    return replace(written, at=here.at, text=here.text)


def _loaded(modules: Modules, source: Source, node: Node) -> tuple[Source, Node] | None:
    """The export of another file, if `require("./x")` itself is the middleware."""
    found = modules.meaning(source, node) if is_call(node) else None
    return (found.source, found.node) if found is not None and found.node is not None and found.node is not node else None


def _callee(node: Node) -> Node:
    if node.type in ("call_expression", "new_expression"):
        return node.child_by_field_name("function") or node.child_by_field_name("constructor") or node
    return node


def handler_of(modules: Modules, source: Source, node: Node, depth: int = 0) -> tuple[Where, Verdict]:
    """A handler and its own guard; wrappers such as `asyncHandler(fn)` are resolved."""
    inner = unwrapped(node)
    place = modules.place(source, inner)
    if place is not None:
        return _placed(source, inner, place)
    chain = chain_at(source, inner)
    if chain is not None and depth < MAX_DEPTH:
        for argument in reversed(chain.links[-1].arguments):
            named = argument.type in (*FUNCTIONS, "identifier", "member_expression") and modules.place(source, argument)
            if named or (is_call(argument) and modules.called(source, argument)):
                return handler_of(modules, source, argument, depth + 1)
        returned = modules.place(source, chain.links[-1].node.child_by_field_name("function"))
        if returned is not None:
            return _placed(source, inner, returned)
        if chain.links[-1].name == "bind" and chain.base is not None:
            return handler_of(modules, source, chain.base, depth + 1)
    return (source, line_of(node), plain_name(source, node) or "<expression>"), OPEN


def _placed(source: Source, node: Node | None, place: Place) -> tuple[Where, Verdict]:
    name = place.function.qualified if place.function.name else plain_name(source, node)
    return (place.source, place.function.line, name or "<anonymous>"), handler_verdict(place)
