"""What Go middleware says about callers, and which function a handler expression means."""

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.polyglot.chains import chain_at, dotted, is_call
from counterproof.analysis.polyglot.golang.packages import Packages
from counterproof.analysis.polyglot.guards import by_code, by_name, handler_verdict
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.source import Source

MAX_DEPTH = 6
_STANDARD = ("net/http", "log", "time", "context", "github.com/gorilla/handlers")


def plain_name(source: Source, node: Node | None) -> str:
    node = unwrapped(node)
    chain = chain_at(source, node)
    if chain is not None:
        return ".".join(part for part in (chain.root, *(link.name for link in chain.links)) if part)
    return "inline function" if node is not None and node.type == "func_literal" else dotted(source, node)


def middleware_verdict(packages: Packages, source: Source, node: Node | None, depth: int = 0) -> Verdict:
    node = unwrapped(node)
    if node is None or depth > MAX_DEPTH:
        return OPEN
    name = plain_name(source, node)
    callee = node.child_by_field_name("function") if is_call(node) else node
    place = packages.place(source, callee)
    if place is not None:
        return by_code(source, node, "" if node.type == "func_literal" else name, place, packages.called)
    if node.type == "identifier":
        value = source.value_of(name, node.start_byte)
        if value is not None and value.id != node.id:
            return middleware_verdict(packages, source, value, depth + 1)
    package = packages.imports(source).get(name.partition(".")[0], "")
    if package in _STANDARD:
        return OPEN
    return by_name(source, node, name)


def handler_of(packages: Packages, source: Source, node: Node, depth: int = 0) -> tuple[Source, int, str, Verdict]:
    """File, line, name and guard of a handler; what wraps it counts as middleware."""
    inner = unwrapped(node) or node
    place = packages.place(source, inner)
    if place is not None:
        name = place.function.qualified if place.function.name else "<anonymous>"
        return place.source, place.function.line, name, handler_verdict(place)
    chain = chain_at(source, inner)
    if chain is not None and depth < MAX_DEPTH:
        for argument in reversed(chain.links[-1].arguments):
            if packages.place(source, argument) or is_call(argument):
                found = handler_of(packages, source, argument, depth + 1)
                wrapper = middleware_verdict(packages, source, inner)
                return found[0], found[1], found[2], strongest((wrapper, found[3]))
        returned = packages.called(source, inner)
        if returned is not None:
            return returned.source, returned.function.line, returned.function.qualified, handler_verdict(returned)
    return source, line_of(node), plain_name(source, node) or "<expression>", OPEN
