"""Bottle: routes of a `Bottle` object, and of the default application through the package's own decorators."""

from collections.abc import Iterator

from counterproof.analysis.endpoints.convention import Convention
from counterproof.analysis.endpoints.decorated import DecoratedRoutes, Dialect
from counterproof.analysis.outline.codebase import Codebase
from counterproof.model.recon import EntryPoint

_BOTTLE = Dialect("Bottle", ("bottle.Bottle", "bottle.app", "bottle.default_app"), (), ("bottle",), ("mount", "merge"), ("hook",))


def _find(codebase: Codebase) -> Iterator[EntryPoint]:
    return DecoratedRoutes(codebase, _BOTTLE).entries()


CONVENTION = Convention("Bottle", ("bottle",), ("bottle",), _find)
