"""Django: URL configurations resolved to views, REST framework routers, management commands, Channels consumers.

Guards are wrappers in the URL configuration, decorators, mixins, permission classes, checks in the body and middleware.
"""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention, Handler, entry
from counterproof.analysis.endpoints.frameworks.django.guards import Guards
from counterproof.analysis.endpoints.frameworks.django.urls import UrlConfiguration
from counterproof.analysis.endpoints.frameworks.django.views import Views
from counterproof.analysis.endpoints.verdict import LOCAL
from counterproof.analysis.program.codebase import Codebase
from counterproof.model.recon import EntryKind, EntryPoint


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    views = Views(codebase, Guards(codebase))
    for route in UrlConfiguration(codebase).routes():
        yield from views.entries(route)
    yield from commands(codebase)


CONVENTION = Convention("Django", ("django", "djangorestframework"), ("django", "rest_framework"), _find)


def commands(codebase: Codebase) -> Iterator[EntryPoint]:
    for path in codebase.paths:
        if "/management/commands/" not in f"/{path}":
            continue
        outline = codebase.outline(path)
        command = outline.classes.get("Command")
        handle = outline.methods(command).get("handle") if command else None
        if handle:
            name = outline.path.rpartition("/")[2].removesuffix(".py")
            yield entry(EntryKind.CLI, "command", name, Handler(outline, handle, handle.qualified), "Django", LOCAL)
