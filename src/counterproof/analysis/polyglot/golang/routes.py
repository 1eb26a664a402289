"""Routes of Go programs in gin, echo, chi, fiber, gorilla/mux, httprouter and net/http, in the order of registration.

A router is recognised by its construction, by the parameter or field that contains it, or by the project function that returns
it; a group is a separate router, mounted on its parent. gin, chi and fiber apply middleware to later registrations; echo and
gorilla/mux collect it first, so its order does not matter. Middleware is shown as written. Not handled here: other entry points.
"""

import posixpath
from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.libraries import libraries
from counterproof.analysis.polyglot.chains import Chain, Link, chain_at, is_call, plain_name
from counterproof.analysis.polyglot.entered import Where, runs
from counterproof.analysis.polyglot.golang.packages import Packages, declared_type
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import line_of, unwrapped
from counterproof.analysis.polyglot.routers import (
    Event,
    Key,
    Mount,
    Registered,
    Routers,
    Use,
    parameter_key,
    returned_router,
)
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

MAX_DEPTH = 10
MAX_WRAPPED = 6
VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE")
_ANY = ("ANY", "ALL")
_PLAIN = ("HandleFunc", "Handle", "HandlerFunc", "Handler")
_NAMED = ("Handle", "Method", "MethodFunc", "Add", "HandlerFunc", "Handler")
_COLLECTED = ("echo", "gorilla/mux")
_SERVE = ("ListenAndServe", "ListenAndServeTLS", "Serve")
_MAKERS = ("New", "Default", "NewRouter", "NewMux", "NewServeMux")
_GROUPS = ("Group", "Subrouter", "With", "Route", "PathPrefix", "Host")
_FLUENT = ("Use", "StrictSlash", "Name", "Methods", "Schemes")
_TYPES = ("Router", "Engine", "RouterGroup", "Group", "Echo", "App", "ServeMux", "Mux", "IRouter", "IRoutes")
_FIELDS = ("router", "mux", "engine", "app", "echo", "gin", "fiber", "r", "e", "api", "group", "routes", "server")
_DEFAULT: Key = ("default", "net/http", "")
FIRST = -1


def web_routes(packages: Packages) -> Iterator[EntryPoint]:
    reader = _Reader(packages)
    for source in packages.corpus.sources(Language.GO):
        for chain in packages.corpus.chains(source):
            reader.read(source, chain)
    yield from reader.routers.flattened()


def framework_of(path: str) -> str:
    """The framework of an import path, '' for others."""
    modules = ((each.title, module) for each in libraries("go") for module in each.names.get(("framework", "module"), ()))
    return next((title for title, module in modules if path == module or path.startswith(module + "/v")), "")


def middleware_verdict(source: Source, node: Node | None) -> Verdict:
    node = unwrapped(node)
    return as_written(source.path, line_of(node), plain_name(source, node)) if node is not None else OPEN


def handler_of(packages: Packages, source: Source, node: Node, depth: int = 0) -> tuple[Where, Verdict]:
    """A handler and its guard; its wrappers are middleware."""
    inner = unwrapped(node) or node
    place = packages.place(source, inner)
    if place is not None:
        return runs(place.source, place.function), OPEN
    chain = chain_at(source, inner)
    if chain is not None and depth < MAX_WRAPPED:
        for argument in reversed(chain.links[-1].arguments):
            if packages.place(source, argument) or is_call(argument):
                where, own = handler_of(packages, source, argument, depth + 1)
                return where, strongest((middleware_verdict(source, inner), own))
        returned = packages.called(source, inner)
        if returned is not None:
            return runs(returned.source, returned.function), OPEN
    return (source, line_of(node), plain_name(source, node) or "<expression>"), OPEN


def _group_key(source: Source, node: Node) -> Key:
    return ("group", source.path, f"{node.start_byte:09}.{node.end_byte:09}")


