"""Rails routes: `config/routes.rb` and the files it draws, with namespaces, scopes, resources and the controllers behind them.

Invariant: blocks are walked with a stack, not with recursion, up to a bound; a controller that is not in the project leaves
the route's own line as its handler. Not handled here: what filters say.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest, unknown
from counterproof.analysis.polyglot.chains import Chain, Link, chain_at
from counterproof.analysis.polyglot.literals import entries, known_text, literal, texts
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.ruby.classes import Classes
from counterproof.analysis.polyglot.ruby.filters import Filters
from counterproof.analysis.polyglot.ruby.rails_names import DEVISE, PLURAL, SINGULAR, class_name, plural, singular, under
from counterproof.analysis.polyglot.source import Source
from counterproof.model.location import at
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

MAX_STATEMENTS = 50_000
VERBS = ("get", "post", "put", "patch", "delete")
_FILES = re.compile(r"(?:.{1,300}/)?config/routes(?:/.{1,200})?\.rb")


@dataclass(frozen=True, slots=True)
class Scope:
    """Where in the routes we are. `collection` is the path of the resource around, `member` that of one of its items."""

    prefix: str = ""
    module: str = ""
    controller: str = ""
    collection: str = ""
    member: str = ""
    on: str = ""
    verdict: Verdict = OPEN


@dataclass(frozen=True, slots=True)
class _Route:
    method: str
    path: str
    controller: str
    action: str


def rails_routes(classes: Classes) -> Iterator[EntryPoint]:
    reader = _Reader(classes)
    for source in classes.corpus.sources(Language.RUBY):
        if _FILES.fullmatch(source.path):
            yield from reader.file(source)


class _Reader:
    def __init__(self, classes: Classes) -> None:
        self.classes = classes
        self.filters = Filters(classes)

    def file(self, source: Source) -> Iterator[EntryPoint]:
        concerns = _concerns(source)
        pending: list[tuple[Node, Scope]] = [(child, Scope()) for child in reversed(source.root.named_children)]
        for _ in range(MAX_STATEMENTS):
            if not pending:
                return
            node, scope = pending.pop()
            chain = chain_at(source, node)
            if chain is None:
                if node.type in (
                    "if",
                    "unless",
                    "if_modifier",
                    "begin",
                    "then",
                    "body_statement",
                    "block_body",
                    "unless_modifier",
                ):
                    pending.extend((child, scope) for child in reversed(node.named_children))
                continue
            link = chain.links[-1]
            yield from (
                self._entry(source, link, route, scope) for route in self._routes(source, link, scope) if self._is_served(route)
            )
            inner = self._inner(source, chain, scope)
            blocks = [link.block] if link.block is not None else []
            blocks += [concerns[name] for name in texts(source, link.keyword("concerns")) if name in concerns]
            if link.name == "concerns":
                blocks += [concerns[name] for each in link.arguments for name in texts(source, each) if name in concerns]
            for block in blocks if link.name != "concern" else ():
                body = block.child_by_field_name("body") or block
                pending.extend((child, inner) for child in reversed(body.named_children))

    def _inner(self, source: Source, chain: Chain, scope: Scope) -> Scope:
        """The scope inside a link's block."""
        link = chain.links[-1]
        name = known_text(source, link.arguments[0]) if link.arguments else None
        if link.name == "namespace" and name is not None:
            path = _option(source, link, "path")
            module = _option(source, link, "module") or name
            prefix = joined(_nested(scope), path if path is not None else name)
            return Scope(prefix=prefix, module=under(scope.module, module), verdict=scope.verdict)
        if link.name == "scope":
            path = name if name is not None else _option(source, link, "path") or ""
            module = _option(source, link, "module")
            controller = _option(source, link, "controller") or scope.controller
            return replace(scope, prefix=joined(_nested(scope), path), collection="", member="", controller=controller,
                           module=under(scope.module, module) if module else scope.module)  # fmt: skip
        if link.name in ("resources", "resource") and name is not None:
            return self._inside_resource(source, link, scope, name)
        if link.name in ("member", "collection", "new"):
            return replace(scope, on=link.name)
        if link.name == "controller" and name is not None:
            return replace(scope, controller=name)
        if link.name in ("authenticate", "authenticated"):
            return replace(scope, verdict=as_written(source.path, link.line, link.name))
        return scope

    def _inside_resource(self, source: Source, link: Link, scope: Scope, name: str) -> Scope:
        path = _option(source, link, "path")
        collection = joined(_nested(scope), path if path is not None else name)
        parameter = _option(source, link, "param") or "id"
        member = f"{collection}/:{singular(name)}_{parameter}" if link.name == "resources" else collection
        module = _option(source, link, "module")
        return replace(scope, prefix="", collection=collection, member=member, on="", controller=_controller(source, link, name),
                       module=under(scope.module, module) if module else scope.module)  # fmt: skip

    def _routes(self, source: Source, link: Link, scope: Scope) -> Iterator[_Route]:
        if link.name in ("resources", "resource"):
            for each in link.arguments:
                name = known_text(source, each)
                if name is not None:
                    yield from self._resource(source, link, scope, name)
        elif link.name == "root":
            target = _option(source, link, "to") or (known_text(source, link.arguments[0]) if link.arguments else None) or ""
            controller, _, action = target.partition("#")
            yield _Route("GET", scope.prefix or "/", under(scope.module, controller), action)
        elif link.name in VERBS or link.name == "match":
            yield from self._single(source, link, scope)
        elif link.name == "devise_for" and link.arguments:
            yield from self._devise(source, link, scope)
        elif link.name == "mount":
            for path in [_option(source, link, "at"), *(known_text(source, value) for _, value in link.named)]:
                if path and path.startswith("/"):
                    mounted = source.text(link.arguments[0], 60) if link.arguments else link.named[0][0]
                    yield _Route("ANY", joined(scope.prefix, path), mounted, "mounted")
                    break

    def _resource(self, source: Source, link: Link, scope: Scope, name: str) -> Iterator[_Route]:
        path = _option(source, link, "path")
        base = joined(_nested(scope), path if path is not None else name)
        only, skipped = set(texts(source, link.keyword("only"))), set(texts(source, link.keyword("except")))
        parameter = _option(source, link, "param") or "id"
        module = _option(source, link, "module")
        owner = under(under(scope.module, module) if module else scope.module, _controller(source, link, name))
        for action, method, tail in PLURAL if link.name == "resources" else SINGULAR:
            if (link.keyword("only") is None or action in only) and action not in skipped:
                yield _Route(method, base + tail.replace(":id", f":{parameter}"), owner, action)

    def _single(self, source: Source, link: Link, scope: Scope) -> Iterator[_Route]:
        methods = (
            [link.name.upper()]
            if link.name != "match"
            else [each.upper() for each in texts(source, link.keyword("via"))] or ["ANY"]
        )
        on = _option(source, link, "on") or scope.on
        front = _front(scope, on)
        if link.arguments:
            paths = [text for each in link.arguments if (text := known_text(source, each)) is not None]
            targets = [_option(source, link, "to") or "" for _ in paths]
        else:
            pairs = [(literal_key, value) for literal_key, value in _arrow(source, link)]
            paths, targets = [key for key, _ in pairs[:1]], [known_text(source, value) or "" for _, value in pairs[:1]]
        for path, target in zip(paths, targets, strict=True):
            controller, mark, action = target.partition("#")
            if not mark:
                named = _option(source, link, "controller") or scope.controller
                action = _option(source, link, "action") or target or path.strip("/").rpartition("/")[2].replace("-", "_")
                controller = named or path.strip("/").partition("/")[0]
                if not named and "/" in path.strip("/"):
                    controller, _, action = path.strip("/").rpartition("/")
            for method in methods:
                yield _Route(method, joined(front, path), under(scope.module, controller), action)

    def _devise(self, source: Source, link: Link, scope: Scope) -> Iterator[_Route]:
        name = known_text(source, link.arguments[0]) or "users"
        path = _option(source, link, "path")
        own = {key: known_text(source, value) or "" for key, value in entries(source, link.keyword("controllers"))}
        names = {key: known_text(source, value) or "" for key, value in entries(source, link.keyword("path_names"))}
        for controller, action, method, tail in DEVISE:
            shown = "/" + names.get(tail.strip("/"), tail.strip("/")) if tail else ""
            yield _Route(
                method,
                joined(scope.prefix, path if path is not None else name) + shown,
                own.get(controller, f"devise/{controller}"),
                action,
            )

    def _is_served(self, route: _Route) -> bool:
        """`resources` names seven actions; those that the controller does not have, and no template stands for, answer 404."""
        found = self.classes.find(class_name(route.controller)) if route.action != "mounted" else None
        if found is None or self.classes.method(found, route.action) is not None:
            return True
        if self.classes.foreign_parent(found) not in ("ActionController::Base", "ActionController::API"):
            return True
        return f"app/views/{route.controller}/{route.action}" in self._templates

    @cached_property
    def _templates(self) -> frozenset[str]:
        views = [path for path in self.classes.corpus.project.files if "app/views/" in path]
        return frozenset(path[path.index("app/views/") :].partition(".")[0] for path in views)

    def _entry(self, source: Source, link: Link, route: _Route, scope: Scope) -> EntryPoint:
        name = class_name(route.controller)
        found = self.classes.find(name) if route.action != "mounted" else None
        place = self.classes.method(found, route.action) if found else None
        where = at(source.path, link.line)
        if place is not None:
            where = at(place.source.path, place.function.line)
        elif found is not None:
            where = at(found.source.path, found.node.line)
        if found is not None:
            verdict = strongest((scope.verdict, self.filters.before(found, route.action)))
        else:
            doubt = unknown(source.path, link.line, f"{route.controller or 'the target'} is not in the project")
            verdict = strongest((scope.verdict, doubt))
        shown = f"{name.removesuffix('Controller') or 'Application'}#{route.action}"
        return EntryPoint(EntryKind.HTTP, route.method, joined("", route.path), where, shown, "Rails", *verdict.parts)


