"""FastAPI and Starlette: routers with prefixes, dependencies as guards at every level, WebSockets, `Route` and `Mount` lists."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, Handler, entry, handler_of, joined, route_text
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.denial import checks_in
from counterproof.analysis.endpoints.dependencies import Dependencies
from counterproof.analysis.endpoints.middleware import middleware_verdict
from counterproof.analysis.endpoints.routers import Mount, Router, Routers
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import Verdict, strongest
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Decorator, Expr, Function, Name, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

APPLICATIONS = ("fastapi.FastAPI", "starlette.applications.Starlette")
ROUTERS = ("fastapi.APIRouter", "starlette.routing.Router")
_ROUTE_NAMES = (*VERBS, "api_route", "route", "websocket", "websocket_route")
MAX_NESTING = 6


class _Application:
    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self.dependencies = Dependencies(codebase)
        self.routers = Routers(codebase, APPLICATIONS, ROUTERS)
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
        for function in outline.module.functions:
            for decorator in function.decorators:
                value = decorator.value
                if isinstance(value, Call) and isinstance(value.callee, Attribute) and value.callee.name == "middleware":
                    router = self.routers.find(outline, value.callee.value, outline.functions.get(function.within))
                    if router:
                        verdict = middleware_verdict(self.codebase, outline, None, function)
                        self.routers.hooks.append((router, verdict))

    def _wire_call(self, outline: Outline, site: Site[Call], callee: Attribute) -> None:
        if callee.name == "include_router" and site.node.arguments:
            child = self.routers.find(outline, site.node.arguments[0].value, site.function, site.owner)
            if child:
                parent = self.routers.find(outline, callee.value, site.function, site.owner)
                guards = strongest(self.dependencies.listed(outline, keyword(site.node, "dependencies")))
                self.routers.mounts.append(Mount(parent, child, text_of(keyword(site.node, "prefix")) or "", guards))
        elif callee.name == "mount" and len(site.node.arguments) >= 2:
            app = argument(site.node, 1, "app")
            child = self.routers.find(outline, app, site.function, site.owner) if app else None
            parent = self.routers.find(outline, callee.value, site.function, site.owner)
            if child and parent:
                self.routers.mounts.append(Mount(parent, child, text_of(argument(site.node, 0, "path")) or ""))
        elif callee.name == "add_middleware" and site.node.arguments:
            router = self.routers.find(outline, callee.value, site.function, site.owner)
            if router:
                self.routers.hooks.append(
                    (router, middleware_verdict(self.codebase, outline, site.node.arguments[0].value, None))
                )

    # --- routes ----------------------------------------------------------------------------------------------------

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, ("add_api_route", "add_route"), _ROUTE_NAMES):
            for function in outline.module.functions:
                for decorator in function.decorators:
                    yield from self._decorated(outline, function, decorator)
            for site in every_call(outline):
                if isinstance(site.node.callee, Attribute) and site.node.callee.name in ("add_api_route", "add_route"):
                    yield from self._added(outline, site, site.node.callee)
        for router in self.routers.every():
            given = (each.value for each in router.call.arguments if not each.keyword)
            routes = keyword(router.call, "routes") or next((each for each in given if isinstance(each, Sequence)), None)
            if routes is not None:
                for placement in self.routers.placements(router):
                    yield from self._listed(router.outline, routes, placement.prefix, placement.verdicts, 0)

    def _decorated(self, outline: Outline, function: Function, decorator: Decorator) -> Iterator[EntryPoint]:
        call = decorator.value
        if not isinstance(call, Call) or not isinstance(call.callee, Attribute) or call.callee.name not in _ROUTE_NAMES:
            return
        enclosing = outline.functions.get(function.within)
        router = self.routers.find(outline, call.callee.value, enclosing, outline.classes.get(function.owner))
        path = route_text(self.codebase, outline, argument(call, 0, "path"), enclosing)
        if path is None or (router is None and not self._is_from_elsewhere(outline, call.callee.value, path)):
            return
        guards = self.dependencies.listed(outline, keyword(call, "dependencies"))
        verdict = strongest((*guards, self._guards(outline, function)))
        yield from self._placed(router, call.callee.name, call, path, Handler(outline, function, function.qualified), verdict)

    def _is_from_elsewhere(self, outline: Outline, expr: Expr, path: str) -> bool:
        """`from .core import app`, where that file is missing: routes of a module that uses the framework."""
        imported = isinstance(expr, Name) and expr.id in outline.module.imports and path[:1] == "/"
        uses = any(name.partition(".")[0] in ("fastapi", "starlette") for name in outline.module.imports.values())
        return imported and uses and self.codebase.meaning(outline, expr) is None

    def _added(self, outline: Outline, site: Site[Call], callee: Attribute) -> Iterator[EntryPoint]:
        router = self.routers.find(outline, callee.value, site.function, site.owner)
        path, endpoint = text_of(argument(site.node, 0, "path")), argument(site.node, 1, "endpoint")
        if router is None or path is None or endpoint is None:
            return
        found = self.codebase.meaning(outline, endpoint, site.function)
        verdicts = list(self.dependencies.listed(outline, keyword(site.node, "dependencies")))
        if found and isinstance(found.node, Function):
            verdicts.append(self._guards(found.outline, found.node))
        handler = handler_of(found, outline, endpoint)
        yield from self._placed(router, "api_route", site.node, path, handler, strongest(verdicts))

    def _guards(self, outline: Outline, function: Function) -> Verdict:
        own = [decorator_verdict(self.codebase, outline, function), checks_in(self.codebase, outline, function)]
        owner = outline.classes.get(function.owner)
        shared = self.dependencies.of_class(Definition(outline, owner)) if owner else ()  # as of fastapi-utils' `cbv`
        return strongest((*self.dependencies.of_function(outline, function), *shared, *own))

    def _placed(
        self, router: Router | None, verb: str, call: Call, path: str, handler: Handler, own: Verdict
    ) -> Iterator[EntryPoint]:
        kind = EntryKind.WEBSOCKET if verb.startswith("websocket") else EntryKind.HTTP
        method = "CONNECT" if kind is EntryKind.WEBSOCKET else verb.upper() if verb in VERBS else _methods(call)
        for placement in self.routers.placements(router):
            full = joined(placement.prefix, path) if placement.prefix else path or "/"
            yield entry(kind, method, full, handler, "FastAPI", strongest((own, *placement.verdicts)))

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
        for name in (*VERBS, "on_connect", "on_receive"):
            method = self.codebase.method(found, name)
            if method:
                outline, function = method
                handler = Handler(outline, function, function.qualified)
                verdict = strongest((*above, self._guards(outline, function)))
                yield entry(kind, name.upper() if name in VERBS else "MESSAGE", path, handler, "Starlette", verdict)


def _methods(call: Call) -> str:
    given = keyword(call, "methods")
    named = [text.upper() for each in given.items if (text := text_of(each)) is not None] if isinstance(given, Sequence) else []
    return ",".join(sorted(named)) or "GET"


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("FastAPI", ("fastapi", "starlette"), ("fastapi", "starlette"), _find)
