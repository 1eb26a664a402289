"""Django Ninja: operations on an API or a router, `auth=` as the guard at every level, controllers of Ninja Extra.

Invariant: the innermost setting wins: `auth=None` on an operation opens it whatever its router requires. Not handled here: Django
URL configurations, beyond the prefix of an API.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, entry, joined
from counterproof.analysis.endpoints.routed import Routed, decorators, handled, listed_methods, own_guards
from counterproof.analysis.endpoints.routers import Router
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Const, Expr, Function, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

APPLICATIONS = ("ninja.NinjaAPI", "ninja.main.NinjaAPI", "ninja_extra.NinjaExtraAPI")
ROUTERS = ("ninja.Router", "ninja.router.Router", "ninja_extra.Router")
_CONTROLLERS = ("ninja_extra.api_controller", "ninja_extra.controllers.api_controller")
_OPERATIONS = {f"http_{verb}": verb for verb in VERBS} | {verb: verb for verb in VERBS}
_PATTERNS = ("path", "re_path", "url")


class _Application(Routed):
    def __init__(self, codebase: Codebase) -> None:
        super().__init__(codebase, "Ninja", APPLICATIONS, ROUTERS)
        for router in self.routers.every():
            guard = _asked(router.outline, router.call)
            if guard is not None:
                self.routers.hooks.append((router, guard))
        used = self.routers.hooks or any(True for _ in self.routers.every())
        for outline in mentioning(codebase, ("add_router", *_PATTERNS)) if used else ():
            for site in outline.of(Call):
                self._wire(outline, site)

    def _wire(self, outline: Outline, site: Site[Call]) -> None:
        """`api.add_router("/shelves", router, auth=…)`, and `path("api/", api.urls)` in a URL configuration."""
        callee, call = site.node.callee, site.node
        if isinstance(callee, Attribute) and callee.name == "add_router":
            given = argument(call, 1, "router")
            child = self._named(outline, site, given) if given is not None else None
            prefix = text_of(argument(call, 0, "prefix"))
            self.mount(self.at(outline, callee.value, site), child, prefix, _asked(outline, call) or OPEN)
        elif outline.dotted(callee).rpartition(".")[2] in _PATTERNS:
            view = argument(call, 1, "view")
            if isinstance(view, Attribute) and view.name == "urls":
                api = self.routers.find(outline, view.value, site.function)
                if api is not None:
                    self.routers.prefixes[id(api.call)] = "/" + (text_of(argument(call, 0, "route")) or "").lstrip("^/")

    def _named(self, outline: Outline, site: Site[Call], given: Expr) -> Router | None:
        """A router, or the dotted path of one: `"shelves.api.router"`."""
        text = text_of(given)
        if text is None:
            return self.at(outline, given, site)
        found = self.codebase.define(text, outline.path)
        return self.routers.built(found) if found is not None else None

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, decorators=(*_OPERATIONS, "api_operation")):
            for function, decorator in decorators(outline):
                if isinstance(decorator.value, Call):
                    yield from self._decorated(outline, function, decorator.value)

    def _decorated(self, outline: Outline, function: Function, call: Call) -> Iterator[EntryPoint]:
        if isinstance(call.callee, Attribute) and call.callee.name not in (*VERBS, "api_operation"):
            return
        router = self.around(outline, call.callee.value, function) if isinstance(call.callee, Attribute) else None
        if router is None or not isinstance(call.callee, Attribute):
            yield from self._controlled(outline, function, call)
            return
        several = call.callee.name == "api_operation"
        path = text_of(argument(call, 1 if several else 0, "path"))
        method = listed_methods(argument(call, 0, "methods")) if several else call.callee.name.upper()
        for placement in self.routers.placements(router):
            full = joined(placement.prefix, path or "") if placement.prefix else path or "/"
            yield self._entry(outline, function, method, full, call, placement.verdicts)

    def _controlled(self, outline: Outline, function: Function, call: Call) -> Iterator[EntryPoint]:
        """`@http_get("/{number}")` and `@route.get(…)` on a method of a class with `@api_controller("/shelves", auth=…)`."""
        dotted = self.codebase.name(outline, call.callee)
        owner = outline.classes.get(function.owner)
        verb = _OPERATIONS.get(dotted.rpartition(".")[2])
        if verb is None or owner is None or not dotted.startswith("ninja_extra."):
            return
        around = _controller(outline, owner)
        if around is not None:
            full = joined(text_of(argument(around, 0, "prefix_or_class")) or "", text_of(argument(call, 0, "path")) or "")
            guard = _asked(outline, around)
            yield self._entry(outline, function, verb.upper(), full, call, (guard,) if guard is not None else ())

    def _entry(
        self, outline: Outline, function: Function, method: str, path: str, call: Call, above: tuple[Verdict, ...]
    ) -> EntryPoint:
        nearest = _asked(outline, call)
        way = above if nearest is None else (nearest,)
        verdict = strongest((own_guards(self.codebase, outline, function), *way))
        return entry(EntryKind.HTTP, method, path, handled(outline, function), "Ninja", verdict)


def _asked(outline: Outline, call: Call) -> Verdict | None:
    """The verdict of `auth=`; None without it. `permissions=[…]` of a controller may also be a guard."""
    given = keyword(call, "auth")
    if given is None:
        listed = keyword(call, "permissions")
        named = isinstance(listed, Sequence) and bool(listed.items)
        return unknown(outline.path, call.line, "permissions of the controller") if named else None
    if isinstance(given, Const) and given.value is None:
        return OPEN
    return present(outline.path, given.line, outline.dotted(given), f"auth={outline.dotted(given) or 'given'}")


def _controller(outline: Outline, owner: Class) -> Call | None:
    calls = (each.value for each in owner.decorators if isinstance(each.value, Call))
    return next((each for each in calls if outline.dotted(each.callee) in _CONTROLLERS), None)


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("Django Ninja", ("django-ninja", "django-ninja-extra"), ("ninja", "ninja_extra"), _find)
