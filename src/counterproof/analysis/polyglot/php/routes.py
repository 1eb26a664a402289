"""Routes that PHP programs register by calls: Laravel, Lumen, Slim.

A group is a function with a prefix and middleware; what is inside its braces belongs to it. A file that a provider loads into
a group belongs to it as a whole. Not handled here: routes that attributes declare.
"""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest
from counterproof.analysis.polyglot.chains import Chain, Link, chain_at
from counterproof.analysis.polyglot.literals import entry, known_text, texts
from counterproof.analysis.polyglot.php.classes import FUNCTIONS, Classes
from counterproof.analysis.polyglot.php.middleware import Middleware
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

VERBS = {verb: verb.upper() for verb in ("get", "post", "put", "patch", "delete", "options", "head")} | {
    "any": "ANY",
    "view": "GET",
}
_RESOURCE = (
    ("index", "GET", ""), ("create", "GET", "/create"), ("store", "POST", ""), ("show", "GET", "/{id}"),
    ("edit", "GET", "/{id}/edit"), ("update", "PUT", "/{id}"), ("destroy", "DELETE", "/{id}"),
)  # fmt: skip
_RECEIVERS = ("Route", "app", "router", "group", "r", "routes", "this.app", "this.router", "api", "proxy")


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """`start` and `end` are the braces; a group for a whole file has `file` instead."""

    prefix: str
    verdict: Verdict
    controller: str
    path: str
    start: int = 0
    end: int = 0
    file: str = ""