class _Reader:
    def __init__(self, packages: Packages) -> None:
        self.packages = packages
        self.routers = Routers("net/http")
        self.braces: dict[str, list[tuple[int, int, Key, Key]]] = {}

    def read(self, source: Source, chain: Chain) -> None:
        last = chain.links[-1]
        self.routers.hand_over(
            source, last, lambda given: self.key(source, given), lambda: self.packages.called(source, last.node)
        )
        self._served(source, last)
        router, taken = self._start_of(source, chain)
        router = self._within(source, chain.start, router)
        path: str | None = None
        methods = [
            text for link in chain.links if link.name == "Methods" for each in link.arguments if (text := _method(source, each))
        ]
        for link in chain.links[taken:]:
            if router is None:
                return
            if link.name in _GROUPS:
                router = self._group(router, source, link)
            elif link.name == "Path":
                path = known_text(source, link.arguments[0]) if link.arguments else path
            elif link.name in ("Use", "Pre"):
                self._use(router, source, link)
            elif link.name == "Mount" and len(link.arguments) > 1:
                self._mount(router, source, link)
            elif link.arguments and link.name != "Methods":
                self._route(router, source, link, path, methods)

    def _within(self, source: Source, position: int, router: Key | None) -> Key | None:
        """`m.Group("/x", func() { m.Get(…) })`: inside the braces, the variable stands for the group."""
        for start, end, outer, inner in self.braces.get(source.path, ()):
            if start <= position < end and router == outer:
                router = inner
        return router

    def _add(self, router: Key, source: Source, link: Link, event: Event) -> None:
        self.routers.add(router, source, link.node.end_byte, event)

    def _group(self, router: Key, source: Source, link: Link) -> Key:
        """A group, sub-router or `With`: mounted where it is created. A function argument receives it as its parameter."""
        inner = _group_key(source, link.node)
        prefix = known_text(source, link.arguments[0]) if link.arguments else None
        before: list[Verdict] = []
        for each in link.arguments[1:] if prefix is not None else link.arguments:
            place = self.packages.place(source, each) if each.type == "func_literal" or link.name == "Route" else None
            if place is None or link.name not in ("Group", "Route"):
                before.append(middleware_verdict(source, each))
            elif place.function.parameters:
                given = parameter_key(place.source, place.function, place.function.parameters[0])
                self._add(inner, source, link, Mount(given))
            else:
                self.braces.setdefault(source.path, []).append((each.start_byte, each.end_byte, router, inner))
        self._add(router, source, link, Mount(inner, prefix or "", strongest(before)))
        return inner

    def _use(self, router: Key, source: Source, link: Link) -> None:
        collected = self._framework(source) in _COLLECTED and router[0] != "group"
        position = FIRST if collected else link.node.end_byte
        prefix = known_text(source, link.arguments[0]) if len(link.arguments) > 1 else None
        for each in link.arguments[1:] if prefix is not None else link.arguments:
            mounted = self.key(source, each)
            event = Mount(mounted, prefix or "") if mounted is not None else Use(middleware_verdict(source, each), prefix or "")
            self.routers.add(router, source, position, event)

    def _mount(self, router: Key, source: Source, link: Link) -> None:
        prefix = known_text(source, link.arguments[0]) or ""
        inner = self.key(source, link.arguments[1])
        event = Mount(inner, prefix) if inner is not None else self._event(source, "ANY", prefix + "/*", link.arguments[1])
        self._add(router, source, link, event)

    def _route(self, router: Key, source: Source, link: Link, path: str | None, methods: list[str]) -> None:
        arguments, upper = link.arguments, link.name.upper()
        first, last = arguments[0], arguments[-1]
        named = _method(source, first) if link.name in _NAMED and len(arguments) > 2 else ""
        if upper in (*VERBS, *_ANY) and len(arguments) > 1:
            self._handlers(router, source, link, "ANY" if upper in _ANY else upper, arguments)
        elif named:
            self._handlers(router, source, link, named, arguments[1:])
        elif link.name in _PLAIN:
            text = path if path is not None else known_text(source, first)
            method, _, rest = (text or "").partition(" ")  # `HandleFunc("POST /x", h)`
            if text is not None and rest and method in VERBS:
                text, methods = rest.strip(), [method]
            mounted = self._stripped(source, last) if text is not None else None
            if text is not None and mounted is not None:
                self._add(router, source, link, Mount(mounted, text))
            elif text is not None:
                for each in methods or ("ANY",):
                    self._add(router, source, link, self._event(source, each, text, last))

    def _stripped(self, source: Source, node: Node) -> Key | None:
        """`http.StripPrefix("/api", router)` and a plain router as a handler."""
        chain = chain_at(source, node)
        if chain is not None and chain.links[-1].name == "StripPrefix" and len(chain.links[-1].arguments) > 1:
            return self.key(source, chain.links[-1].arguments[1])
        inner = unwrapped(node)
        return self.key(source, inner) if inner is not None and inner.type == "identifier" else None

    def _handlers(self, router: Key, source: Source, link: Link, method: str, given: tuple[Node, ...]) -> None:
        """A path, and the functions behind it: echo takes the handler first, the others last; the rest is middleware."""
        path, functions = known_text(source, given[0]), given[1:]
        if path is not None:
            handler, others = functions[-1], functions[:-1]
            if self._framework(source) == "echo":
                handler, others = functions[0], functions[1:]
            before = [middleware_verdict(source, each) for each in others]
            self._add(router, source, link, self._event(source, method, path, handler, *before))

    def _event(self, source: Source, method: str, path: str, handler: Node, *before: Verdict) -> Registered:
        (where, line, name), own = handler_of(self.packages, source, handler)
        verdict = strongest((strongest(before), own))
        return Registered(method, path, where, line, name, verdict, EntryKind.HTTP, self._framework(source))

    def _served(self, source: Source, link: Link) -> None:
        """`http.ListenAndServe(addr, wrapper(router))`: the wrapper runs before every route."""
        given = link.arguments[-1] if link.name in _SERVE and len(link.arguments) > 1 else None
        wrapped = chain_at(source, given)
        for argument in wrapped.links[-1].arguments if wrapped is not None else ():
            router = self.key(source, argument)
            if router is not None:
                self.routers.add(router, source, FIRST, Use(middleware_verdict(source, given)))

    # --- the router behind an expression -------------------------------------------------------------------------------

    def _framework(self, source: Source) -> str:
        found = [name for path in self.packages.imports(source).values() if (name := framework_of(path))]
        return next((name for name in found if name != "net/http"), found[0] if found else "")

    def key(self, source: Source, node: Node | None, depth: int = 0) -> Key | None:
        node = unwrapped(node)
        if node is None or depth > MAX_DEPTH:
            return None
        if node.type == "unary_expression":
            return self.key(source, node.child_by_field_name("operand"), depth + 1)
        if node.type == "identifier":
            return self._named(source, node, depth)
        if node.type == "selector_expression":
            name = source.text(node.child_by_field_name("field"))
            likely = name.lower() in _FIELDS or name.lower().endswith(("router", "mux"))
            return ("field", posixpath.dirname(source.path), name) if likely else None
        chain = chain_at(source, node)
        return self._end_of(source, chain, depth) if chain is not None else None

    def _named(self, source: Source, node: Node, depth: int) -> Key | None:
        name = source.text(node)
        for function in source.around(node.start_byte):
            if name in function.parameters:
                typed = declared_type(source, function, name).rpartition(".")[2] in _TYPES
                return parameter_key(source, function, name) if typed else None
        value = source.value_of(name, node.start_byte)
        if value is not None and value.id != node.id:
            return self.key(source, value, depth + 1)
        found = self.packages.variables(posixpath.dirname(source.path)).get(name)  # another file of the package declares it
        return self.key(found[0], found[1], depth + 1) if found is not None and found[0] is not source else None

    def _start_of(self, source: Source, chain: Chain, depth: int = 0) -> tuple[Key | None, int]:
        """The router at the start of a chain, and the number of links that it takes."""
        base, first = chain.base, chain.links[0]
        package = self.packages.imports(source).get(source.text(base)) if base is not None and base.type == "identifier" else None
        if package is None and base is not None:
            return self.key(source, base, depth + 1), 0
        framework = framework_of(package) if package is not None else ""
        if framework and first.name in _MAKERS:
            return ("made", source.path, f"{first.node.start_byte:09}"), 1
        if framework:
            return (_DEFAULT if framework == "net/http" and first.name in ("HandleFunc", "Handle") else None), 0
        place = self.packages.called(source, first.node)
        if place is None or depth > MAX_DEPTH:
            return None, 1
        result = place.source.text(place.function.node.child_by_field_name("result"))
        returns = any(name in result for name in (*_TYPES, "Handler"))
        return (returned_router(place, self.key, depth) if returns else None), 1

    def _end_of(self, source: Source, chain: Chain, depth: int) -> Key | None:
        """The router that a chain returns: the last group created in it, or its start."""
        current, taken = self._start_of(source, chain, depth)
        for link in chain.links[taken:] if current is not None else ():
            if link.name in _GROUPS:
                current = _group_key(source, link.node)
            elif link.name not in _FLUENT:
                return None
        return current


def _method(source: Source, node: Node) -> str:
    """`"GET"`, `http.MethodGet`, `echo.GET`."""
    text = known_text(source, node) or source.text(node, 60).rpartition(".")[2].removeprefix("Method")
    return text.upper() if text.upper() in VERBS else ""
