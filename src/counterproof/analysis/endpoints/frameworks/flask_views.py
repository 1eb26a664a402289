"""Flask-AppBuilder and Flask-Admin: methods of view classes that `@expose` binds to a path.

Invariant: the class decides at run time who may call it (`is_accessible`, roles), so without a more specific decorator the guard
is unknown, never absent. Not handled here: routes of Flask itself.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, entry, joined
from counterproof.analysis.endpoints.routed import handled, listed_methods, own_guards
from counterproof.analysis.endpoints.verdict import strongest, unknown
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.mentioned import last_parts, mentioning
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import argument, text_of
from counterproof.analysis.syntax.ir import Call, Decorator, Function
from counterproof.model.recon import EntryKind, EntryPoint

_PACKAGES = ("flask_appbuilder", "flask_admin")
_EXPOSING = tuple(
    f"{package}.expose" for package in (*_PACKAGES, "flask_appbuilder.api", "flask_appbuilder.baseviews", "flask_admin.base")
)


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    for outline in mentioning(codebase, decorators=last_parts(_EXPOSING)):
        for function in outline.module.functions:
            for decorator in function.decorators if function.owner else ():
                yield from _exposed(codebase, outline, function, decorator)


def _exposed(codebase: Codebase, outline: Outline, function: Function, decorator: Decorator) -> Iterator[EntryPoint]:
    call = decorator.value
    if not isinstance(call, Call) or outline.dotted(call.callee) not in _EXPOSING:
        return
    owner = outline.classes.get(function.owner)
    prefix = text_of(outline.attributes(owner).get("route_base")) if owner is not None else None
    path = joined(prefix or "", text_of(argument(call, 0, "url")) or "/")
    decided = unknown(outline.path, function.line, f"{function.owner} decides who may call it")
    verdict = strongest((own_guards(codebase, outline, function), decided))
    methods = listed_methods(argument(call, 1, "methods"))
    yield entry(EntryKind.HTTP, methods, path, handled(outline, function), "Flask", verdict)


CONVENTION = Convention("Flask-AppBuilder", ("flask-appbuilder", "flask-admin"), _PACKAGES, _find)
