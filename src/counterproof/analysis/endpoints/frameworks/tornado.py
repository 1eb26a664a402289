"""Tornado: handler lists of an `Application`, however they are passed, and the `RequestHandler` methods behind them."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, Handler, entry
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.denial import checks_in, hook_verdict
from counterproof.analysis.endpoints.verdict import Verdict, strongest
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import kin, names_of
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import laid_out, told, trait
from counterproof.analysis.program.traversal import positional, text_of
from counterproof.analysis.syntax.ir import Call, Class, Expr, Function, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

_ROUTES = ("tornado.web.url", "tornado.web.URLSpec", "tornado.routing.URLSpec")
_HANDLERS = ("tornado.web.RequestHandler", "tornado.websocket.WebSocketHandler", "tornado.web.StaticFileHandler")


class _Application:
    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase

    def entries(self) -> Iterator[EntryPoint]:
        """Every pair of a pattern and a handler class is a route, wherever it is: such lists are built in many ways."""
        handlers = kin(self.codebase, _HANDLERS)
        paired = (path for path, names in told(self.codebase, _paired).items() if not handlers.isdisjoint(names))
        for outline in laid_out(self.codebase, paired):
            for site in outline.of(Sequence):
                if site.node.kind == "tuple" and len(site.node.items) >= 2:
                    yield from self._route(outline, site.node.items[0], site.node.items[1], site.function)
            for call in outline.of(Call):
                if self.codebase.name(outline, call.node.callee) in _ROUTES:
                    pattern, handler = positional(call.node, 0), positional(call.node, 1)
                    if pattern is not None and handler is not None:
                        yield from self._route(outline, pattern, handler, call.function)

    def _route(self, outline: Outline, pattern: Expr, handler: Expr, function: Function | None) -> Iterator[EntryPoint]:
        path = text_of(pattern)
        if path is None:
            return
        found = self.codebase.meaning(outline, handler, function)
        if not found or not isinstance(found.node, Class):
            return
        foreign = self.codebase.ancestry(found).foreign
        if not any(name in _HANDLERS for name in foreign):
            return
        socket = "tornado.websocket.WebSocketHandler" in foreign
        names = {"open": "CONNECT", "on_message": "MESSAGE"} if socket else {verb: verb.upper() for verb in VERBS}
        for name, method in names.items():
            defined = self.codebase.method(found, name)
            if defined:
                kind = EntryKind.WEBSOCKET if socket else EntryKind.HTTP
                handler_found = Handler(*defined, defined[1].qualified)
                yield entry(kind, method, path, handler_found, "Tornado", self._guards(found, *defined))

    def _guards(self, found: Definition, outline: Outline, function: Function) -> Verdict:
        prepare = self.codebase.method(found, "prepare")
        before = [hook_verdict(self.codebase, *prepare)] if prepare else []
        own = [decorator_verdict(self.codebase, outline, function), checks_in(self.codebase, outline, function)]
        return strongest((*own, *before))


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


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("Tornado", ("tornado",), ("tornado",), _find)
