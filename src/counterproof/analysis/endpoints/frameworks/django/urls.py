"""`urlpatterns`, followed through `include` from the root configuration, with prefixes and wrapping guards."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.endpoints.convention import route_text
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.settings import django_settings, setting
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import argument, positional, text_of
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Call, Concat, Expr, Name, Sequence, Spread

MAX_NESTING = 10
MAX_ROUTES = 20_000
_PATTERNS = ("path", "re_path", "url")
_LISTS = ("urlpatterns", "websocket_urlpatterns")
_SHIPPED_LOGINS = {
    "django.contrib.auth.urls": "django.contrib.auth.views.LoginView",
    "rest_framework.urls": "django.contrib.auth.views.LoginView",
}
"""URL lists that frameworks provide, with their login view."""


@dataclass(frozen=True, slots=True)
class Route:
    """One URL and the expression that names its view."""

    outline: Outline
    path: str
    view: Expr
    line: int
    socket: bool = False
    registered: bool = False
    """True if a router creates the routes from a view set."""


class UrlConfiguration:
    """All routes of the project."""

    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self._left = MAX_ROUTES

    def routes(self) -> Iterator[Route]:
        roots = self._roots()
        for outline in roots:
            for name in _LISTS:
                yield from self._listed(outline, name, "", 0, (outline.path,))

    @cached_property
    def _configurations(self) -> tuple[Outline, ...]:
        return tuple(having(self.codebase, _lists_routes))

    def _roots(self) -> tuple[Outline, ...]:
        """The configurations that no other includes. ROOT_URLCONF comes first; other settings modules may use the others."""
        named = [
            path
            for outline in django_settings(self.codebase)
            if (name := text_of(setting(outline, "ROOT_URLCONF")))
            if (path := self.codebase.find_module(name, outline.path))
        ]
        included = {path for outline in self._configurations for path in self._includes(outline)}
        free = [outline.path for outline in self._configurations if outline.path not in included]
        return tuple(self.codebase.outline(path) for path in dict.fromkeys([*named, *free]))

    def _includes(self, outline: Outline) -> Iterator[str]:
        for site in outline.of(Call):
            if outline.dotted(site.node.callee).rpartition(".")[2] == "include" and (target := positional(site.node, 0)):
                module = self._included_module(outline, target)
                if module:
                    yield module.path

    def _included_module(self, outline: Outline, target: Expr) -> Outline | None:
        if isinstance(target, Sequence) and target.items:
            target = target.items[0]
        name = text_of(target) or outline.dotted(target)
        path = self.codebase.find_module(name, outline.path) if name else None
        return self.codebase.outline(path) if path else None

    def _listed(self, outline: Outline, name: str, prefix: str, depth: int, seen: tuple[str, ...]) -> Iterator[Route]:
        for kind in (Assign, Augment):
            for site in outline.of(kind):
                targets = site.node.targets if isinstance(site.node, Assign) else (site.node.target,)
                if site.node.value is not None and any(isinstance(each, Name) and each.id == name for each in targets):
                    yield from self._items(outline, site.node.value, prefix, depth, seen)

    def _items(self, outline: Outline, value: Expr, prefix: str, depth: int, seen: tuple[str, ...]) -> Iterator[Route]:
        """Every `path(…)` of a list, however the list is built."""
        if depth > MAX_NESTING:
            return
        for node in _outermost_patterns(outline, value):
            if self._left <= 0:
                return
            self._left -= 1
            if isinstance(node, Call):
                yield from self._pattern(outline, node, prefix, depth, seen)
            elif isinstance(node, Attribute):
                yield from self._router(outline, node.value, prefix)

    def _pattern(self, outline: Outline, call: Call, prefix: str, depth: int, seen: tuple[str, ...]) -> Iterator[Route]:
        own = route_text(self.codebase, outline, argument(call, 0, "route") or argument(call, 0, "regex"))
        view = argument(call, 1, "view")
        if own is None or view is None:
            return
        path = prefix + _readable(own)
        if isinstance(view, Call) and outline.dotted(view.callee).rpartition(".")[2] == "include":
            target = positional(view, 0)
            if target is not None:
                yield from self._include(outline, target, path, depth, seen)
            return
        if outline.dotted(view).endswith("admin.site.urls"):
            yield Route(outline, "/" + path, view, call.line)
            return
        if isinstance(view, Attribute) and view.name == "urls" and self._is_object(outline, view.value):
            return  # the routes of an API that another framework builds
        socket = isinstance(view, Call) and isinstance(view.callee, Attribute) and view.callee.name == "as_asgi"
        yield Route(outline, "/" + path, view, call.line, socket)

    def _is_object(self, outline: Outline, expr: Expr) -> bool:
        found = self.codebase.meaning(outline, expr)
        return found is not None and isinstance(found.node, Call)

    def _include(self, outline: Outline, target: Expr, path: str, depth: int, seen: tuple[str, ...]) -> Iterator[Route]:
        module = self._included_module(outline, target)
        if module:
            if module.path not in seen:
                yield from self._listed(module, "urlpatterns", path, depth + 1, (*seen, module.path))
            return
        shipped = _SHIPPED_LOGINS.get(text_of(target) or "")
        if shipped is not None:
            yield Route(outline, f"/{path}login/", Name(target.line, target.end, shipped), target.line)
            return
        if isinstance(target, Attribute) and target.name == "urls":
            yield from self._router(outline, target.value, path)
            return
        found = self.codebase.meaning(outline, target)
        if found and isinstance(found.node, Sequence):
            yield from self._items(found.outline, found.node, path, depth + 1, seen)

    def _router(self, outline: Outline, router: Expr, prefix: str) -> Iterator[Route]:
        """`router.register("orders", OrderViewSet)` for the router that is included here."""
        wanted = self.codebase.meaning(outline, router)
        if wanted is None:
            return
        for each in mentioning(self.codebase, ("register",)):
            for site in each.of(Call):
                callee = site.node.callee
                if not isinstance(callee, Attribute) or callee.name != "register":
                    continue
                target = self.codebase.meaning(each, callee.value)
                name, view = text_of(argument(site.node, 0, "prefix")), argument(site.node, 1, "viewset")
                if target and target.node is wanted.node and name is not None and view is not None:
                    base = f"/{prefix}{_readable(name)}".rstrip("/")
                    yield Route(each, f"{base}/", view, site.line, registered=True)


@trait("routes of Django")
def _lists_routes(outline: Outline) -> bool:
    return any(name in outline.top_level for name in _LISTS) and _is_django(outline)


def _is_django(outline: Outline) -> bool:
    return any(name.partition(".")[0] in ("django", "rest_framework", "channels") for name in outline.module.imports.values())


def _outermost_patterns(outline: Outline, value: Expr) -> Iterator[Expr]:
    """The pattern calls and `router.urls` of a list, without those nested in an `include`."""
    pending: list[Expr] = [value]
    while pending:
        node = pending.pop(0)
        if isinstance(node, Call):
            name = outline.dotted(node.callee).rpartition(".")[2]
            if name in _PATTERNS:
                yield node
                continue
            pending[:0] = [each.value for each in node.arguments]
        elif isinstance(node, Attribute) and node.name == "urls":
            yield node
        elif isinstance(node, Sequence):
            pending[:0] = list(node.items)
        elif isinstance(node, Concat):
            pending[:0] = list(node.parts)
        elif isinstance(node, Spread):
            pending[:0] = [node.value]


def _readable(pattern: str) -> str:
    """The path without regular-expression anchors; the caller adds the leading slash."""
    return pattern.removeprefix("^").removesuffix("$").lstrip("/")
