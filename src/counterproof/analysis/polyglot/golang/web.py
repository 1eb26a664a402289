"""Routes of Go programs: what is registered on which router, in which order.

gin, chi and fiber apply middleware to what follows it; echo and gorilla/mux collect it first, so there its place does not
matter. Not handled here: remote procedures, commands and clocks.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.polyglot.chains import Chain, Link, chain_at
from counterproof.analysis.polyglot.golang.middleware import handler_of, middleware_verdict
from counterproof.analysis.polyglot.golang.packages import Packages
from counterproof.analysis.polyglot.golang.routers import GROUPS, RouterFinder, group_key, parameter_key
from counterproof.analysis.polyglot.literals import known_text
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.routers import Key, Mount, Registered, Routers, Use
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

VERBS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "CONNECT", "TRACE")
_ANY = ("ANY", "ALL")
_PLAIN = ("HandleFunc", "Handle", "HandlerFunc", "Handler")
_NAMED = ("Handle", "Method", "MethodFunc", "Add", "HandlerFunc", "Handler")
_COLLECTED = ("echo", "gorilla/mux")
FIRST = -1


def web_routes(packages: Packages) -> Iterator[EntryPoint]:
    reader = _Reader(packages)
    for source in packages.corpus.sources(Language.GO):
        for chain in packages.corpus.chains(source):
            reader.read(source, chain)
    yield from reader.routers.flattened()


class _Reader:
    def __init__(self, packages: Packages) -> None:
        self.packages = packages
        self.finder = RouterFinder(packages)
        self.routers = Routers("net/http")
        self.braces: dict[str, list[tuple[int, int, Key, Key]]] = {}

    def read(self, source: Source, chain: Chain) -> None:
        self._handed_over(source, chain)
        self._served(source, chain)
        router, taken = self.finder.start_of(source, chain)
        router = self._within(source, chain.start, router)
        path: str | None = None
        methods: tuple[str, ...] = ()
        for index, link in enumerate(chain.links[taken:], start=taken):
            if router is None:
                return
            if link.name in GROUPS:
                router = self._group(router, source, link)
            elif link.name == "Methods":
                methods = tuple(text for each in link.arguments if (text := _method(source, each)))
            elif link.name in ("Path", "Queries", "Headers"):
                path = known_text(source, link.arguments[0]) if link.name == "Path" and link.arguments else path
            elif link.name in ("Use", "Pre"):
                self._use(router, source, link)
            elif link.name == "Mount" and len(link.arguments) > 1:
                self._mount(router, source, link)
            else:
                after = _methods_after(source, chain, index)
                self._route(router, source, link, path, methods or after)

    def _within(self, source: Source, position: int, router: Key | None) -> Key | None:
        """`m.Group("/x", func() { m.Get(…) })`: inside the braces, the same variable stands for the group."""
        for start, end, outer, inner in self.braces.get(source.path, ()):
            if start <= position < end and router == outer:
                router = inner
        return router

    def _group(self, router: Key, source: Source, link: Link) -> Key:
        """A group, sub-router or `With`: mounted where it is made. A function given to it gets it as its parameter."""
        inner = group_key(source, link.node)
        arguments = link.arguments
        prefix = known_text(source, arguments[0]) if arguments else None
        rest = arguments[1:] if prefix is not None else arguments
        before: list[Verdict] = []
        for each in rest:
            place = self.packages.place(source, each) if each.type == "func_literal" or link.name == "Route" else None
            if place is not None and place.function.parameters and link.name in ("Group", "Route"):
                given = parameter_key(place.source, place.function, place.function.parameters[0])
                self.routers.add(inner, source, link.node.end_byte, Mount(given))
            elif place is not None and link.name in ("Group", "Route"):
                self.braces.setdefault(source.path, []).append((each.start_byte, each.end_byte, router, inner))
            else:
                before.append(middleware_verdict(source, each))
        self.routers.add(router, source, link.node.end_byte, Mount(inner, prefix or "", strongest(before)))
        return inner

    def _use(self, router: Key, source: Source, link: Link) -> None:
        collected = self.finder.framework(source) in _COLLECTED and router[0] != "group"
        position = FIRST if collected else link.node.end_byte
        prefix = known_text(source, link.arguments[0]) if len(link.arguments) > 1 else None
        for each in link.arguments[1:] if prefix is not None else link.arguments:
            mounted = self.finder.key(source, each)
            if mounted is not None:
                self.routers.add(router, source, position, Mount(mounted, prefix or ""))
            else:
                verdict = middleware_verdict(source, each)
                self.routers.add(router, source, position, Use(verdict, prefix or ""))

    def _mount(self, router: Key, source: Source, link: Link) -> None:
        prefix = known_text(source, link.arguments[0]) or ""
        inner = self.finder.key(source, link.arguments[1])
        if inner is not None:
            self.routers.add(router, source, link.node.end_byte, Mount(inner, prefix))
        else:
            self._add(router, source, link, "ANY", prefix + "/*", link.arguments[1], OPEN)

    def _route(self, router: Key, source: Source, link: Link, path: str | None, methods: tuple[str, ...]) -> None:
        arguments = link.arguments
        upper = link.name.upper()
        if upper in (*VERBS, *_ANY) and len(arguments) > 1:
            text = known_text(source, arguments[0])
            method = "ANY" if upper in _ANY else upper
            if text is not None:
                self._handlers(router, source, link, method, text, arguments[1:])
        elif link.name in _NAMED and len(arguments) > 2 and (named := _method(source, arguments[0])):
            text = known_text(source, arguments[1])
            if text is not None:
                self._handlers(router, source, link, named, text, arguments[2:])
        elif link.name in _PLAIN and arguments:
            self._plain(router, source, link, path, methods)

    def _plain(self, router: Key, source: Source, link: Link, path: str | None, methods: tuple[str, ...]) -> None:
        """`HandleFunc("POST /x", h)`: the method may be part of the pattern."""
        text = path if path is not None else known_text(source, link.arguments[0])
        if text is None:
            return
        method, _, rest = text.partition(" ")
        if rest and method in VERBS:
            text, methods = rest.strip(), (method,)
        mounted = self._stripped(source, link.arguments[-1])
        if mounted is not None:
            self.routers.add(router, source, link.node.end_byte, Mount(mounted, text))
            return
        for each in methods or ("ANY",):
            self._add(router, source, link, each, text, link.arguments[-1], OPEN)

    def _stripped(self, source: Source, node: Node) -> Key | None:
        """`http.StripPrefix("/api", router)` and a plain router as a handler."""
        chain = chain_at(source, node)
        if chain is not None and chain.links[-1].name == "StripPrefix" and len(chain.links[-1].arguments) > 1:
            return self.finder.key(source, chain.links[-1].arguments[1])
        inner = unwrapped(node)
        return self.finder.key(source, inner) if inner is not None and inner.type == "identifier" else None

    def _handlers(self, router: Key, source: Source, link: Link, method: str, path: str, given: tuple[Node, ...]) -> None:
        """echo names the handler first, the others last; the rest is middleware."""
        first = self.finder.framework(source) == "echo"
        handler = given[0] if first else given[-1]
        others = given[1:] if first else given[:-1]
        before = strongest(middleware_verdict(source, each) for each in others)
        self._add(router, source, link, method, path, handler, before)

    def _add(self, router: Key, source: Source, link: Link, method: str, path: str, handler: Node, before: Verdict) -> None:
        where, line, name, own = handler_of(self.packages, source, handler)
        framework = self.finder.framework(source)
        event = Registered(method, path, where, line, name, strongest((before, own)), EntryKind.HTTP, framework)
        self.routers.add(router, source, link.node.end_byte, event)

    def _handed_over(self, source: Source, chain: Chain) -> None:
        """`RegisterRoutes(group)`: the function's parameter is that router."""
        link = chain.links[-1]
        place = None
        for index, argument in enumerate(link.arguments[:8]):
            router = self.finder.key(source, argument)
            if router is None:
                continue
            place = place or self.packages.called(source, link.node)
            if place is None or index >= len(place.function.parameters):
                return
            inner = parameter_key(place.source, place.function, place.function.parameters[index])
            if inner != router:
                self.routers.add(router, source, link.node.end_byte, Mount(inner))

    def _served(self, source: Source, chain: Chain) -> None:
        """`http.ListenAndServe(addr, wrapper(router))`: the wrapper stands before every route."""
        link = chain.links[-1]
        if link.name not in ("ListenAndServe", "ListenAndServeTLS", "Serve") or len(link.arguments) < 2:
            return
        wrapped = chain_at(source, link.arguments[-1])
        for argument in wrapped.links[-1].arguments if wrapped is not None else ():
            router = self.finder.key(source, argument)
            if router is not None and wrapped is not None:
                verdict = middleware_verdict(source, link.arguments[-1])
                self.routers.add(router, source, FIRST, Use(verdict))


def _method(source: Source, node: Node) -> str:
    """`"GET"`, `http.MethodGet`, `echo.GET`."""
    text = known_text(source, node) or source.text(node, 60).rpartition(".")[2].removeprefix("Method")
    return text.upper() if text.upper() in VERBS else ""


def _methods_after(source: Source, chain: Chain, index: int) -> tuple[str, ...]:
    later = [link for link in chain.links[index + 1 :] if link.name == "Methods"]
    return tuple(text for link in later for each in link.arguments if (text := _method(source, each)))
