"""Routes of Express, Koa, Fastify, Hono and similar frameworks: the registrations on each router, in order.

Invariant: middleware applies to later registrations; a router passed to a project function is followed into it. Not handled here:
routes declared by decorators or file names.
"""

from collections.abc import Iterator

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.polyglot.chains import Chain, Link, plain_name
from counterproof.analysis.polyglot.corpus import SCRIPTS
from counterproof.analysis.polyglot.guards import is_gate
from counterproof.analysis.polyglot.javascript.middleware import handler_of, middleware_verdict
from counterproof.analysis.polyglot.javascript.modules import FUNCTIONS, Modules
from counterproof.analysis.polyglot.javascript.registrars import method_of, registering_calls
from counterproof.analysis.polyglot.javascript.routers import RouterFinder, framework_of
from counterproof.analysis.polyglot.literals import entries, entry, items, known_text, texts
from counterproof.analysis.polyglot.nodes import unwrapped
from counterproof.analysis.polyglot.routers import Key, Mount, Registered, Routers, Use, parameter_key
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint

VERBS = {
    "get": "GET", "post": "POST", "put": "PUT", "patch": "PATCH", "delete": "DELETE", "del": "DELETE", "head": "HEAD",
    "options": "OPTIONS", "all": "ANY", "any": "ANY", "search": "SEARCH",
}  # fmt: skip
ERROR_HANDLER = 4
"""Parameters by which Express tells an error handler, which runs after a request was refused."""
_HOOKS = ("onRequest", "preHandler", "preValidation", "preParsing")
_HANDLERS = (*FUNCTIONS, "identifier", "member_expression", "call_expression", "array", "subscript_expression")


def web_routes(modules: Modules) -> Iterator[EntryPoint]:
    """Every route of every router."""
    corpus = modules.corpus
    frameworks = [name for source in corpus.sources(*SCRIPTS) if (name := framework_of(modules, source))]
    if not frameworks:
        return
    common = max(sorted(set(frameworks)), key=frameworks.count)
    reader = _Reader(modules, Routers(common))
    for source in corpus.sources(*SCRIPTS):
        reader.read(source)
    reader.read_registrars()
    reader.routers.prefixes = reader.finder.prefixes
    yield from reader.routers.flattened()


