"""Go middleware as written, and resolving handler expressions to functions."""

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.polyglot.chains import chain_at, dotted, is_call
from counterproof.analysis.polyglot.golang.packages import Packages
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.source import Source

MAX_DEPTH = 6


def plain_name(source: Source, node: Node | None) -> str:
    node = unwrapped(node)
    chain = chain_at(source, node)
    if chain is not None:
        return ".".join(part for part in (chain.root, *(link.name for link in chain.links)) if part)
    return "inline function" if node is not None and node.type == "func_literal" else dotted(source, node)


def middleware_verdict(source: Source, node: Node | None) -> Verdict:
    node = unwrapped(node)
    return as_written(source.path, line_of(node), plain_name(source, node)) if node is not None else OPEN


def handler_of(packages: Packages, source: Source, node: Node, depth: int = 0) -> tuple[Source, int, str, Verdict]:
    """File, line, name and guard of a handler; its wrappers are middleware."""
    inner = unwrapped(node) or node
    place = packages.place(source, inner)
    if place is not None:
        name = place.function.qualified if place.function.name else "<anonymous>"
        return place.source, place.function.line, name, OPEN
    chain = chain_at(source, inner)
    if chain is not None and depth < MAX_DEPTH:
        for argument in reversed(chain.links[-1].arguments):
            if packages.place(source, argument) or is_call(argument):
                found = handler_of(packages, source, argument, depth + 1)
                wrapper = middleware_verdict(source, inner)
                return found[0], found[1], found[2], strongest((wrapper, found[3]))
        returned = packages.called(source, inner)
        if returned is not None:
            return returned.source, returned.function.line, returned.function.qualified, OPEN
    return source, line_of(node), plain_name(source, node) or "<expression>", OPEN
