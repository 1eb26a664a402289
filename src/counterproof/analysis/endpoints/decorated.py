"""Frameworks whose routes are decorators of an application object or of the package itself.

Invariant: a route is reported only if the object behind the decorator is known to be an application or a part of one. Not handled
here: features of a single framework.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from counterproof.analysis.endpoints.convention import VERBS, Convention
from counterproof.analysis.endpoints.decorators import listed_verdicts
from counterproof.analysis.endpoints.denial import hook_verdict
from counterproof.analysis.endpoints.routed import Routed, decorators, listed_methods
from counterproof.analysis.endpoints.routers import Router
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest
from counterproof.analysis.libraries import libraries
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Const, Decorator, Expr, Function, Sequence
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, EntryPoint


@dataclass(frozen=True, slots=True)
class Dialect:
    """The names of one framework. `plain` are packages whose functions are decorators themselves (`bottle.get`); `guarding` are
    route options that require a login (`auth_required=True`)."""

    framework: str
    applications: tuple[str, ...]
    parts: tuple[str, ...]
    plain: tuple[str, ...] = ()
    mounting: tuple[str, ...] = ()
    hooks: tuple[str, ...] = ()
    guarding: tuple[str, ...] = ()


def described() -> Iterator[Convention]:
    """A convention for every library that defines how an application is created."""
    for library in libraries("python"):
        applications = library.names.get(("route", "application"), ())
        if applications:
            kinds = ("router", "decorator", "mount", "hook", "guard-option")
            dialect = Dialect(library.title, applications, *(library.names.get(("route", kind), ()) for kind in kinds))
            imports = library.names.get(("framework", "module"), ())
            yield Convention(library.title, (library.name,), imports, partial(_entries, dialect=dialect))


def _entries(codebase: Codebase, dialect: Dialect) -> Iterator[EntryPoint]:
    return DecoratedRoutes(codebase, dialect).entries()


class DecoratedRoutes(Routed):
    """All routes of one framework."""

    def __init__(self, codebase: Codebase, dialect: Dialect) -> None:
        super().__init__(codebase, dialect.framework, dialect.applications, dialect.parts)
        self.dialect = dialect
        for router in self.routers.every():
            self.routers.prefixes[id(router.call)] = text_of(_prefix(router.call)) or ""
        for outline in mentioning(codebase, dialect.mounting, dialect.hooks):
            self._wire(outline)

    def _wire(self, outline: Outline) -> None:
        for site in every_call(outline):
            callee = site.node.callee
            if isinstance(callee, Attribute) and callee.name in self.dialect.mounting and site.node.arguments:
                given = [each.value for each in site.node.arguments]
                listed = given[0].items if isinstance(given[0], Sequence) else ()
                children = [found for each in (*listed, *given) if (found := self.at(outline, each, site))]
                for child in children if listed else children[:1]:
                    self.mount(self.at(outline, callee.value, site), child, text_of(_prefix(site.node) or given[0]))
        for function, decorator in decorators(outline):
            value = decorator.value.callee if isinstance(decorator.value, Call) else decorator.value
            router = self.around(outline, value.value, function) if isinstance(value, Attribute) else None
            if router and isinstance(value, Attribute) and value.name in self.dialect.hooks:
                self.routers.hooks.append((router, hook_verdict(self.codebase, outline, function)))

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, ("add_route", "route", *VERBS), (*VERBS, "route", "websocket")):
            for function, decorator in decorators(outline):
                yield from self._decorated(outline, function, decorator)
            for site in every_call(outline):
                yield from self._added(outline, site)

    def _decorated(self, outline: Outline, function: Function, decorator: Decorator) -> Iterator[EntryPoint]:
        call = decorator.value
        if not isinstance(call, Call):
            return
        package, _, name = self.codebase.name(outline, call.callee).rpartition(".")
        if name not in (*VERBS, "route", "websocket"):
            return
        plain = package in self.dialect.plain
        router = self._of(outline, call.callee.value, function) if not plain and isinstance(call.callee, Attribute) else None
        if plain or router:
            path = text_of(argument(call, 0, "uri")) or text_of(keyword(call, "path")) or f"/{function.name}"
            method = "CONNECT" if name == "websocket" else name.upper() if name in VERBS else _methods(call)
            yield from self._shown(router, method, path, Definition(outline, function), outline, call)

    def _of(self, outline: Outline, owner: Expr, function: Function) -> Router | None:
        """The router that a decorator belongs to: `app`, or `app.router`."""
        found = self.around(outline, owner, function)
        if found is None and isinstance(owner, Attribute) and owner.name == "router":
            return self.around(outline, owner.value, function)
        return found

    def _added(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`app.add_route(handler, "/path")`, where the handler may be `View.as_view()`; `app.route("/path", "POST", handler)` and
        `app.get("/path", callback=handler)` of Bottle."""
        callee, call = site.node.callee, site.node
        if not isinstance(callee, Attribute):
            return
        if callee.name == "add_route":
            view, path, method = argument(call, 0, "handler"), argument(call, 1, "uri"), _methods(call)
            if isinstance(view, Call) and isinstance(view.callee, Attribute) and view.callee.name == "as_view":
                view = view.callee.value
        elif callee.name in (*VERBS, "route"):
            view, path, said = argument(call, 2, "callback"), argument(call, 0, "path"), argument(call, 1, "method")
            named = [text for node in walk(said) if (text := text_of(node))] if said is not None else ["GET"]
            method = callee.name.upper() if callee.name in VERBS else ",".join(sorted(named)).upper() or "ANY"
        else:
            return
        text = text_of(path)
        router = self.at(outline, callee.value, site) if view is not None and text is not None else None
        if view is not None and text is not None and router is not None:
            yield from self._shown(router, method, text, self.codebase.meaning(outline, view, site.function), outline, view)

    def _shown(
        self, router: Router | None, method: str, path: str, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[EntryPoint]:
        listed = tuple(listed_verdicts(self.codebase, found)) if found and isinstance(found.node, Class) else ()
        for handler, verb, own in self.views(method, found, outline, view):
            kind = EntryKind.WEBSOCKET if verb == "CONNECT" else EntryKind.HTTP
            guards = strongest((own, *listed, self._asked_for(outline, view)))
            yield from self.placed(router, verb, path, handler, guards, kind)

    def _asked_for(self, outline: Outline, route: Expr) -> Verdict:
        """`@app.get("/", auth_required=True)`, `@get("/", guards=[…])`."""
        for name in self.dialect.guarding if isinstance(route, Call) else ():
            given = keyword(route, name) if isinstance(route, Call) else None
            if given is not None and not (isinstance(given, Const) and not given.value):
                return present(outline.path, route.line, name)
        return OPEN


def _prefix(call: Call) -> Expr | None:
    return keyword(call, "url_prefix") or keyword(call, "prefix")


def _methods(call: Call) -> str:
    given = keyword(call, "methods") or keyword(call, "method")
    return listed_methods(given) if isinstance(given, Sequence) else (text_of(given) or "GET").upper()
