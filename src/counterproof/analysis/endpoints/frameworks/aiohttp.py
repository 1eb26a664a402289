"""aiohttp: `router.add_*`, route tables, `web.get(…)` lists, class views, sub-applications, middlewares as guards."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.denial import checks_in
from counterproof.analysis.endpoints.middleware import middleware_verdict
from counterproof.analysis.endpoints.routed import Routed
from counterproof.analysis.endpoints.routers import Router
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import argument, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Expr, Function, Sequence
from counterproof.model.recon import EntryPoint

_ADDERS = {f"add_{verb}": verb.upper() for verb in VERBS} | {"add_view": "ANY"}
_WEB = {f"aiohttp.web.{verb}": verb.upper() for verb in VERBS} | {"aiohttp.web.view": "ANY"}

_PICKING = ("_iter", "__iter__", "__await__")
"""Methods of a class view that choose the responding method."""


class _Application(Routed):
    def __init__(self, codebase: Codebase) -> None:
        super().__init__(codebase, "aiohttp", ("aiohttp.web.Application",), ("aiohttp.web.RouteTableDef",))
        for router in self.routers.every():
            listed = keyword(router.call, "middlewares")
            given = listed.items if isinstance(listed, Sequence) else ()
            self.routers.hooks += [(router, middleware_verdict(codebase, router.outline, each, None)) for each in given]
        for outline in having(codebase, _wires):
            for site in every_call(outline):
                if isinstance(site.node.callee, Attribute):
                    self._wire(outline, site, site.node.callee)

    def _wire(self, outline: Outline, site: Site[Call], callee: Attribute) -> None:
        given = [each.value for each in site.node.arguments]
        if callee.name == "add_routes" and given:
            self.mount(self._app(outline, callee.value, site), self.at(outline, given[0], site))
        elif callee.name == "add_subapp" and len(given) > 1:
            self.mount(self._app(outline, callee.value, site), self.at(outline, given[1], site), text_of(given[0]))
        elif _adds_middleware(callee) and isinstance(callee.value, Attribute) and given:
            app = self._app(outline, callee.value.value, site)
            if app:
                self.routers.hooks.append((app, middleware_verdict(self.codebase, outline, given[0], None)))

    def _app(self, outline: Outline, expr: Expr, site: Site[Call]) -> Router | None:
        """`app` or `app.router`."""
        return self.at(outline, expr.value if isinstance(expr, Attribute) and expr.name == "router" else expr, site)

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, (*_ADDERS, "add_route"), packages=("aiohttp",)):
            imports = any(name.partition(".")[0] == "aiohttp" for name in outline.module.imports.values())
            for function in (*outline.module.functions, *outline.module.classes) if imports else ():
                yield from self._decorated(outline, function)
            for site in every_call(outline):
                owner = site.node.callee.value if isinstance(site.node.callee, Attribute) else None
                if imports or (isinstance(owner, Attribute) and owner.name == "router"):
                    yield from self._added(outline, site)  # the application may be given: `app.router.add_get(…)`
                if imports:
                    yield from self._named(outline, site)

    def _decorated(self, outline: Outline, function: Function | Class) -> Iterator[EntryPoint]:
        for call in (each.value for each in function.decorators):
            if not isinstance(call, Call) or not isinstance(call.callee, Attribute):
                continue
            name = call.callee.name
            router = self.routers.find(outline, call.callee.value, None) if name in (*VERBS, "view", "route") else None
            if router:
                method = text_of(positional(call, 0)) or "ANY" if name == "route" else "ANY" if name == "view" else name.upper()
                path = text_of(positional(call, 1 if name == "route" else 0))
                yield from self._shown(router, method, path, Definition(outline, function), outline, call)

    def _added(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`app.router.add_get(path, handler)` and `add_route(method, path, handler)`; the application may be a parameter."""
        callee = site.node.callee
        if not isinstance(callee, Attribute) or (callee.name not in _ADDERS and callee.name != "add_route"):
            return
        shift = 1 if callee.name == "add_route" else 0
        method = text_of(positional(site.node, 0)) if shift else _ADDERS[callee.name]
        path, view = text_of(argument(site.node, shift, "path")), argument(site.node, shift + 1, "handler")
        if view is not None and method is not None:
            found = self.codebase.meaning(outline, view, site.function)
            app = self._app(outline, callee.value, site)
            yield from self._shown(app, method.replace("*", "ANY").upper(), path, found, outline, view)

    def _named(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`web.get(path, handler)` in a list passed to `add_routes`."""
        method = _WEB.get(self.codebase.name(outline, site.node.callee))
        path, view = text_of(positional(site.node, 0)), positional(site.node, 1)
        if method and view is not None:
            yield from self._shown(None, method, path, self.codebase.meaning(outline, view, site.function), outline, view)

    def _shown(
        self, router: Router | None, method: str, path: str | None, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[EntryPoint]:
        around = self._around(found) if found and isinstance(found.node, Class) else OPEN
        for handler, verb, own in self.views(method, found, outline, view) if path is not None else ():
            yield from self.placed(router, verb, path or "", handler, strongest((around, own)))

    def _around(self, found: Definition) -> Verdict:
        """The guard before every method of a class view: the project's own dispatch method, if there is one."""
        picking = [method for name in _PICKING if (method := self.codebase.method(found, name))]
        verdicts = [checks_in(self.codebase, *each, wrapper=True) for each in picking]
        if isinstance(found.node, Class):
            verdicts.append(decorator_verdict(self.codebase, found.outline, found.node))
        return strongest(verdicts)


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