def _nested(scope: Scope) -> str:
    """The path that a resource or scope inside another one starts from."""
    return joined(scope.member, scope.prefix) if scope.member else scope.prefix


def _front(scope: Scope, on: str) -> str:
    if not scope.collection:
        return scope.prefix
    if on == "collection":
        return scope.collection
    if on == "member":
        return re.sub(r"/:(\w{1,80})_(\w{1,80})$", r"/:\2", scope.member)
    return scope.collection + "/new" if on == "new" else scope.member


def _controller(source: Source, link: Link, name: str) -> str:
    given = _option(source, link, "controller")
    if given is not None:
        return given
    return name if link.name == "resources" or name.endswith("s") else plural(name)


def _option(source: Source, link: Link, name: str) -> str | None:
    return known_text(source, link.keyword(name))


def _arrow(source: Source, link: Link) -> Iterator[tuple[str, Node]]:
    """`get "path" => "controller#action"`: a pair whose key is a text."""
    passed = link.node.child_by_field_name("arguments")
    for each in passed.named_children[:20] if passed is not None else ():
        key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
        if each.type == "pair" and key is not None and value is not None and key.type == "string":
            yield literal(source, key) or "", value


def _concerns(source: Source) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for node in source.calls:
        chain = chain_at(source, node)
        if chain and chain.links[-1].name == "concern" and chain.links[-1].arguments and chain.links[-1].block is not None:
            found[known_text(source, chain.links[-1].arguments[0]) or ""] = chain.links[-1].block
    return found