def called_routes(classes: Classes) -> Iterator[EntryPoint]:
    corpus = classes.corpus
    sources = [source for source in corpus.sources(Language.PHP) if any(mark in source.data for mark in (b"Route::", b"->"))]
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
        self.middleware = Middleware(classes)
        self.groups: dict[str, list[_Group]] = {}
        self.files: dict[str, _Group] = {}
        self.everywhere: dict[str, list[Verdict]] = {}

    def collect(self, source: Source) -> None:
        """Groups first, so that a route finds those around it wherever they stand."""
        for chain in self.corpus.chains(source):
            if not _is_router(chain):
                continue
            for link in chain.links:
                if link.name == "group":
                    self._group(source, chain, link)
                elif link.name == "add" and chain.root in ("app", "this.app") and link is chain.links[0] and link.arguments:
                    said = self.middleware.of_node(source, link.arguments[0])
                    self.everywhere.setdefault(source.path, []).append(said)

    def _group(self, source: Source, chain: Chain, link: Link) -> None:
        options = link.arguments[0] if link.arguments and link.arguments[0].type == "array_creation_expression" else None
        prefix, verdicts, controller = self._opened(source, chain)
        first = known_text(source, link.arguments[0]) if len(link.arguments) > 1 and options is None else None
        prefix = joined(prefix, first) if first else prefix
        if options is not None:
            prefix = joined(prefix, known_text(source, entry(source, options, "prefix")) or "")
            verdicts.append(self.middleware.of_node(source, entry(source, options, "middleware")))
        body = link.arguments[-1] if link.arguments else None
        verdict = strongest(verdicts)
        if body is not None and body.type in FUNCTIONS:
            group = _Group(prefix, verdict, controller, source.path, body.start_byte, body.end_byte)
            self.groups.setdefault(source.path, []).append(group)
        elif body is not None:
            written = chain_at(source, body)
            file = (
                known_text(source, written.links[0].arguments[0])
                if written and written.links[0].arguments
                else known_text(source, body)
            )
            if file:
                self.files[posixpath.basename(file)] = _Group(prefix, verdict, controller, source.path, file=file)

    def _opened(self, source: Source, chain: Chain) -> tuple[str, list[Verdict], str]:
        """What the other links of a chain say about the whole: prefix, middleware, controller."""
        prefix, controller = "", ""
        verdicts: list[Verdict] = []
        for link in chain.links:
            first = link.arguments[0] if link.arguments else None
            if link.name == "prefix":
                prefix = joined(prefix, known_text(source, first) or "")
            elif link.name in ("middleware", "can") or (link.name == "add" and link is not chain.links[0]):
                said = [self.middleware.of_node(source, each) for each in link.arguments]
                verdicts += said if link.name != "can" else [as_written(source.path, link.line, "can")]
            elif link.name == "controller" and first is not None:
                controller = self.classes.imported(source, source.text(first).removesuffix("::class"))
        return prefix, verdicts, controller

    def routes(self, source: Source, chain: Chain) -> Iterator[EntryPoint]:
        if not _is_router(chain):
            return
        for link in chain.links:
            if link.name in VERBS and len(link.arguments) >= 1:
                yield from self._route(source, chain, link, (VERBS[link.name],), 0)
            elif link.name in ("match", "map") and len(link.arguments) > 2:
                methods = tuple(text.upper() for text in texts(source, link.arguments[0])) or ("ANY",)
                yield from self._route(source, chain, link, methods, 1)
            elif link.name in ("resource", "apiResource", "singleton") and len(link.arguments) > 1:
                yield from self._resource(source, chain, link)
            elif link.name in ("resources", "apiResources") and link.arguments:
                yield from self._resources(source, chain, link)

    def _route(self, source: Source, chain: Chain, link: Link, methods: tuple[str, ...], at_: int) -> Iterator[EntryPoint]:
        path = known_text(source, link.arguments[at_])
        handler = link.arguments[at_ + 1] if len(link.arguments) > at_ + 1 else None
        if path is None or (handler is None and not path.startswith("/")):
            return
        if handler is not None and handler.type == "array_creation_expression" and (uses := entry(source, handler, "uses")):
            handler = uses
        owner, method = self.classes.named(source, handler)
        around = self._around(source, link.node)
        controller = next((group.controller for group in reversed(around) if group.controller), "")
        if not owner and controller and handler is not None:
            owner, method = controller, known_text(source, handler) or ""
        for each in methods:
            yield self._entry(source, chain, link, each, path, (owner, method, handler), around)

    def _resource(self, source: Source, chain: Chain, link: Link) -> Iterator[EntryPoint]:
        path = known_text(source, link.arguments[0])
        owner, _ = self.classes.named(source, link.arguments[1])
        owner = owner or known_text(source, link.arguments[1]) or source.text(link.arguments[1]).removesuffix("::class")
        options = link.arguments[2] if len(link.arguments) > 2 else None
        only, skipped = set(texts(source, entry(source, options, "only"))), set(texts(source, entry(source, options, "except")))
        for other in chain.links:
            if other.name in ("only", "except") and other.arguments:
                named = {text for each in other.arguments for text in texts(source, each)}
                only, skipped = (only | named, skipped) if other.name == "only" else (only, skipped | named)
        if link.name == "apiResource":
            skipped |= {"create", "edit"}
        around = self._around(source, link.node)
        for action, method, tail in _RESOURCE:
            if path is not None and (not only or action in only) and action not in skipped:
                parts = (owner, action, None)
                yield self._entry(source, chain, link, method, path.replace(".", "/{parent}/") + tail, parts, around)

    def _resources(self, source: Source, chain: Chain, link: Link) -> Iterator[EntryPoint]:
        around = self._around(source, link.node)
        for each in link.arguments[0].named_children[:200]:
            if len(each.named_children) != 2:
                continue
            path = known_text(source, each.named_children[0]) or ""
            owner, _ = self.classes.named(source, each.named_children[1])
            for action, method, tail in _RESOURCE:
                if link.name == "resources" or action not in ("create", "edit"):
                    yield self._entry(source, chain, link, method, path + tail, (owner, action, None), around)

    def _around(self, source: Source, node: Node) -> list[_Group]:
        inside = [each for each in self.groups.get(source.path, ()) if each.start <= node.start_byte < each.end]
        whole = self.files.get(posixpath.basename(source.path))
        if whole is None and source.path.endswith("routes/api.php") and "artisan" in self.corpus.project.files:
            whole = _Group("/api", OPEN, "", source.path)
        return [*([whole] if whole else []), *sorted(inside, key=lambda each: each.start)]

    def _entry(
        self, source: Source, chain: Chain, link: Link, method: str, path: str, handler: tuple[str, str, Node | None],
        around: list[_Group],
    ) -> EntryPoint:  # fmt: skip
        owner, action, node = handler
        prefix, verdicts, _ = self._opened(source, chain)
        for group in reversed(around):
            prefix = joined(group.prefix, prefix)
        place = self.classes.method(owner, action) if owner else self.classes.place(source, node)
        said = [*self.everywhere.get(source.path, ()), *(group.verdict for group in around), *verdicts]
        if owner:
            said.append(self.middleware.of_controller(owner, action))
        verdict = strongest(said)
        name = f"{owner}.{action}".replace("\\", ".") if owner else "<anonymous>"
        where = at(place.source.path, place.function.line) if place else at(source.path, link.line)
        framework = "Laravel" if chain.root == "Route" or "artisan" in self.corpus.project.files else "Slim"
        return EntryPoint(EntryKind.HTTP, method, joined(prefix, path), where, name, framework, *verdict.parts)


def _is_router(chain: Chain) -> bool:
    """Laravel's facade, or a variable that routers are commonly kept in."""
    root = chain.root.rpartition("\\")[2]
    if root == "Route":
        return True
    return root in _RECEIVERS and any(link.name in (*VERBS, "group", "map", "add") and link.arguments for link in chain.links)
