"""Falcon: resources added to an application, and their `on_get`, `on_post` and so on."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import VERBS, Convention, entry
from counterproof.analysis.endpoints.decorators import decorator_verdict
from counterproof.analysis.endpoints.routed import by_name
from counterproof.analysis.endpoints.tables import every_call
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, strongest, unknown
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.mentioned import last_parts, mentioning
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.syntax.ir import Attribute, Call, Class, Name
from counterproof.model.recon import EntryKind, EntryPoint

_APPLICATIONS = ("falcon.App", "falcon.API", "falcon.asgi.App")
_METHODS = {f"on_{verb}": verb.upper() for verb in VERBS}


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    around = _middleware(codebase)
    for outline in mentioning(codebase, ("add_route",)):
        for site in every_call(outline):
            yield from _added(codebase, outline, site, around)


def _middleware(codebase: Codebase) -> Verdict:
    """Middleware may reject any request; which requests it rejects is not analysed."""
    for outline in mentioning(codebase, last_parts(_APPLICATIONS)):
        for site in outline.of(Call):
            if codebase.name(outline, site.node.callee) in _APPLICATIONS and keyword(site.node, "middleware") is not None:
                return unknown(outline.path, site.line, "middleware could refuse callers")
    return OPEN


def _added(codebase: Codebase, outline: Outline, site: Site[Call], around: Verdict) -> Iterator[EntryPoint]:
    callee = site.node.callee
    path, resource = text_of(argument(site.node, 0, "uri_template")), argument(site.node, 1, "resource")
    if not isinstance(callee, Attribute) or callee.name != "add_route" or path is None or resource is None:
        return
    handed = (
        isinstance(callee.value, Name) and site.function is not None and outline.local(site.function, callee.value.id) is None
    )
    if codebase.constructor(outline, callee.value, site.function) not in _APPLICATIONS and not handed:
        return
    found = Definition(outline, resource) if isinstance(resource, Call) else codebase.meaning(outline, resource, site.function)
    if found and isinstance(found.node, Call):
        found = codebase.meaning(found.outline, found.node.callee, site.function)
    if not found or not isinstance(found.node, Class):
        return
    of_class = decorator_verdict(codebase, found.outline, found.node)
    for handler, verb, own in by_name(codebase, found, _METHODS):
        yield entry(EntryKind.HTTP, verb, path, handler, "Falcon", strongest((own, of_class, around)))


CONVENTION = Convention("Falcon", ("falcon",), ("falcon",), _find)