class _Reader:
    def __init__(self, modules: Modules, routers: Routers) -> None:
        self.modules = modules
        self.routers = routers
        self.finder = RouterFinder(modules)

    def read(self, source: Source) -> None:
        for chain in self.modules.corpus.chains(source):
            if chain.base is not None or chain.links[0].name in ("Router", "express", "require") or len(chain.links) > 1:
                self._registered(source, chain)
            self._handed_over(source, chain)

    def read_registrars(self) -> None:
        """Collect routes that project functions register for their callers."""
        for call in registering_calls(self.modules, self.finder.key, VERBS):
            before = strongest(middleware_verdict(self.modules, each.source, each.node) for each in call.before)
            for path in _paths(call.path.source, call.path.node):
                event = self._event(call.handler.source, method_of(call.verb, VERBS), path, call.handler.node, before)
                self.routers.add(call.router, call.source, call.node.end_byte, event)

    def _registered(self, source: Source, chain: Chain) -> None:
        if not any(link.name in VERBS or link.name in ("use", "route", "register", "addHook") for link in chain.links):
            return
        router = self.finder.key(source, chain.links[-1].node) or self._base(source, chain)
        if router is None:
            return
        pending: str | None = None
        for link in chain.links:
            if link.name == "route":
                pending = self._route(router, source, link)
            elif link.name in VERBS:
                self._verb(router, source, link, pending)
            elif link.name == "use":
                self._use(router, source, link)
            elif link.name == "register":
                self._plugin(router, source, link)
            elif link.name == "addHook" and len(link.arguments) > 1 and known_text(source, link.arguments[0]) in _HOOKS:
                verdict = middleware_verdict(self.modules, source, link.arguments[1])
                self.routers.add(router, source, _after(link), Use(verdict))

    def _base(self, source: Source, chain: Chain) -> Key | None:
        return self.finder.key(source, chain.base) if chain.base is not None else None

    def _verb(self, router: Key, source: Source, link: Link, pending: str | None) -> None:
        arguments = link.arguments
        paths = (pending,) if pending is not None else _paths(source, arguments[0]) if arguments else ()
        rest = arguments if pending is not None else arguments[1:]
        if not paths or not rest or rest[-1].type not in (*_HANDLERS, "object"):
            return
        before = [middleware_verdict(self.modules, source, each) for each in rest[:-1] if each.type != "object"]
        before += [self._options(source, each) for each in rest if each.type == "object"]
        for path in paths:
            self._add(router, source, link, VERBS[link.name], path, rest[-1], strongest(before))

    def _add(self, router: Key, source: Source, link: Link, method: str, path: str, handler: Node, before: Verdict) -> None:
        self.routers.add(router, source, _after(link), self._event(source, method, path, handler, before))

    def _event(self, source: Source, method: str, path: str, handler: Node, before: Verdict) -> Registered:
        if handler.type == "array" and items(handler):
            listed = items(handler)
            before = strongest((before, *(middleware_verdict(self.modules, source, each) for each in listed[:-1])))
            handler = listed[-1]
        (where, line, name), own = handler_of(self.modules, source, handler)
        if is_gate(plain_name(source, handler)):
            own = strongest((own, middleware_verdict(self.modules, source, handler)))
        framework = framework_of(self.modules, source)
        return Registered(method, path, where, line, name, strongest((before, own)), EntryKind.HTTP, framework)

    def _options(self, source: Source, options: Node) -> Verdict:
        """Hooks in the options of a Fastify route."""
        return strongest(
            middleware_verdict(self.modules, source, value) for name, value in entries(source, options) if name in _HOOKS
        )

    def _route(self, router: Key, source: Source, link: Link) -> str | None:
        """`.route("/x")` starts a route for the following links; Fastify's `.route({…})` is a complete one."""
        first = link.arguments[0] if link.arguments else None
        if first is None or first.type != "object":
            return known_text(source, first)
        path = known_text(source, entry(source, first, "url") or entry(source, first, "path"))
        handler = entry(source, first, "handler")
        if path is not None and handler is not None:
            for method in texts(source, entry(source, first, "method")) or ("ANY",):
                self._add(router, source, link, method.upper(), path, handler, self._options(source, first))
        return None

    def _use(self, router: Key, source: Source, link: Link) -> None:
        for arguments in self._rows(source, link) or (list(link.arguments),):
            self._used(router, source, link, arguments)

    def _rows(self, source: Source, link: Link) -> list[list[Node]]:
        """The arguments of `ROUTES.forEach((each) => router.use(each.path, each.router))`, once for each row of the list."""
        for name, listed in _loops(source, link.node):
            found = self.modules.meaning(source, listed)
            if found is not None and found.node is not None and found.node.type == "array" and found.source is source:
                rows = [each for each in items(found.node) if each.type == "object"]
                return [[_field(source, each, name, row) for each in link.arguments] for row in rows]
        return []

    def _used(self, router: Key, source: Source, link: Link, arguments: list[Node]) -> None:
        first = known_text(source, arguments[0]) if arguments else None
        prefixes = _paths(source, arguments[0]) if len(arguments) > 1 and (first is not None or _is_list(arguments[0])) else ("",)
        prefixes = prefixes or ("",)
        given = [part for each in (arguments[1:] if prefixes != ("",) else arguments) for part in items(each)]
        before: list[Verdict] = []
        for each in given:
            mounted = self.finder.key(source, each)
            if mounted is not None:
                for prefix in prefixes:
                    self.routers.add(router, source, _after(link), Mount(mounted, prefix, strongest(before)))
                continue
            place = self.modules.place(source, each)
            if place is not None and len(place.function.parameters) == ERROR_HANDLER:
                continue
            verdict = middleware_verdict(self.modules, source, each)
            before.append(verdict)
            for prefix in prefixes:
                self.routers.add(router, source, _after(link), Use(verdict, prefix))

    def _plugin(self, router: Key, source: Source, link: Link) -> None:
        """Fastify's `register(plugin, {prefix})`: the plugin's first parameter is a separate router."""
        first = link.arguments[0] if link.arguments else None
        place = self.modules.place(source, first)
        if place is None:
            verdict = OPEN if first is None else middleware_verdict(self.modules, source, first)
            self.routers.add(router, source, _after(link), Use(verdict))
            return
        options = link.arguments[1] if len(link.arguments) > 1 else None
        prefix = known_text(source, entry(source, options, "prefix")) if options is not None else None
        if place.function.parameters:
            mounted = parameter_key(place.source, place.function, place.function.parameters[0])
            self.routers.add(router, source, _after(link), Mount(mounted, prefix or ""))

    def _handed_over(self, source: Source, chain: Chain) -> None:
        """`routes(app)` and `require("./routes")(app)`: the function's parameter is that router."""
        link = chain.links[-1]
        if link.name not in (*VERBS, "use", "route", "register") and link.node.type == "call_expression":
            plain = ("identifier", "member_expression")
            self.routers.hand_over(
                source,
                link,
                lambda given: self.finder.key(source, given) if given.type in plain else None,
                lambda: self.modules.called(source, link.node),
            )


def _loops(source: Source, node: Node) -> Iterator[tuple[str, Node]]:
    """The variables of the loops around a node, each with the list that it runs over."""
    current = node.parent
    while current is not None:
        passed = current.parent
        if current.type == "for_in_statement" and (over := current.child_by_field_name("right")) is not None:
            yield source.text(current.child_by_field_name("left")), over
        elif current.type in FUNCTIONS and passed is not None and passed.type == "arguments" and passed.parent is not None:
            called = passed.parent.child_by_field_name("function")
            function = source.function_at(current)
            over = called.child_by_field_name("object") if called is not None else None
            if over is not None and function is not None and source.text(called).endswith((".forEach", ".map")):
                yield from ((name, over) for name in function.parameters[:1])
        current = current.parent


def _field(source: Source, argument: Node, name: str, row: Node) -> Node:
    """`each.path` as the row has it; another argument as it is."""
    owner = argument.child_by_field_name("object") if argument.type == "member_expression" else None
    own = owner is not None and source.text(owner) == name
    return (entry(source, row, source.text(argument.child_by_field_name("property"))) if own else None) or argument


def _after(link: Link) -> int:
    """The order of a link: links of one chain run in the order in which they end."""
    return link.node.end_byte


def _is_list(node: Node) -> bool:
    return node.type == "array" and all(each.type in ("string", "template_string", "regex") for each in items(node))


def _paths(source: Source, node: Node) -> tuple[str, ...]:
    """The paths in a first argument; a regular expression is shown as written."""
    inner = unwrapped(node)
    if inner is not None and inner.type == "regex":
        return (source.text(inner),)
    found = texts(source, node)
    return found if all(path.startswith(("/", "*", "(", "{", ":", ".")) or path == "" for path in found) else ()
