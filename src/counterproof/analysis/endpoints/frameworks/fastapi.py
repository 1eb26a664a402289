"""FastAPI and Starlette: routers with prefixes, dependencies as guards at every level, WebSockets, `Route` and `Mount` lists."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, Handler, entry, handler_of, joined, route_text
from counterproof.analysis.endpoints.dependencies import Dependencies
from counterproof.analysis.endpoints.middleware import middleware_verdict
from counterproof.analysis.endpoints.routed import BY_VERB, Routed, handled, listed_methods, method_calls, own_guards
from counterproof.analysis.endpoints.routers import Router
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import Verdict, strongest
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function, Name, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

APPLICATIONS = ("fastapi.FastAPI", "starlette.applications.Starlette")
ROUTERS = ("fastapi.APIRouter", "starlette.routing.Router")
_ROUTE_NAMES = (*VERBS, "api_route", "route", "websocket", "websocket_route")
MAX_NESTING = 6


class _Application(Routed):
    empty = "/"

    def __init__(self, codebase: Codebase) -> None:
        super().__init__(codebase, "FastAPI", APPLICATIONS, ROUTERS)
        self.dependencies = Dependencies(codebase)
        for router in self.routers.every():
            self.routers.prefixes[id(router.call)] = text_of(keyword(router.call, "prefix")) or ""
            given = self.dependencies.listed(router.outline, keyword(router.call, "dependencies"))
            listed = keyword(router.call, "middleware")
            around = [self._middleware(router.outline, each) for each in listed.items] if isinstance(listed, Sequence) else []
            self.routers.hooks.extend((router, verdict) for verdict in (*given, *around))
        for outline in mentioning(codebase, ("include_router", "mount", "add_middleware"), ("middleware",)):
            self._wire(outline)

    def _middleware(self, outline: Outline, value: Expr) -> Verdict:
        first = positional(value, 0) if isinstance(value, Call) else value
        return middleware_verdict(self.codebase, outline, first or value, None)

    def _wire(self, outline: Outline) -> None:
        for site in every_call(outline):
            if isinstance(site.node.callee, Attribute):
                self._wire_call(outline, site, site.node.callee)
        for function, _, callee in method_calls(outline, ("middleware",)):
            router = self.around(outline, callee.value, function)
            if router:
                self.routers.hooks.append((router, middleware_verdict(self.codebase, outline, None, function)))

    def _wire_call(self, outline: Outline, site: Site[Call], callee: Attribute) -> None:
        call = site.node
        first = call.arguments[0].value if call.arguments else None
        if first is None or callee.name not in ("include_router", "mount", "add_middleware"):
            return
        parent = self.at(outline, callee.value, site)
        if callee.name == "include_router":
            guards = strongest(self.dependencies.listed(outline, keyword(call, "dependencies")))
            self.mount(parent, self.at(outline, first, site), text_of(keyword(call, "prefix")), guards)
        elif callee.name == "mount" and parent:
            self.mount(parent, self.at(outline, argument(call, 1, "app"), site), text_of(argument(call, 0, "path")))
        elif callee.name == "add_middleware" and parent:
            self.routers.hooks.append((parent, middleware_verdict(self.codebase, outline, first, None)))

    # --- routes ----------------------------------------------------------------------------------------------------

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, ("add_api_route", "add_route"), _ROUTE_NAMES):
            for function, call, callee in method_calls(outline, _ROUTE_NAMES):
                yield from self._decorated(outline, function, call, callee)
            for site in every_call(outline):
                if isinstance(site.node.callee, Attribute) and site.node.callee.name in ("add_api_route", "add_route"):
                    yield from self._added(outline, site, site.node.callee)
        for router in self.routers.every():
            given = (each.value for each in router.call.arguments if not each.keyword)
            routes = keyword(router.call, "routes") or next((each for each in given if isinstance(each, Sequence)), None)
            if routes is not None:
                for placement in self.routers.placements(router):
                    yield from self._listed(router.outline, routes, placement.prefix, placement.verdicts, 0)

    def _decorated(self, outline: Outline, function: Function, call: Call, callee: Attribute) -> Iterator[EntryPoint]:
        router = self.around(outline, callee.value, function)
        path = route_text(self.codebase, outline, argument(call, 0, "path"), outline.functions.get(function.within))
        if path is None or (router is None and not self._is_from_elsewhere(outline, callee.value, path)):
            return
        guards = self.dependencies.listed(outline, keyword(call, "dependencies"))
        verdict = strongest((*guards, self._guards(outline, function)))
        yield from self._shown(router, callee.name, call, path, handled(outline, function), verdict)

    def _is_from_elsewhere(self, outline: Outline, expr: Expr, path: str) -> bool:
        """`from .core import app`, where that file is missing: routes of a module that uses the framework."""
        imported = isinstance(expr, Name) and expr.id in outline.module.imports and path[:1] == "/"
        uses = any(name.partition(".")[0] in ("fastapi", "starlette") for name in outline.module.imports.values())
        return imported and uses and self.codebase.meaning(outline, expr) is None

    def _added(self, outline: Outline, site: Site[Call], callee: Attribute) -> Iterator[EntryPoint]:
        router = self.at(outline, callee.value, site)
        path, endpoint = text_of(argument(site.node, 0, "path")), argument(site.node, 1, "endpoint")
        if router is None or path is None or endpoint is None:
            return
        found = self.codebase.meaning(outline, endpoint, site.function)
        verdicts = list(self.dependencies.listed(outline, keyword(site.node, "dependencies")))
        if found and isinstance(found.node, Function):
            verdicts.append(self._guards(found.outline, found.node))
        handler = handler_of(found, outline, endpoint)
        yield from self._shown(router, "api_route", site.node, path, handler, strongest(verdicts))

    def _guards(self, outline: Outline, function: Function) -> Verdict:
        owner = outline.classes.get(function.owner)
        shared = self.dependencies.of_class(Definition(outline, owner)) if owner else ()  # as of fastapi-utils' `cbv`
        return strongest(
            (*self.dependencies.of_function(outline, function), *shared, own_guards(self.codebase, outline, function))
        )

    def _shown(
        self, router: Router | None, verb: str, call: Call, path: str, handler: Handler, own: Verdict
    ) -> Iterator[EntryPoint]:
        kind = EntryKind.WEBSOCKET if verb.startswith("websocket") else EntryKind.HTTP
        method = "CONNECT" if kind is EntryKind.WEBSOCKET else verb.upper() if verb in VERBS else _methods(call)
        yield from self.placed(router, method, path, handler, own, kind)

    # --- Starlette's lists -------------------------------------------------------------------------------------------

    def _listed(self, outline: Outline, value: Expr, prefix: str, above: tuple[Verdict, ...], depth: int) -> Iterator[EntryPoint]:
        if not isinstance(value, Sequence | Call):
            found = self.codebase.meaning(outline, value)
            if not found or not isinstance(found.node, Sequence):
                return
            outline, value = found.outline, found.node
        if depth > MAX_NESTING or not isinstance(value, Sequence):
            return
        for each in value.items:
            if isinstance(each, Call):
                yield from self._route(outline, each, prefix, above, depth)

    def _route(self, outline: Outline, call: Call, prefix: str, above: tuple[Verdict, ...], depth: int) -> Iterator[EntryPoint]:
        name = outline.dotted(call.callee).rpartition(".")[2]
        path = joined(prefix, text_of(argument(call, 0, "path")) or "") if prefix else text_of(argument(call, 0, "path")) or "/"
        if name == "Mount":
            inner = keyword(call, "routes")
            if inner is not None:
                yield from self._listed(outline, inner, path, above, depth + 1)
            return
        endpoint = argument(call, 1, "endpoint")
        if name not in ("Route", "WebSocketRoute") or endpoint is None:
            return
        kind = EntryKind.WEBSOCKET if name == "WebSocketRoute" else EntryKind.HTTP
        found = self.codebase.meaning(outline, endpoint)
        if found and isinstance(found.node, Class):
            yield from self._endpoint_class(found, kind, path, above)
            return
        verdicts = (
            [*above, self._guards(found.outline, found.node)] if found and isinstance(found.node, Function) else list(above)
        )
        method = "CONNECT" if kind is EntryKind.WEBSOCKET else _methods(call)
        yield entry(kind, method, path, handler_of(found, outline, endpoint), "Starlette", strongest(verdicts))

    def _endpoint_class(self, found: Definition, kind: EntryKind, path: str, above: tuple[Verdict, ...]) -> Iterator[EntryPoint]:
        for name, method in (BY_VERB | {"on_connect": "MESSAGE", "on_receive": "MESSAGE"}).items():
            defined = self.codebase.method(found, name)
            if defined:
                yield entry(kind, method, path, handled(*defined), "Starlette", strongest((*above, self._guards(*defined))))


def _methods(call: Call) -> str:
    return listed_methods(keyword(call, "methods"))


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("FastAPI", ("fastapi", "starlette"), ("fastapi", "starlette"), _find)
