"""Tornado: handler lists of an `Application`, however they are passed, and the `RequestHandler` methods behind them."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, entry
from counterproof.analysis.endpoints.denial import hook_verdict
from counterproof.analysis.endpoints.routed import BY_VERB, by_name
from counterproof.analysis.endpoints.verdict import strongest
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import kin, names_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import laid_out, told, trait
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.syntax.ir import Call, Class, Expr, Function, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

_SOCKET = {"open": "CONNECT", "on_message": "MESSAGE"}
_ROUTES = ("tornado.web.url", "tornado.web.URLSpec", "tornado.routing.URLSpec")
_HANDLERS = ("tornado.web.RequestHandler", "tornado.websocket.WebSocketHandler", "tornado.web.StaticFileHandler")


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    """Every pair of a pattern and a handler class is a route, wherever it is: such lists are built in many ways."""
    handlers = kin(codebase, _HANDLERS)
    paired = (path for path, names in told(codebase, _paired).items() if not handlers.isdisjoint(names))
    for outline in laid_out(codebase, paired):
        for site in outline.of(Sequence):
            if site.node.kind == "tuple" and len(site.node.items) >= 2:
                yield from _route(codebase, outline, site.node.items[0], site.node.items[1], site.function)
        for call in outline.of(Call):
            if codebase.name(outline, call.node.callee) in _ROUTES:
                pattern, handler = positional(call.node, 0), positional(call.node, 1)
                if pattern is not None and handler is not None:
                    yield from _route(codebase, outline, pattern, handler, call.function)


def _route(codebase: Codebase, outline: Outline, pattern: Expr, handler: Expr, function: Function | None) -> Iterator[EntryPoint]:
    path = text_of(pattern)
    if path is None:
        return
    found = codebase.meaning(outline, handler, function)
    if not found or not isinstance(found.node, Class):
        return
    foreign = codebase.ancestry(found).foreign
    if not any(name in _HANDLERS for name in foreign):
        return
    socket = "tornado.websocket.WebSocketHandler" in foreign
    kind = EntryKind.WEBSOCKET if socket else EntryKind.HTTP
    prepare = codebase.method(found, "prepare")
    before = [hook_verdict(codebase, *prepare)] if prepare else []
    for view, method, own in by_name(codebase, found, _SOCKET if socket else BY_VERB):
        yield entry(kind, method, path, view, "Tornado", strongest((own, *before)))


@trait("texts paired with names")
def _paired(outline: Outline) -> list[str]:
    """Names next to a string in a tuple or route, at the position of a handler."""
    pairs = [site.node.items[:2] for site in outline.of(Sequence) if site.node.kind == "tuple" and len(site.node.items) >= 2]
    routes = (site.node for site in outline.of(Call) if outline.dotted(site.node.callee) in _ROUTES)
    given = [(positional(each, 0), positional(each, 1)) for each in routes]
    named = (
        second for first, second in (*pairs, *given) if first is not None and text_of(first) is not None and second is not None
    )
    return sorted({name for each in named for name in names_of(outline, each)})


CONVENTION = Convention("Tornado", ("tornado",), ("tornado",), _find)
