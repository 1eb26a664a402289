"""Flask and frameworks built on it: routes, blueprints with prefixes, view classes, REST resources, sockets.

A route's guards are its decorators, checks in its body, and hooks of its blueprint and application that run before it. An
application that is a parameter where it is used can be any application of the project.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, Handler, entry, handler_of, route_text
from counterproof.analysis.endpoints.decorators import decorator_verdict, listed_verdicts, wrapper_verdict
from counterproof.analysis.endpoints.denial import hook_verdict
from counterproof.analysis.endpoints.routed import (
    BY_VERB,
    Routed,
    by_name,
    decorators,
    handled,
    listed_methods,
    method_calls,
    own_guards,
)
from counterproof.analysis.endpoints.routers import Router
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.file import File
from counterproof.analysis.program.mentioned import decorator_names, mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import argument, calls_in, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Decorator, Expr, Function, Loop, Name, Sequence
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind, EntryPoint

APPLICATIONS = names("route", "blueprint-application")
BLUEPRINTS = names("route", "blueprint")
EXTENSIONS = names("route", "blueprint-extension")
_DECORATORS = ("route", "errorhandler", "app_errorhandler", "on", *VERBS)
_ROUTING = ("route", *VERBS)
_HOOKS = ("before_request", "before_app_request", "url_value_preprocessor", "app_url_value_preprocessor")
_MODULES, _WITH_BLUEPRINTS = ({name.partition(".")[0] for name in each} for each in (APPLICATIONS, BLUEPRINTS))


class _Application(Routed):
    def __init__(self, codebase: Codebase) -> None:
        super().__init__(codebase, "Flask", APPLICATIONS, (*BLUEPRINTS, *EXTENSIONS))
        for router in self.routers.every():
            prefix = text_of(keyword(router.call, "url_prefix")) or ""
            self.routers.prefixes[id(router.call)] = prefix
            if self.codebase.name(router.outline, router.call.callee) in EXTENSIONS:
                self._extend(router)
        for outline in mentioning(codebase, ("register_blueprint", "add_namespace", *_HOOKS), _HOOKS):
            self._wire(outline)

    def _extend(self, router: Router) -> None:
        """Attach an extension object to the application it receives, now or later."""
        first = positional(router.call, 0)
        if text_of(first) is not None:
            return  # a namespace by its name, added elsewhere
        parent = self.routers.find(router.outline, first, None) if first else None
        self.mount(parent, router, text_of(keyword(router.call, "prefix")))

    def _wire(self, outline: Outline) -> None:
        """Blueprint registrations and hooks of one module."""
        for site in every_call(outline):
            callee = site.node.callee
            if not isinstance(callee, Attribute):
                continue
            if callee.name == "register_blueprint":
                self._register(outline, site, callee)
            elif callee.name == "add_namespace":
                self._add_namespace(outline, site, callee)
            elif callee.name in _HOOKS and site.node.arguments:
                self._hook(outline, callee, site.node.arguments[0].value, site.function, site.owner)
        for loop in outline.of(Loop):
            self._register_listed(outline, loop)
        for function, decorator in decorators(outline):
            if isinstance(decorator.value, Attribute) and decorator.value.name in _HOOKS:
                verdict = hook_verdict(self.codebase, outline, function)
                self._note(outline, decorator.value, verdict, outline.functions.get(function.within))

    def _register_listed(self, outline: Outline, loop: Site[Loop]) -> None:
        """`for each in BLUEPRINTS: app.register_blueprint(each)`, with the list in another file or in the class."""
        target, listed = loop.node.target, loop.node.iterable
        if not isinstance(target, Name) or listed is None:
            return
        registered = [
            each for each in calls_in(*loop.node.body)
            if isinstance(each.callee, Attribute) and each.callee.name == "register_blueprint"
            and isinstance(first := positional(each, 0), Name) and first.id == target.id
        ]  # fmt: skip
        if not registered:
            return
        if isinstance(listed, Attribute) and isinstance(listed.value, Name) and listed.value.id in ("self", "cls") and loop.owner:
            listed = outline.attributes(loop.owner).get(listed.name, listed)
        found = self.codebase.meaning(outline, listed, loop.function) if not isinstance(listed, Sequence) else None
        if found is None or not isinstance(found.node, Sequence):
            return
        for item in found.node.items:
            self.mount(None, self.routers.find(found.outline, item, None), text_of(keyword(registered[0], "url_prefix")))

    def _register(self, outline: Outline, site: Site[Call], callee: Attribute) -> None:
        router, override = self.at(outline, positional(site.node, 0), site), text_of(keyword(site.node, "url_prefix"))
        if router is not None and override is not None:
            self.routers.prefixes[id(router.call)] = ""
        self.mount(self.at(outline, callee.value, site), router, override)

    def _add_namespace(self, outline: Outline, site: Site[Call], callee: Attribute) -> None:
        """`api.add_namespace(namespace, "/path")`; without a path, the namespace's name is its path."""
        router = self.at(outline, positional(site.node, 0), site)
        if router is not None:
            path = text_of(argument(site.node, 1, "path") or keyword(router.call, "path"))
            name = text_of(argument(router.call, 0, "name"))
            self.mount(self.at(outline, callee.value, site), router, path if path is not None else f"/{name or ''}")

    def _hook(self, outline: Outline, callee: Attribute, value: Expr, function: Function | None, owner: Class | None) -> None:
        found = self.codebase.meaning(outline, value, function)
        if found and isinstance(found.node, Function):
            self._note(outline, callee, hook_verdict(self.codebase, found.outline, found.node), function, owner)

    def _note(
        self, outline: Outline, callee: Attribute, verdict: Verdict, function: Function | None, owner: Class | None = None
    ) -> None:
        possible, router = self._router(outline, callee.value, function, owner)
        if possible:  # else an object of another package, whose routes are not here
            everywhere = "_app_" in f"_{callee.name}"
            self.routers.hooks.append((None if everywhere else router, verdict))

    # --- routes ----------------------------------------------------------------------------------------------------

    def entries(self) -> Iterator[EntryPoint]:
        for outline in having(self.codebase, _adds_routes):
            for function, call, callee in method_calls(outline, _DECORATORS):
                yield from self._decorated(outline, function, call, callee)
            for each in outline.module.classes:
                for decorator in each.decorators:
                    yield from self._decorated_class(outline, each, decorator)
            for site in every_call(outline):
                yield from self._called(outline, site)

    def _router(self, outline: Outline, expr: Expr, function: Function | None, owner: Class | None) -> tuple[bool, Router | None]:
        """Whether an expression can be an application here, and which one, if known."""
        router = self.routers.find(outline, expr, function, owner)
        if router:
            return True, router
        root = outline.dotted(expr).partition(".")[0]
        found = self.codebase.meaning(outline, expr, function)
        unresolved = found is None and root not in ("", *outline.module.imports.values())
        return (unresolved or self._is_of_own_kind(found)) and self._uses_flask(outline), None

    def _is_of_own_kind(self, found: Definition | None) -> bool:
        """Return True for an instance of a project class derived from an external one, which may be a blueprint."""
        made = found.node if found else None
        kind = self.codebase.meaning(found.outline, made.callee, None) if found and isinstance(made, Call) else None
        if kind is None or not isinstance(kind.node, Class):
            return False
        return any(self.codebase.meaning(kind.outline, base, None) is None for base in kind.node.bases)

    def _uses_flask(self, outline: Outline) -> bool:
        return any(name.partition(".")[0] in _MODULES for name in outline.module.imports.values())

    def _decorated(self, outline: Outline, function: Function, call: Call, callee: Attribute) -> Iterator[EntryPoint]:
        enclosing, name = outline.functions.get(function.within), callee.name
        possible, router = self._router(outline, callee.value, enclosing, outline.classes.get(function.owner))
        path = route_text(self.codebase, outline, argument(call, 0, "rule"), enclosing)
        if not possible or not call.arguments:
            return
        if name.endswith("errorhandler"):
            yield from self._error(outline, handled(outline, function), router, call)
        elif path is not None and (name == "route" or router):
            methods = _methods(call) if name in ("route", "on") else name.upper()
            own = own_guards(self.codebase, outline, function)
            yield from self._shown(router, methods, path, handled(outline, function), own)

    def _error(self, outline: Outline, handler: Handler, router: Router | None, call: Call) -> Iterator[EntryPoint]:
        code = getattr(call.arguments[0].value, "value", None)
        label = str(code) if isinstance(code, int) else outline.dotted(call.arguments[0].value)
        verdict = strongest(self.routers.hooks_of(router))
        yield entry(EntryKind.HTTP, "ANY", f"(error {label})", handler, "Flask", verdict)

    def _decorated_class(self, outline: Outline, owner: Class, decorator: Decorator) -> Iterator[EntryPoint]:
        call = decorator.value
        if not isinstance(call, Call) or not isinstance(call.callee, Attribute) or call.callee.name != "route":
            return
        router = self.routers.find(outline, call.callee.value, None)
        if router:
            for each in call.arguments:
                if (path := text_of(each.value)) is not None and not each.keyword:
                    yield from self._view_class(Definition(outline, owner), path, router, OPEN)

    def _called(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        callee = site.node.callee
        if isinstance(callee, Call) and isinstance(callee.callee, Attribute) and callee.callee.name in _ROUTING:
            yield from self._applied(outline, site, callee, callee.callee)
        if isinstance(callee, Name) and keyword(site.node, "view_func") is not None:
            yield from self._registered(outline, site)
        if not isinstance(callee, Attribute):
            return
        if callee.name == "add_url_rule":
            yield from self._url_rule(outline, site, callee)
        elif keyword(site.node, "view_func") is not None:
            yield from self._registered(outline, site)
        elif _adds_resource(callee) and site.node.arguments:
            found = self.codebase.meaning(outline, site.node.arguments[0].value, site.function)
            router = self.at(outline, callee.value, site)
            for each in site.node.arguments[1:]:
                if found and not each.keyword and (path := text_of(each.value)) is not None:
                    yield from self._view_class(found, path, router, OPEN)

    def _applied(self, outline: Outline, site: Site[Call], made: Call, method: Attribute) -> Iterator[EntryPoint]:
        """`blueprint.route("/x")(view)`: the decorator is called directly."""
        possible, router = self._router(outline, method.value, site.function, site.owner)
        path = route_text(self.codebase, outline, argument(made, 0, "rule"), site.function)
        view = positional(site.node, 0)
        if not possible or path is None or view is None:
            return
        methods = _methods(made) if method.name == "route" else method.name.upper()
        yield from self._routed(outline, site, router, methods, path, view)

    def _registered(self, outline: Outline, site: Site[Call]) -> Iterator[EntryPoint]:
        """`register(blueprint, routes=["/x"], view_func=View.as_view("x"))`: a project function that adds routes."""
        view = keyword(site.node, "view_func")
        if not isinstance(view, Call) or not isinstance(view.callee, Attribute) or view.callee.name != "as_view":
            return
        router = self.at(outline, positional(site.node, 0), site)
        found = self.codebase.meaning(outline, view.callee.value, site.function)
        others = [each.value for each in site.node.arguments if each.value is not view]
        path = next((text for node in walk(*others) if (text := text_of(node)) is not None and text.startswith("/")), "/")
        if found:
            yield from self._view_class(found, path, router, OPEN)

    def _url_rule(self, outline: Outline, site: Site[Call], callee: Attribute) -> Iterator[EntryPoint]:
        path = route_text(self.codebase, outline, argument(site.node, 0, "rule"), site.function)
        view = argument(site.node, 2, "view_func")
        if path is None or view is None:
            return
        _, router = self._router(outline, callee.value, site.function, site.owner)
        core, wrapped = self._unwrapped(outline, view, site.function)
        if isinstance(core, Call) and isinstance(core.callee, Attribute) and core.callee.name == "as_view":
            found = self.codebase.meaning(outline, core.callee.value, site.function)
            if found and isinstance(found.node, Class):
                yield from self._view_class(found, path, router, wrapped, keyword(site.node, "methods"))
            return
        if self.codebase.meaning(outline, core, site.function) is None and text_of(argument(site.node, 0, "rule")) is None:
            return  # a function that adds routes for its callers, which choose them
        yield from self._routed(outline, site, router, _methods(site.node), path, view)

    def _routed(
        self, outline: Outline, site: Site[Call], router: Router | None, methods: str, path: str, view: Expr
    ) -> Iterator[EntryPoint]:
        """A named view function, with its wrappers."""
        core, verdict = self._unwrapped(outline, view, site.function)
        found = self.codebase.meaning(outline, core, site.function)
        if found and isinstance(found.node, Function):
            verdict = strongest((verdict, own_guards(self.codebase, found.outline, found.node)))
        yield from self._shown(router, methods, path, handler_of(found, outline, core), verdict)

    def _unwrapped(self, outline: Outline, view: Expr, function: Function | None) -> tuple[Expr, Verdict]:
        """`login_required(view)`: the view and its guard."""
        verdicts: list[Verdict] = []
        for _ in range(8):
            local = self.codebase.meaning(outline, view, function)
            if local and isinstance(local.node, Call) and not isinstance(view, Call):
                view = local.node
            is_view = isinstance(view, Call) and isinstance(view.callee, Attribute) and view.callee.name == "as_view"
            if not isinstance(view, Call) or is_view or not view.arguments:
                break
            verdicts.append(wrapper_verdict(self.codebase, outline, view.callee, view.line, function))
            view = view.arguments[0].value
        return view, strongest(verdicts)

    def _view_class(
        self, found: Definition, path: str, router: Router | None, wrapped: Verdict, given: Expr | None = None
    ) -> Iterator[EntryPoint]:
        """The methods of a view class: those of `given`, if the rule lists them."""
        if not isinstance(found.node, Class):
            return
        listed = listed_methods(given, "").split(",") if isinstance(given, Sequence) else ()
        shared = [wrapped, decorator_verdict(self.codebase, found.outline, found.node), *listed_verdicts(self.codebase, found)]
        for handler, name, own in by_name(self.codebase, found, BY_VERB | {"dispatch_request": "ANY"}):
            if not listed or name in (*listed, "ANY"):
                yield from self._shown(router, name, path, handler, strongest((*shared, own)))

    def _shown(self, router: Router | None, methods: str, path: str, handler: Handler, own: Verdict) -> Iterator[EntryPoint]:
        kind = EntryKind.WEBSOCKET if router and _is_socket(router) else EntryKind.HTTP
        yield from self.placed(router, methods, path, handler, own, kind)


@trait("routes of Flask")
def _adds_routes(outline: File) -> bool:
    if not set(_DECORATORS).isdisjoint(decorator_names.tell(outline)):
        return True
    calls = (site.node for site in every_call(outline))
    return any(
        keyword(each, "view_func") is not None
        or (isinstance(each.callee, Attribute) and (each.callee.name == "add_url_rule" or _adds_resource(each.callee)))
        or (isinstance(each.callee, Call) and isinstance(each.callee.callee, Attribute) and each.callee.callee.name in _ROUTING)
        for each in calls
    )


def _adds_resource(callee: Attribute) -> bool:
    return callee.name.startswith("add_") and callee.name.endswith("resource")


def _is_socket(router: Router) -> bool:
    return router.outline.dotted(router.call.callee) in ("flask_socketio.SocketIO", "flask_sock.Sock")


def _methods(call: Call) -> str:
    given = keyword(call, "methods")
    return listed_methods(given) if given is None or isinstance(given, Sequence) else "ANY"


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


_PACKAGES = tuple(sorted(_MODULES & _WITH_BLUEPRINTS))
CONVENTION = Convention("Flask", _PACKAGES, _PACKAGES, _find)
