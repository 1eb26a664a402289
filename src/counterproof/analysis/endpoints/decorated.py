"""Frameworks whose routes are decorators of an application object or of the package itself.

Invariant: a route is reported only if the object behind the decorator is known to be an application or a part of one. Not handled
here: features of a single framework.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from counterproof.analysis.endpoints.convention import VERBS, Convention, Handler, entry, handler_of, joined
from counterproof.analysis.endpoints.decorators import decorator_verdict, listed_verdicts
from counterproof.analysis.endpoints.denial import checks_in, hook_verdict
from counterproof.analysis.endpoints.routers import Mount, Router, Routers
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


class DecoratedRoutes:
    """All routes of one framework."""

    def __init__(self, codebase: Codebase, dialect: Dialect) -> None:
        self.codebase = codebase
        self.dialect = dialect
        self.routers = Routers(codebase, dialect.applications, dialect.parts)
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
                found = [self.routers.find(outline, each, site.function, site.owner) for each in (*listed, *given)]
                children = [each for each in found if each]
                parent = self.routers.find(outline, callee.value, site.function, site.owner)
                prefix = text_of(_prefix(site.node) or given[0]) or ""
                for child in children if listed else children[:1]:
                    self.routers.mounts.append(Mount(parent, child, prefix))
        for function in outline.module.functions:
            for decorator in function.decorators:
                self._note_hook(outline, function, decorator)

    def _note_hook(self, outline: Outline, function: Function, decorator: Decorator) -> None:
        value = decorator.value.callee if isinstance(decorator.value, Call) else decorator.value
        if isinstance(value, Attribute) and value.name in self.dialect.hooks:
            router = self.routers.find(outline, value.value, outline.functions.get(function.within))
            if router:
                self.routers.hooks.append((router, hook_verdict(self.codebase, outline, function)))

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, ("add_route", "route", *VERBS), (*VERBS, "route", "websocket")):
            for function in outline.module.functions:
                for decorator in function.decorators:
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
        router = None
        if not plain and isinstance(call.callee, Attribute):
            router = self._of(outline, call.callee.value, outline.functions.get(function.within))
        if plain or router:
            path = text_of(argument(call, 0, "uri")) or text_of(keyword(call, "path")) or f"/{function.name}"
            method = "CONNECT" if name == "websocket" else name.upper() if name in VERBS else _methods(call)
            yield from self._placed(router, method, path, Definition(outline, function), outline, call)

    def _of(self, outline: Outline, owner: Expr, function: Function | None) -> Router | None:
        """The router that a decorator belongs to: `app`, or `app.router`."""
        found = self.routers.find(outline, owner, function)
        if found is None and isinstance(owner, Attribute) and owner.name == "router":
            return self.routers.find(outline, owner.value, function)
        return found

    def _added(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`app.add_route(handler, "/path")`, where the handler may be `View.as_view()`."""
        callee = site.node.callee
        if isinstance(callee, Attribute) and callee.name in (*VERBS, "route"):
            yield from self._handed(outline, site, callee)
        if not isinstance(callee, Attribute) or callee.name != "add_route":
            return
        router = self.routers.find(outline, callee.value, site.function, site.owner)
        view, path = argument(site.node, 0, "handler"), text_of(argument(site.node, 1, "uri"))
        if router is None or view is None or path is None:
            return
        if isinstance(view, Call) and isinstance(view.callee, Attribute) and view.callee.name == "as_view":
            view = view.callee.value
        found = self.codebase.meaning(outline, view, site.function)
        yield from self._placed(router, _methods(site.node), path, found, outline, view)

    def _handed(self, outline: Outline, site: Site[Call], callee: Attribute) -> Iterator[EntryPoint]:
        """`app.route("/path", "POST", handler)`, `app.get("/path", callback=handler)` of Bottle, as a call."""
        view = argument(site.node, 2, "callback")
        router = self.routers.find(outline, callee.value, site.function, site.owner) if view is not None else None
        path = text_of(argument(site.node, 0, "path"))
        if view is None or router is None or path is None:
            return
        said = argument(site.node, 1, "method")
        named = [text for node in walk(said) if (text := text_of(node))] if said is not None else ["GET"]
        method = callee.name.upper() if callee.name in VERBS else ",".join(sorted(named)).upper() or "ANY"
        yield from self._placed(router, method, path, self.codebase.meaning(outline, view, site.function), outline, view)

    def _placed(
        self, router: Router | None, method: str, path: str, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[EntryPoint]:
        for placement in self.routers.placements(router):
            full = joined(placement.prefix, path) if placement.prefix else path
            for handler, verb, own in self._handlers(method, found, outline, view):
                kind = EntryKind.WEBSOCKET if verb == "CONNECT" else EntryKind.HTTP
                guards = (own, self._asked_for(outline, view), *placement.verdicts)
                yield entry(kind, verb, full, handler, self.dialect.framework, strongest(guards))

    def _asked_for(self, outline: Outline, route: Expr) -> Verdict:
        """`@app.get("/", auth_required=True)`, `@get("/", guards=[…])`."""
        for name in self.dialect.guarding if isinstance(route, Call) else ():
            given = keyword(route, name) if isinstance(route, Call) else None
            if given is not None and not (isinstance(given, Const) and not given.value):
                return present(outline.path, route.line, name)
        return OPEN

    def _handlers(
        self, method: str, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[tuple[Handler, str, Verdict]]:
        if found and isinstance(found.node, Class):
            listed = tuple(listed_verdicts(self.codebase, found))
            for verb in VERBS:
                defined = self.codebase.method(found, verb)
                if defined:
                    own = strongest((self._guards(*defined), *listed))
                    yield Handler(*defined, defined[1].qualified), verb.upper(), own
            return
        own = self._guards(found.outline, found.node) if found and isinstance(found.node, Function) else strongest(())
        yield handler_of(found, outline, view), method, own

    def _guards(self, outline: Outline, function: Function) -> Verdict:
        own = decorator_verdict(self.codebase, outline, function)
        return strongest((own, checks_in(self.codebase, outline, function)))


def _prefix(call: Call) -> Expr | None:
    return keyword(call, "url_prefix") or keyword(call, "prefix")


def _methods(call: Call) -> str:
    given = keyword(call, "methods") or keyword(call, "method")
    if isinstance(given, Sequence):
        return ",".join(sorted(text.upper() for each in given.items if (text := text_of(each)) is not None)) or "GET"
    return (text_of(given) or "GET").upper()
