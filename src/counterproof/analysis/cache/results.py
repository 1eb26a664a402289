"""Typed results in the store, as JSON.

Always holds: what is kept decodes to exactly what was given, or it is not kept; what is found is validated as the type that is
asked for. JSON, not pickle: an entry can say wrong things at worst, and cannot do any. Does not belong here: keys.

Files as the last survey of a tree judged them, so that what did not change is hashed and not read line by line again. Always
holds: a file is taken over only for the same path, the same bytes and the same program, so that it is what judging it again would
give.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from counterproof.analysis.cache.keys import digest_of
from counterproof.analysis.cache.store import Store, cache_is_off, why_off
from counterproof.analysis.source.content import Judged
from counterproof.model.errors import CounterproofError
from counterproof.model.survey import SourceFile, Survey

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
        self._adapters: dict[type, TypeAdapter[Any]] = {}

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

    def _adapter(self, kind: type) -> TypeAdapter[Any]:
        if kind not in self._adapters:
            self._adapters[kind] = TypeAdapter(kind)
        return self._adapters[kind]


@dataclass(frozen=True, slots=True)
class JudgedFiles:
    """Every file of one survey, in order of path."""

    files: tuple[SourceFile, ...]


class Earlier:
    """The last survey of a tree with the same choice of generated files, where results are kept."""

    def __init__(self, results: Results | None, root: Path, include_generated: bool) -> None:
        self._results = results
        self._key = digest_of("judged files", (), f"{root.absolute()}\n{include_generated}") if results else ""
        found = results.find(JudgedFiles, self._key) if results else None
        self._files = found.files if found else ()

    def judged(self) -> Judged:
        """By path and digest."""
        return {(each.path, each.sha256): each for each in self._files if not each.reached_from}

    def keep(self, survey: Survey) -> None:
        if self._results and survey.files != self._files:
            self._results.keep(self._key, JudgedFiles(survey.files))
