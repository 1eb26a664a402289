"""Views behind routes: functions, class-based views, REST framework view sets, and Django's built-in views."""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.endpoints.convention import Handler, entry, handler_of
from counterproof.analysis.endpoints.frameworks.django.guards import Guards
from counterproof.analysis.endpoints.frameworks.django.urls import Route
from counterproof.analysis.endpoints.routed import BY_VERB, handled, listed_methods
from counterproof.analysis.endpoints.verdict import Verdict, present, strongest, unplaced
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Const, Expr, Function, Name
from counterproof.model.recon import EntryKind, EntryPoint

_ACTIONS = {
    "list": "GET",
    "retrieve": "GET",
    "create": "POST",
    "update": "PUT",
    "partial_update": "PATCH",
    "destroy": "DELETE",
}
_MESSAGES = {"receive": "MESSAGE", "receive_json": "MESSAGE"}
_OF_ITEMS = ("retrieve", "update", "partial_update", "destroy")
_ITEM = "<pk>/"
_MIXINS = {
    "list": {"ListModelMixin", "ModelViewSet", "ReadOnlyModelViewSet"},
    "retrieve": {"RetrieveModelMixin", "ModelViewSet", "ReadOnlyModelViewSet"},
    "create": {"CreateModelMixin", "ModelViewSet"},
    "update": {"UpdateModelMixin", "ModelViewSet"},
    "partial_update": {"UpdateModelMixin", "ModelViewSet"},
    "destroy": {"DestroyModelMixin", "ModelViewSet"},
}
_SHIPPED = (
    (("TemplateView", "ListView", "DetailView", "RedirectView", "ArchiveView"), "GET"),
    (("CreateView", "UpdateView", "DeleteView", "FormView", "LoginView"), "GET,POST"),
    (("ModelViewSet", "GenericAPIView", "APIView", "View"), "ANY"),
)
_REQUIRED = {"require_POST": "POST", "require_GET": "GET", "require_safe": "GET,HEAD"}


