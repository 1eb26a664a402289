"""Routes that PHP programs register by calls: Laravel, Lumen, Slim; with their middleware as written.

A group is a function with a prefix and middleware that apply to everything inside its braces. A file that a provider loads into a
group belongs to it completely. Not handled here: routes declared by attributes.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.kept import kept
from counterproof.analysis.polyglot.chains import Chain, Link, chain_at
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.literals import entries, entry, items, known_text, texts
from counterproof.analysis.polyglot.nodes import line_of
from counterproof.analysis.polyglot.php.classes import FUNCTIONS, Classes
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

VERBS = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "options", "head", "any")} | {"view": "GET"}
_RESOURCE = (
    ("index", "GET", ""), ("create", "GET", "/create"), ("store", "POST", ""), ("show", "GET", "/{id}"),
    ("edit", "GET", "/{id}/edit"), ("update", "PUT", "/{id}"), ("destroy", "DELETE", "/{id}"),
)  # fmt: skip
_FORMS = ("create", "edit")
_RECEIVERS = ("Route", "app", "router", "group", "r", "routes", "this.app", "this.router", "api", "proxy")


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """`start` and `end` are the braces; a group for a whole file has none."""

    prefix: str
    verdict: Verdict = OPEN
    controller: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class _Handler:
    """A class and its method, or an expression."""

    owner: str = ""
    action: str = ""
    node: Node | None = None


def called_routes(classes: Classes) -> Iterator[EntryPoint]:
    corpus = classes.corpus
    sources = [source for source in corpus.sources(Language.PHP) if corpus.mentions(source, b"Route::", b"->")]
    reader = _Reader(classes)
    for source in sources:
        reader.collect(source)
    for source in sources:
        for chain in corpus.chains(source):
            yield from reader.routes(source, chain)


class _Reader:
    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self.corpus = classes.corpus
        self.laravel = "artisan" in self.corpus.project.files
        self.groups: dict[str, list[_Group]] = {}
        self.files: dict[str, _Group] = {}
        self.everywhere: dict[str, list[Verdict]] = {}

    def collect(self, source: Source) -> None:
        """Groups first, so that a route finds the enclosing ones anywhere."""
        for chain in self.corpus.chains(source):
            for link in chain.links if _is_router(chain) else ():
                if link.name == "group" and link.arguments:
                    self._group(source, chain, link)
                elif link.name == "add" and chain.root in ("app", "this.app") and link is chain.links[0] and link.arguments:
                    self.everywhere.setdefault(source.path, []).append(_middleware(source, link.arguments[0]))

    def _group(self, source: Source, chain: Chain, link: Link) -> None:
        first, body = link.arguments[0], link.arguments[-1]
        own = self._opened(source, chain)
        prefix, verdict = own.prefix, own.verdict
        if first.type == "array_creation_expression":
            prefix = joined(prefix, known_text(source, entry(source, first, "prefix")) or "")
            verdict = strongest((verdict, _middleware(source, entry(source, first, "middleware"))))
        elif len(link.arguments) > 1 and (text := known_text(source, first)):
            prefix = joined(prefix, text)
        if body.type in FUNCTIONS:
            group = _Group(prefix, verdict, own.controller, body.start_byte, body.end_byte)
            self.groups.setdefault(source.path, []).append(group)
            return
        written = chain_at(source, body)
        named = written.links[0].arguments[0] if written and written.links[0].arguments else body
        if file := known_text(source, named):
            self.files[posixpath.basename(file)] = _Group(prefix, verdict, own.controller)

    def _opened(self, source: Source, chain: Chain) -> _Group:
        """The settings in the other links of a chain: prefix, middleware, controller."""
        prefix, controller = "", ""
        verdicts: list[Verdict] = []
        for link in chain.links:
            first = link.arguments[0] if link.arguments else None
            if link.name == "prefix":
                prefix = joined(prefix, known_text(source, first) or "")
            elif link.name == "can":
                verdicts.append(as_written(source.path, link.line, "can"))
            elif link.name == "middleware" or (link.name == "add" and link is not chain.links[0]):
                verdicts += [_middleware(source, each) for each in link.arguments]
            elif link.name == "controller" and first is not None:
                controller = self.classes.imported(source, source.text(first).removesuffix("::class"))
        return _Group(prefix, strongest(verdicts), controller)

    def routes(self, source: Source, chain: Chain) -> Iterator[EntryPoint]:
        if not _is_router(chain):
            return
        own = self._opened(source, chain)
        for link in chain.links:
            around = [*self._around(source, link.node), own]
            for method, path, handler in self._registered(source, chain, link, around):
                yield self._entry(source, chain, link, method, path, handler, around)

    def _registered(self, source: Source, chain: Chain, link: Link, around: list[_Group]) -> Iterator[tuple[str, str, _Handler]]:
        """Method, path and handler of the routes that one link registers."""
        given = link.arguments
        if link.name in VERBS and given:
            yield from self._single(source, (VERBS[link.name],), given, around)
        elif link.name in ("match", "map") and len(given) > 2:
            methods = tuple(text.upper() for text in texts(source, given[0])) or ("ANY",)
            yield from self._single(source, methods, given[1:], around)
        elif link.name in ("resource", "apiResource", "singleton") and len(given) > 1:
            path = known_text(source, given[0])
            owner = self.classes.named(source, given[1])[0] or known_text(source, given[1])
            only, skipped = _limits(source, chain, given[2] if len(given) > 2 else None)
            for action, method, tail in _RESOURCE if path is not None else ():
                if (
                    (not only or action in only)
                    and action not in skipped
                    and (link.name != "apiResource" or action not in _FORMS)
                ):
                    handler = _Handler(owner or source.text(given[1]).removesuffix("::class"), action)
                    yield method, (path or "").replace(".", "/{parent}/") + tail, handler
        elif link.name in ("resources", "apiResources") and given:
            for path, named in entries(source, given[0]):
                for action, method, tail in _RESOURCE:
                    if link.name == "resources" or action not in _FORMS:
                        yield method, path + tail, _Handler(self.classes.named(source, named)[0], action)

    def _single(
        self, source: Source, methods: tuple[str, ...], given: tuple[Node, ...], around: list[_Group]
    ) -> Iterator[tuple[str, str, _Handler]]:
        path, handler = known_text(source, given[0]), given[1] if len(given) > 1 else None
        if path is None or (handler is None and not path.startswith("/")):
            return
        if handler is not None and handler.type == "array_creation_expression":
            handler = entry(source, handler, "uses") or handler
        owner, action = self.classes.named(source, handler)
        controller = next((group.controller for group in reversed(around[:-1]) if group.controller), "")
        if not owner and controller and handler is not None:
            owner, action = controller, known_text(source, handler) or ""
        yield from ((method, path, _Handler(owner, action, handler)) for method in methods)

    def _around(self, source: Source, node: Node) -> list[_Group]:
        inside = [each for each in self.groups.get(source.path, ()) if each.start <= node.start_byte < each.end]
        whole = self.files.get(posixpath.basename(source.path))
        if whole is None and self.laravel and source.path.endswith("routes/api.php"):
            whole = _Group("/api")
        return [*([whole] if whole else []), *sorted(inside, key=lambda each: each.start)]

    def _entry(
        self, source: Source, chain: Chain, link: Link, method: str, path: str, handler: _Handler, around: list[_Group]
    ) -> EntryPoint:
        owner, action = handler.owner, handler.action
        for group in reversed(around):
            path = joined(group.prefix, path)
        place = self.classes.method(owner, action) if owner else self.classes.place(source, handler.node)
        said = [*self.everywhere.get(source.path, ()), *(group.verdict for group in around)]
        said += [
            rule for rule, only, skipped in self._constructed(owner) if (not only or action in only) and action not in skipped
        ]
        name = f"{owner}.{action}".replace("\\", ".") if owner else "<anonymous>"
        where = (place.source, place.function.line, name) if place else (source, link.line, name)
        framework = "Laravel" if chain.root == "Route" or self.laravel else "Slim"
        return entered(EntryKind.HTTP, method, path, where, strongest(said), framework)

    @kept
    def _constructed(self, owner: str) -> list[tuple[Verdict, set[str], set[str]]]:
        """The middleware that a controller assigns to its actions in its constructor, or in its middleware list."""
        found: list[tuple[Verdict, set[str], set[str]]] = []
        for source, _ in self.classes.ancestry(owner) if owner else ():
            for chain in self.corpus.chains(source):
                first = chain.links[0]
                if chain.root == "this" and first.name in ("middleware", "authorizeResource"):
                    given = first.arguments[0] if first.name == "middleware" and first.arguments else None
                    verdict = _middleware(source, given) if given is not None else as_written(source.path, first.line, first.name)
                    found.append((verdict, *_limits(source, chain)))
            if b"HasMiddleware" in source.data and (own := source.by_name.get("middleware")):
                found.append((as_written(source.path, own[0].line, "middleware()"), set(), set()))
        return found


def _middleware(source: Source, node: Node | None) -> Verdict:
    """Middleware given as a name, a class, an object, a closure or a list of them."""
    if node is None:
        return OPEN
    if node.type == "array_creation_expression":
        return strongest(_middleware(source, each) for each in items(node))
    name = "a function" if node.type in FUNCTIONS else known_text(source, node) or source.text(node)
    return as_written(source.path, line_of(node), name.removesuffix("::class"))


def _limits(source: Source, chain: Chain, options: Node | None = None) -> tuple[set[str], set[str]]:
    """The actions that `only` and `except` name, in options or in links of the chain."""
    found = {name: set(texts(source, entry(source, options, name))) for name in ("only", "except")}
    for link in chain.links:
        if link.name in found:
            found[link.name] |= {text for each in link.arguments for text in texts(source, each)}
    return found["only"], found["except"]


def _is_router(chain: Chain) -> bool:
    """Laravel's facade, or a variable with a common router name."""
    root = chain.root.rpartition("\\")[2]
    registers = any(link.name in (*VERBS, "group", "map", "add") and link.arguments for link in chain.links)
    return root == "Route" or (root in _RECEIVERS and registers)
