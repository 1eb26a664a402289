"""Typed results in the store, as JSON.

Invariant: what is kept decodes to exactly what was given, or it is not kept; what is found is validated as the type that is
asked for. JSON, not pickle: an entry can say wrong things at worst, and cannot do any. Not handled here: keys.
"""

from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from counterproof.analysis.cache.store import Store
from counterproof.analysis.cache.trust import cache_is_off, why_off
from counterproof.analysis.kept import kept
from counterproof.model.errors import CounterproofError

T = TypeVar("T")


def results_in(folder: Path) -> "Results | None":
    """The results kept in a folder, unless none are wanted or trusted."""
    if cache_is_off():
        return None
    store = Store(folder)
    assert store.secret  # a key that does not serve is told before anything else
    return Results(store)


def receipt(store: Store | None) -> dict[str, Any]:
    """What a run took over from earlier ones, by kind, for its receipt; or why it took nothing."""
    if store is None:
        return {"off": why_off() or "not asked for"}
    return {"used": dict(sorted(store.used.items()))}


class Results:
    """Results of one kind of question: examinations, reconnaissance."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def find(self, kind: type[T], key: str) -> T | None:
        body = self.store.find(key, kind.__name__)
        return None if body is None else self._decoded(kind, body)

    def keep(self, key: str, value: object) -> None:
        try:
            body = self._adapter(type(value)).dump_json(value)
        except (PydanticSerializationError, ValueError):
            return  # text that JSON cannot hold, such as half of a surrogate pair
        if self._decoded(type(value), body) == value:
            self.store.keep(key, body)

    def _decoded(self, kind: type[T], body: bytes) -> T | None:
        try:
            return cast("T", self._adapter(kind).validate_json(body))
        except (ValidationError, CounterproofError, ValueError):
            return None

    @kept
    def _adapter(self, kind: type) -> TypeAdapter[Any]:
        return TypeAdapter(kind)
