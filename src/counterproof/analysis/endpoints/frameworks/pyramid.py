"""Pyramid: views by `view_config` and `add_view`, their routes by name, permissions as guards."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, entry
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.denial import checks_in
from counterproof.analysis.endpoints.routed import handled
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import last_parts, mentioning
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import argument, keyword, positional, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Decorator, Function, Sequence
from counterproof.model.recon import EntryKind, EntryPoint, GuardKind

_VIEW = "pyramid.view.view_config"
_DEFAULTS = "pyramid.view.view_defaults"
_OPEN_PERMISSIONS = ("NO_PERMISSION_REQUIRED", "__no_permission_required__")


class _Application:
    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase
        self.routes: dict[str, str] = {}
        self.default = OPEN
        for outline in mentioning(codebase, ("add_route", "set_default_permission")):
            for site in outline.of(Call):
                if isinstance(site.node.callee, Attribute):
                    self._wire(outline, site.node, site.node.callee.name)

    def _wire(self, outline: Outline, call: Call, method: str) -> None:
        name, pattern = text_of(argument(call, 0, "name")), text_of(argument(call, 1, "pattern"))
        if method == "add_route" and name and pattern is not None:
            self.routes.setdefault(name, pattern)
        elif method == "set_default_permission":
            self.default = unknown(outline.path, call.line, "a default permission guards views")

    def entries(self) -> Iterator[EntryPoint]:
        for outline in mentioning(self.codebase, ("add_view",), last_parts((_VIEW,))):
            for function in outline.module.functions:
                for decorator in function.decorators:
                    if isinstance(decorator.value, Call) and self.codebase.name(outline, decorator.value.callee) == _VIEW:
                        yield self._view(outline, function, decorator.value, self._defaults(outline, function))
            for site in outline.of(Call):
                callee = site.node.callee
                view = argument(site.node, 0, "view")
                if isinstance(callee, Attribute) and callee.name == "add_view" and view is not None:
                    found = self.codebase.meaning(outline, view, site.function)
                    if found and isinstance(found.node, Function):
                        yield self._view(found.outline, found.node, site.node, None)

    def _defaults(self, outline: Outline, function: Function) -> Call | None:
        owner = outline.classes.get(function.owner)
        decorators: tuple[Decorator, ...] = owner.decorators if owner else ()
        calls = [each.value for each in decorators if isinstance(each.value, Call)]
        return next((each for each in calls if self.codebase.name(outline, each.callee) == _DEFAULTS), None)

    def _view(self, outline: Outline, function: Function, call: Call, defaults: Call | None) -> EntryPoint:
        route = text_of(keyword(call, "route_name")) or (text_of(keyword(defaults, "route_name")) if defaults else None)
        path = self.routes.get(route or "", f"/{text_of(keyword(call, 'name')) or route or ''}")
        own = strongest((_own_decorators(self.codebase, outline, function), checks_in(self.codebase, outline, function)))
        verdict = strongest((self._permission(outline, call, defaults), own))
        return entry(EntryKind.HTTP, _methods(call), path, handled(outline, function), "Pyramid", verdict)

    def _permission(self, outline: Outline, call: Call, defaults: Call | None) -> Verdict:
        given = keyword(call, "permission") or (keyword(defaults, "permission") if defaults else None)
        if given is None:
            return self.default
        named = text_of(given) or outline.dotted(given).rpartition(".")[2]
        return (
            OPEN
            if named in _OPEN_PERMISSIONS
            else present(outline.path, given.line, named, f"permission {named}", GuardKind.PERMISSION)
        )


def _own_decorators(codebase: Codebase, outline: Outline, function: Function) -> Verdict:
    """Decorators other than Pyramid's own, which guard nothing."""
    verdict = decorator_verdict(codebase, outline, function)
    return OPEN if verdict.by is not None and verdict.by.symbol.startswith("pyramid.view") else verdict


def _methods(call: Call) -> str:
    given = keyword(call, "request_method")
    if isinstance(given, Sequence):
        return ",".join(sorted(text.upper() for each in given.items if (text := text_of(each)) is not None)) or "ANY"
    first = text_of(given) or (text_of(positional(call, 0)) if given is not None else None)
    return (first or "ANY").upper()


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return _Application(codebase).entries()


CONVENTION = Convention("Pyramid", ("pyramid",), ("pyramid",), _find)