class Views:
    """Turns routes into entry points."""

    def __init__(self, codebase: Codebase, guards: Guards) -> None:
        self.codebase = codebase
        self.guards = guards

    def entries(self, route: Route) -> Iterator[EntryPoint]:
        route, wrapped = self._unwrapped(route)
        view = route.view
        if route.outline.dotted(view).endswith("admin.site.urls"):
            verdict = present(route.outline.path, route.line, "admin.site", "Django admin asks for a staff login")
            yield entry(
                EntryKind.HTTP, "ANY", route.path, Handler(route.outline, view, "django.contrib.admin"), "Django", verdict
            )
            return
        name = text_of(view)
        found = self.codebase.define(name, route.outline.path) if name else self.codebase.meaning(route.outline, _class_of(view))
        if found and isinstance(found.node, Class):
            yield from self._class(route, found, wrapped)
        elif found and isinstance(found.node, Function):
            yield self._function(route, found.outline, found.node, wrapped)
        else:
            yield self._shipped(route, view, wrapped)

    def _unwrapped(self, route: Route) -> tuple[Route, Verdict]:
        """`login_required(view)` in the URL configuration or in a variable that it names: the view, and its guard."""
        outline, view = route.outline, route.view
        verdicts: list[Verdict] = []
        for _ in range(8):
            made = self.codebase.meaning(outline, view) if isinstance(view, (Name, Attribute)) else None
            if made is not None and isinstance(made.node, Call):
                outline, view = made.outline, made.node
            if not isinstance(view, Call) or _is_view_call(view) or not view.arguments:
                break
            verdicts.append(self.guards.wrapper(outline, view.callee, view.line))
            view = view.arguments[0].value
        return replace(route, outline=outline, view=view), strongest(verdicts)

    def _function(self, route: Route, outline: Outline, function: Function, wrapped: Verdict) -> EntryPoint:
        verdict = self.guards.of_function(outline, function, wrapped)
        methods = _function_methods(outline, function)
        return entry(EntryKind.HTTP, methods, route.path, handled(outline, function), "Django", verdict)

    def _class(self, route: Route, found: Definition, wrapped: Verdict) -> Iterator[EntryPoint]:
        kind = EntryKind.WEBSOCKET if route.socket else EntryKind.HTTP
        any_method = False
        for outline, function, method, suffix in self._methods(route, found):
            any_method = True
            verdict = self.guards.of_method(found, outline, function, wrapped)
            yield entry(kind, method, route.path + suffix, handled(outline, function), "Django", verdict)
        inherited = list(self._inherited(found)) if route.registered else []
        for method, suffix in inherited:
            handler = handler_of(found, route.outline, route.view)
            yield entry(kind, method, route.path + suffix, handler, "Django", self.guards.of_class(found, wrapped))
        if not any_method and not inherited:
            handler = handler_of(found, route.outline, route.view)
            shipped = self._shipped_methods(self.codebase.ancestry(found).foreign)
            yield entry(kind, shipped, route.path, handler, "Django", self.guards.of_class(found, wrapped))

    def _methods(self, route: Route, found: Definition) -> Iterator[tuple[Outline, Function, str, str]]:
        names = BY_VERB | (_MESSAGES if route.socket else _ACTIONS)
        for name, method in names.items():
            defined = self.codebase.method(found, name)
            if defined:
                yield (*defined, method, _ITEM if route.registered and name in _OF_ITEMS else "")
        if isinstance(found.node, Class):
            for function in found.outline.methods(found.node).values():
                extra = _extra_action(found.outline, function)
                if extra is not None:
                    yield found.outline, function, *extra

    def _inherited(self, found: Definition) -> Iterator[tuple[str, str]]:
        """Method and suffix of the actions that a view set inherits from the framework."""
        foreign = {name.rpartition(".")[2] for name in self.codebase.ancestry(found).foreign}
        for name, method in _ACTIONS.items():
            if foreign & _MIXINS[name] and not self.codebase.method(found, name):
                yield method, _ITEM if name in _OF_ITEMS else ""

    def _shipped(self, route: Route, view: Expr, wrapped: Verdict) -> EntryPoint:
        """A view from outside the project, at the line that names it."""
        core = _class_of(view)
        dotted = route.outline.dotted(core)
        handler = Handler(route.outline, view, dotted or "<expression>")
        root = core
        while isinstance(root, Attribute):
            root = root.value
        chosen = isinstance(root, Name) and root.id not in route.outline.module.imports
        unread = (unplaced(route.outline.path, view.line, f"{dotted} is chosen at run time"),) if chosen else ()
        made = self.codebase.meaning(route.outline, view.callee) if isinstance(view, Call) and view is core else None
        if made is not None and isinstance(made.node, Class):
            unread = (unplaced(route.outline.path, view.line, f"an instance of {made.node.name} answers, which was not read"),)
        verdict = strongest((wrapped, *self.guards.everywhere, *unread))
        return entry(EntryKind.HTTP, self._shipped_methods((dotted,)), route.path, handler, "Django", verdict)

    def _shipped_methods(self, names: tuple[str, ...]) -> str:
        for endings, methods in _SHIPPED:
            if any(name.endswith(endings) for name in names):
                return methods
        return "ANY"


def _is_view_call(call: Call) -> bool:
    return isinstance(call.callee, Attribute) and call.callee.name in ("as_view", "as_asgi")


def _class_of(view: Expr) -> Expr:
    return view.callee.value if isinstance(view, Call) and isinstance(view.callee, Attribute) and _is_view_call(view) else view


def _function_methods(outline: Outline, function: Function) -> str:
    for decorator in function.decorators:
        value = decorator.value
        name = outline.dotted(value.callee if isinstance(value, Call) else value).rpartition(".")[2]
        if name in _REQUIRED:
            return _REQUIRED[name]
        if name in ("require_http_methods", "api_view") and isinstance(value, Call):
            return listed_methods(positional(value, 0))
    return "ANY"


def _extra_action(outline: Outline, function: Function) -> tuple[str, str] | None:
    """`@action(methods=[…])` on a view set: the methods and path suffix of the additional route."""
    for decorator in function.decorators:
        value = decorator.value
        name = outline.dotted(value.callee).rpartition(".")[2] if isinstance(value, Call) else ""
        if isinstance(value, Call) and name in ("action", "list_route", "detail_route"):
            detail = keyword(value, "detail")
            of_item = name == "detail_route" or (isinstance(detail, Const) and detail.value is True)
            path = (text_of(keyword(value, "url_path")) or function.name).strip("/")
            return listed_methods(keyword(value, "methods")), f"{_ITEM if of_item else ''}{path}/"
    return None
