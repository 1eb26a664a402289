"""Rails routes: `config/routes.rb` and the files it draws, with namespaces, scopes, resources and their controllers.

Invariant: blocks are walked with a stack, not with recursion, up to a limit; only regular plurals are known, and if a controller
is not in the project, the route's own line is its handler. Not handled here: filters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from tree_sitter import Node

from counterproof.analysis.endpoints.verdict import OPEN, Verdict, as_written, strongest, unknown
from counterproof.analysis.polyglot.chains import Link, chain_at
from counterproof.analysis.polyglot.entered import entered
from counterproof.analysis.polyglot.literals import entries, known_text, texts
from counterproof.analysis.polyglot.routers import joined
from counterproof.analysis.polyglot.ruby.classes import Classes
from counterproof.analysis.polyglot.source import Source
from counterproof.model.recon import EntryKind, EntryPoint
from counterproof.model.survey import Language

MAX_STATEMENTS = 50_000
VERBS = ("get", "post", "put", "patch", "delete")
_FILES = re.compile(r"(?:.{1,300}/)?config/routes(?:/.{1,200})?\.rb")
_CONDITIONS = (
    "if", "unless", "if_modifier", "begin", "then", "body_statement", "block_body", "unless_modifier",
)  # fmt: skip
_BASES = ("ActionController::Base", "ActionController::API")
_PLURAL = (
    ("index", "GET", ""), ("create", "POST", ""), ("new", "GET", "/new"), ("edit", "GET", "/:id/edit"), ("show", "GET", "/:id"),
    ("update", "PATCH", "/:id"), ("destroy", "DELETE", "/:id"),
)  # fmt: skip
_SINGULAR = tuple((action, method, tail.replace("/:id", "")) for action, method, tail in _PLURAL[1:])
_DEVISE = (
    ("sessions", "new", "GET", "sign_in"), ("sessions", "create", "POST", "sign_in"),
    ("sessions", "destroy", "DELETE", "sign_out"),
    ("registrations", "create", "POST", ""), ("registrations", "update", "PATCH", ""), ("registrations", "destroy", "DELETE", ""),
    ("passwords", "create", "POST", "password"), ("passwords", "update", "PATCH", "password"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Scope:
    """The current position in the routes. `collection` is the path of the enclosing resource, `member` that of one of its
    items."""

    prefix: str = ""
    module: str = ""
    controller: str = ""
    collection: str = ""
    member: str = ""
    on: str = ""
    verdict: Verdict = OPEN

    @property
    def nested(self) -> str:
        """The start path of a nested resource or scope."""
        return joined(self.member, self.prefix) if self.member else self.prefix

    def front(self, on: str) -> str:
        """The start path of a single route."""
        if not self.collection:
            return self.prefix
        if on == "member":
            return re.sub(r"/:(\w{1,80})_(\w{1,80})$", r"/:\2", self.member)
        return {"collection": self.collection, "new": f"{self.collection}/new"}.get(on, self.member)


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

    def file(self, source: Source) -> Iterator[EntryPoint]:
        concerns = _concerns(source)
        pending: list[tuple[Node, _Scope]] = [(child, _Scope()) for child in reversed(source.root.named_children)]
        for _ in range(MAX_STATEMENTS):
            if not pending:
                return
            node, scope = pending.pop()
            chain = chain_at(source, node)
            if chain is None:
                pending += [(child, scope) for child in reversed(node.named_children) if node.type in _CONDITIONS]
                continue
            line = _Line(source, chain.links[-1], scope)
            yield from (self._entry(line, route) for route in line.routes() if self._is_served(route))
            if line.link.name != "concern":
                named = [*(line.link.arguments if line.link.name == "concerns" else ()), line.link.keyword("concerns")]
                drawn = [concerns.get(name) for each in named for name in texts(source, each)]
                for block in (each for each in (line.link.block, *drawn) if each is not None):
                    body = block.child_by_field_name("body") or block
                    pending += [(child, line.inner()) for child in reversed(body.named_children)]

    def _is_served(self, route: _Route) -> bool:
        """Return True if the controller has the action or a template exists: `resources` declares seven actions, and missing ones
        return 404."""
        found = self.classes.find(_class_name(route.controller)) if route.action != "mounted" else None
        if found is None or self.classes.method(found, route.action) or self.classes.foreign_parent(found) not in _BASES:
            return True
        return f"app/views/{route.controller}/{route.action}" in self._templates

    @cached_property
    def _templates(self) -> frozenset[str]:
        views = [path for path in self.classes.corpus.project.files if "app/views/" in path]
        return frozenset(path[path.index("app/views/") :].partition(".")[0] for path in views)

    def _entry(self, line: "_Line", route: _Route) -> EntryPoint:
        name = _class_name(route.controller)
        found = self.classes.find(name) if route.action != "mounted" else None
        place = self.classes.method(found, route.action) if found else None
        source, number = (found.source, found.node.line) if found else (line.source, line.link.line)
        if place is not None:
            source, number = place.source, place.function.line
        doubt = unknown(line.source.path, line.link.line, f"{route.controller or 'the target'} is not in the project")
        verdict = strongest((line.scope.verdict, self.classes.before(found, route.action) if found else doubt))
        shown = f"{name.removesuffix('Controller') or 'Application'}#{route.action}"
        return entered(EntryKind.HTTP, route.method, joined("", route.path), (source, number, shown), verdict, "Rails")


@dataclass(frozen=True, slots=True)
class _Line:
    """One call of a routes file in its scope: the routes that it declares, and the scope of its block."""

    source: Source
    link: Link
    scope: _Scope

    def _option(self, name: str) -> str | None:
        return known_text(self.source, self.link.keyword(name))

    def _either(self, name: str, other: str) -> str:
        given = self._option(name)
        return other if given is None else given

    def _argument(self) -> str | None:
        return known_text(self.source, self.link.arguments[0]) if self.link.arguments else None

    @property
    def _module(self) -> str:
        return _under(self.scope.module, self._option("module") or "")

    def _controller(self, name: str) -> str:
        return self._either("controller", name if self.link.name == "resources" or name.endswith("s") else _plural(name))

    def inner(self) -> _Scope:
        """The scope inside the block."""
        scope, name, kind = self.scope, self._argument(), self.link.name
        if kind == "scope":
            prefix = joined(scope.nested, name if name is not None else self._option("path") or "")
            controller = self._option("controller") or scope.controller
            return replace(scope, prefix=prefix, collection="", member="", controller=controller, module=self._module)
        if kind in ("member", "collection", "new"):
            return replace(scope, on=kind)
        if kind in ("authenticate", "authenticated"):
            return replace(scope, verdict=as_written(self.source.path, self.link.line, kind))
        if name is None:
            return scope
        if kind == "namespace":
            prefix = joined(scope.nested, self._either("path", name))
            return _Scope(prefix, _under(scope.module, self._option("module") or name), verdict=scope.verdict)
        if kind in ("resources", "resource"):
            base = joined(scope.nested, self._either("path", name))
            member = f"{base}/:{_singular(name)}_{self._option('param') or 'id'}" if kind == "resources" else base
            return replace(
                scope, prefix="", collection=base, member=member, on="", controller=self._controller(name), module=self._module
            )
        return replace(scope, controller=name) if kind == "controller" else scope

    def routes(self) -> Iterator[_Route]:
        link, scope = self.link, self.scope
        if link.name in ("resources", "resource"):
            for name in (known_text(self.source, each) for each in link.arguments):
                yield from self._resource(name) if name is not None else ()
        elif link.name == "root":
            controller, _, action = (self._option("to") or self._argument() or "").partition("#")
            yield _Route("GET", scope.prefix or "/", _under(scope.module, controller), action)
        elif link.name in VERBS or link.name == "match":
            yield from self._single()
        elif link.name == "devise_for" and link.arguments:
            yield from self._devise()
        elif link.name == "mount":
            paths = (known_text(self.source, value) for value in (link.keyword("at"), *(value for _, value in link.named)))
            path = next((each for each in paths if each and each.startswith("/")), None)
            if path is not None:
                mounted = self.source.text(link.arguments[0], 60) if link.arguments else link.named[0][0]
                yield _Route("ANY", joined(scope.prefix, path), mounted, "mounted")

    def _resource(self, name: str) -> Iterator[_Route]:
        base = joined(self.scope.nested, self._either("path", name))
        only, skipped = (self.link.keyword(each) for each in ("only", "except"))
        owner = _under(self._module, self._controller(name))
        for action, method, tail in _PLURAL if self.link.name == "resources" else _SINGULAR:
            if (only is None or action in texts(self.source, only)) and action not in texts(self.source, skipped):
                yield _Route(method, base + tail.replace(":id", f":{self._option('param') or 'id'}"), owner, action)

    def _single(self) -> Iterator[_Route]:
        link, scope = self.link, self.scope
        named = texts(self.source, link.keyword("via")) or ("any",) if link.name == "match" else (link.name,)
        front = scope.front(self._option("on") or scope.on)
        given = [
            (text, self._option("to") or "") for each in link.arguments if (text := known_text(self.source, each)) is not None
        ]
        for path, target in given if link.arguments else self._arrow():
            controller, mark, action = target.partition("#")
            if not mark:
                start, _, last = path.strip("/").rpartition("/")
                said = self._option("controller") or scope.controller
                action = self._option("action") or target or last.replace("-", "_")
                controller, action = (said, action) if said or not start else (start, last)
                controller = controller or last
            for method in named:
                yield _Route(method.upper(), joined(front, path), _under(scope.module, controller), action)

    def _arrow(self) -> list[tuple[str, str]]:
        """`get "path" => "controller#action"`: a pair with a string key."""
        passed = self.link.node.child_by_field_name("arguments")
        keyed = [each for each in passed.named_children[:20] if each.type == "pair"] if passed is not None else []
        pairs = [(each.child_by_field_name("key"), each.child_by_field_name("value")) for each in keyed]
        found = [(key, value) for key, value in pairs if key is not None and value is not None and key.type == "string"]
        return [(known_text(self.source, key) or "", known_text(self.source, value) or "") for key, value in found[:1]]

    def _devise(self) -> Iterator[_Route]:
        base = joined(self.scope.prefix, self._either("path", self._argument() or "users"))
        own, names = (dict(entries(self.source, self.link.keyword(each))) for each in ("controllers", "path_names"))
        for controller, action, method, tail in _DEVISE:
            shown = known_text(self.source, names[tail]) or "" if tail in names else tail
            owner = known_text(self.source, own[controller]) or "" if controller in own else f"devise/{controller}"
            yield _Route(method, f"{base}/{shown}" if tail else base, owner, action)


def _concerns(source: Source) -> dict[str, Node]:
    found: dict[str, Node] = {}
    for link in (chain.links[-1] for node in source.calls if (chain := chain_at(source, node))):
        if link.name == "concern" and link.arguments and link.block is not None:
            found[known_text(source, link.arguments[0]) or ""] = link.block
    return found


def _class_name(controller: str) -> str:
    parts = ("".join(word[:1].upper() + word[1:] for word in part.split("_")) for part in controller.split("/") if part)
    return "::".join(parts) + "Controller"


def _under(module: str, name: str) -> str:
    return f"{module}/{name}".strip("/") if module and not name.startswith("/") else name.lstrip("/")


def _plural(name: str) -> str:
    if name.endswith("y") and name[-2:-1] not in tuple("aeiou"):
        return name[:-1] + "ies"
    return name + ("es" if name.endswith(("s", "x", "ch", "sh")) else "s")


def _singular(name: str) -> str:
    if name.endswith("ies"):
        return name[:-3] + "y"
    return name.removesuffix("s") if not name.endswith("ss") else name
