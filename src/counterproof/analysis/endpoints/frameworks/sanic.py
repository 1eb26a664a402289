"""Sanic: routes of applications and blueprints, method views, request middleware as guards."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention
from counterproof.analysis.endpoints.decorated import DecoratedRoutes, Dialect
from counterproof.analysis.outline.codebase import Codebase
from counterproof.model.recon import EntryPoint

_SANIC = Dialect(
    "Sanic",
    ("sanic.Sanic", "sanic.app.Sanic"),
    ("sanic.Blueprint", "sanic.blueprints.Blueprint"),
    mounting=("blueprint", "register_blueprint"),
    hooks=("middleware", "on_request"),
)


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return DecoratedRoutes(codebase, _SANIC).entries()


CONVENTION = Convention("Sanic", ("sanic",), ("sanic",), _find)
