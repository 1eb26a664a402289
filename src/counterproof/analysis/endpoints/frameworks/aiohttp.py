"""aiohttp: `router.add_*`, route tables, `web.get(…)` lists, class views, sub-applications, middlewares as guards."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, Handler, entry, handler_of, joined
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.denial import checks_in
from counterproof.analysis.endpoints.middleware import middleware_verdict
from counterproof.analysis.endpoints.routers import Mount, Router, Routers
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import Verdict, strongest
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import argument, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

APPLICATIONS = ("aiohttp.web.Application",)
TABLES = ("aiohttp.web.RouteTableDef",)
_ADDERS = {f"add_{verb}": verb.upper() for verb in VERBS} | {"add_view": "ANY"}
_WEB = {f"aiohttp.web.{verb}": verb.upper() for verb in VERBS} | {"aiohttp.web.view": "ANY"}

_PICKING = ("_iter", "__iter__", "__await__")
"""Methods of a class view that choose the responding method."""


class _Application:
    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self.routers = Routers(codebase, APPLICATIONS, TABLES)
        for router in self.routers.every():
            listed = keyword(router.call, "middlewares")
            if isinstance(listed, Sequence):
                verdicts = [middleware_verdict(codebase, router.outline, each, None) for each in listed.items]
                self.routers.hooks.extend((router, verdict) for verdict in verdicts)
        for outline in having(codebase, _wires):
            for site in every_call(outline):
                if isinstance(site.node.callee, Attribute):
                    self._wire(outline, site, site.node.callee)

    def _wire(self, outline: Outline, site: Site[Call], callee: Attribute) -> None:
        if callee.name == "add_routes" and site.node.arguments:
            child = self.routers.find(outline, site.node.arguments[0].value, site.function, site.owner)
            if child:
                self.routers.mounts.append(Mount(self._app(outline, callee.value, site), child, ""))
        elif callee.name == "add_subapp" and len(site.node.arguments) >= 2:
            child = self.routers.find(outline, site.node.arguments[1].value, site.function, site.owner)
            if child:
                prefix = text_of(site.node.arguments[0].value) or ""
                self.routers.mounts.append(Mount(self._app(outline, callee.value, site), child, prefix))
        elif _adds_middleware(callee) and isinstance(callee.value, Attribute):
            app = self._app(outline, callee.value.value, site)
            if app and site.node.arguments:
                value = site.node.arguments[0].value
                self.routers.hooks.append((app, middleware_verdict(self.codebase, outline, value, None)))

    def _app(self, outline: Outline, expr: Expr, site: Site[Call]) -> Router | None:
        """`app` or `app.router`."""
        if isinstance(expr, Attribute) and expr.name == "router":
            expr = expr.value
        return self.routers.find(outline, expr, site.function, site.owner)

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, (*_ADDERS, "add_route"), packages=("aiohttp",)):
            if not any(name.partition(".")[0] == "aiohttp" for name in outline.module.imports.values()):
                yield from self._handed(outline)
                continue
            for function in (*outline.module.functions, *outline.module.classes):
                yield from self._decorated(outline, function)
            for site in every_call(outline):
                yield from self._added(outline, site)
                yield from self._named(outline, site)

    def _handed(self, outline: Outline) -> Iterator[EntryPoint]:
        """`app.router.add_get(…)` in a module of routes that receives the application and does not import aiohttp."""
        for site in every_call(outline):
            owner = site.node.callee.value if isinstance(site.node.callee, Attribute) else None
            if isinstance(owner, Attribute) and owner.name == "router":
                yield from self._added(outline, site)

    def _decorated(self, outline: Outline, function: Function | Class) -> Iterator[EntryPoint]:
        for decorator in function.decorators:
            call = decorator.value
            if not isinstance(call, Call) or not isinstance(call.callee, Attribute):
                continue
            name = call.callee.name
            router = self.routers.find(outline, call.callee.value, None) if name in (*VERBS, "view", "route") else None
            if router:
                method = text_of(positional(call, 0)) or "ANY" if name == "route" else "ANY" if name == "view" else name.upper()
                path = text_of(positional(call, 1 if name == "route" else 0))
                if path is not None:
                    yield from self._placed(router, method, path, Definition(outline, function), outline, call)

    def _added(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`app.router.add_get(path, handler)` and `add_route(method, path, handler)`; the application may be a parameter."""
        callee = site.node.callee
        if not isinstance(callee, Attribute) or (callee.name not in _ADDERS and callee.name != "add_route"):
            return
        shift = 1 if callee.name == "add_route" else 0
        method = text_of(positional(site.node, 0)) if shift else _ADDERS[callee.name]
        path, view = text_of(argument(site.node, shift, "path")), argument(site.node, shift + 1, "handler")
        if path is None or view is None or method is None:
            return
        found = self.codebase.meaning(outline, view, site.function)
        yield from self._placed(self._app(outline, callee.value, site), method.replace("*", "ANY"), path, found, outline, view)

    def _named(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`web.get(path, handler)` in a list passed to `add_routes`."""
        method = _WEB.get(self.codebase.name(outline, site.node.callee))
        path, view = text_of(positional(site.node, 0)), positional(site.node, 1)
        if method and path is not None and view is not None:
            found = self.codebase.meaning(outline, view, site.function)
            yield from self._placed(None, method, path, found, outline, view)

    def _placed(
        self, router: Router | None, method: str, path: str, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[EntryPoint]:
        for placement in self.routers.placements(router):
            full = joined(placement.prefix, path) if placement.prefix else path
            for handler, verb, own in self._handlers(method, found, outline, view):
                yield entry(EntryKind.HTTP, verb, full, handler, "aiohttp", strongest((own, *placement.verdicts)))

    def _handlers(
        self, method: str, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[tuple[Handler, str, Verdict]]:
        if found and isinstance(found.node, Class):
            around = self._around(found)
            for verb in VERBS:
                defined = self.codebase.method(found, verb)
                if defined:
                    yield Handler(*defined, defined[1].qualified), verb.upper(), strongest((around, self._guards(*defined)))
            return
        own = self._guards(found.outline, found.node) if found and isinstance(found.node, Function) else strongest(())
        yield handler_of(found, outline, view), method.upper(), own

    def _around(self, found: Definition) -> Verdict:
        """The guard before every method of a class view: the project's own dispatch method, if there is one."""
        picking = [method for name in _PICKING if (method := self.codebase.method(found, name))]
        verdicts = [checks_in(self.codebase, *each, wrapper=True) for each in picking]
        if isinstance(found.node, Class):
            verdicts.append(decorator_verdict(self.codebase, found.outline, found.node))
        return strongest(verdicts)

    def _guards(self, outline: Outline, function: Function) -> Verdict:
        own = decorator_verdict(self.codebase, outline, function)
        return strongest((own, checks_in(self.codebase, outline, function)))


@trait("wiring of aiohttp", "add_routes|add_subapp|middleware")
def _wires(outline: Outline) -> bool:
    callees = (site.node.callee for site in outline.of(Call))
    return any(
        isinstance(each, Attribute) and (each.name in ("add_routes", "add_subapp") or _adds_middleware(each)) for each in callees
    )


def _adds_middleware(callee: Attribute) -> bool:
    return callee.name == "append" and isinstance(callee.value, Attribute) and callee.value.name == "middlewares"


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("aiohttp", ("aiohttp",), ("aiohttp",), _find)
