"""Common parts of the Python frameworks: handlers with their own guards, methods by verb, and routes of applications and routers.

Invariant: a route is stated once for every placement of its router, with the guards on the way. Not handled here: what a call or
decorator means to a framework.
"""

from collections.abc import Collection, Iterator, Mapping

from counterproof.analysis.endpoints.convention import VERBS, Handler, entry, handler_of, joined
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.denial import checks_in
from counterproof.analysis.endpoints.routers import Mount, Router, Routers
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Decorator, Expr, Function, Sequence
from counterproof.model.recon import EntryKind, EntryPoint

BY_VERB = {verb: verb.upper() for verb in VERBS}


def handled(outline: Outline, function: Function) -> Handler:
    """A function as a handler."""
    return Handler(outline, function, function.qualified)


def own_guards(codebase: Codebase, outline: Outline, function: Function) -> Verdict:
    """The guards of a handler's decorators and its own code."""
    return strongest((decorator_verdict(codebase, outline, function), checks_in(codebase, outline, function)))


def by_name(codebase: Codebase, found: Definition, names: Mapping[str, str] = BY_VERB) -> Iterator[tuple[Handler, str, Verdict]]:
    """The methods of a view class under these names, with the HTTP methods that they answer and their own guards."""
    for name, method in names.items():
        defined = codebase.method(found, name)
        if defined:
            yield handled(*defined), method, own_guards(codebase, *defined)


def listed_methods(given: Expr | None, otherwise: str = "GET") -> str:
    """`methods=["GET", "POST"]` as shown in an entry point."""
    named = [text.upper() for each in given.items if (text := text_of(each)) is not None] if isinstance(given, Sequence) else []
    return ",".join(sorted(named)) or otherwise


def method_calls(outline: Outline, names: Collection[str]) -> Iterator[tuple[Function, Call, Attribute]]:
    """The decorators `@owner.name(…)` of functions."""
    for function, decorator in decorators(outline):
        call = decorator.value
        if isinstance(call, Call) and isinstance(call.callee, Attribute) and call.callee.name in names:
            yield function, call, call.callee


def decorators(outline: Outline) -> Iterator[tuple[Function, Decorator]]:
    return ((function, each) for function in outline.module.functions for each in function.decorators)


class Routed:
    """The routes of a framework whose applications and routers are objects."""

    empty = ""
    """How a path without text is shown."""

    def __init__(self, codebase: Codebase, framework: str, applications: tuple[str, ...], parts: tuple[str, ...]) -> None:
        self.codebase = codebase
        self.framework = framework
        self.routers = Routers(codebase, applications, parts)

    def at(self, outline: Outline, expr: Expr | None, site: Site[Call]) -> Router | None:
        """The router that an expression refers to at a call."""
        return self.routers.find(outline, expr, site.function, site.owner) if expr is not None else None

    def around(self, outline: Outline, expr: Expr, function: Function) -> Router | None:
        """The router that a decorator of a function refers to."""
        return self.routers.find(outline, expr, outline.functions.get(function.within), outline.classes.get(function.owner))

    def mount(self, parent: Router | None, child: Router | None, prefix: str | None = None, verdict: Verdict = OPEN) -> None:
        if child is not None:
            self.routers.mounts.append(Mount(parent, child, prefix or "", verdict))

    def placed(
        self, router: Router | None, method: str, path: str, handler: Handler, own: Verdict, kind: EntryKind = EntryKind.HTTP
    ) -> Iterator[EntryPoint]:
        for placement in self.routers.placements(router):
            full = joined(placement.prefix, path) if placement.prefix else path or self.empty
            yield entry(kind, method, full, handler, self.framework, strongest((own, *placement.verdicts)))

    def views(
        self, method: str, found: Definition | None, outline: Outline, view: Expr
    ) -> Iterator[tuple[Handler, str, Verdict]]:
        """The handlers behind an expression: the methods of a class by verb, or a function."""
        if found and isinstance(found.node, Class):
            yield from by_name(self.codebase, found)
        else:
            function = found.node if found and isinstance(found.node, Function) else None
            own = own_guards(self.codebase, found.outline, function) if found and function else OPEN
            yield handler_of(found, outline, view), method, own
