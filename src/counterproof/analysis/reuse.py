"""Results of one family for single files, stored between runs with their inputs.

A result for a file depends on the files read and the values requested for it (see `Notes`). A value is computed from many files
and counts by its content: the entry points of a file, which files have a trait. Each use of a value notes its name; a later run
recomputes it, which must be cheap, and compares. All results of an entry were valid for one state of the tree; a later run reuses
those whose files and values are unchanged.

Invariant: a result is reused only if recomputing it would give the same, which requires the same list of files, the same program,
and the same content of all inputs; a value is computed from the project and its name alone. Not handled here: the work of a
family.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError

from counterproof.analysis.cache import digest_of
from counterproof.analysis.notes import Noted
from counterproof.analysis.project import Project
from counterproof.model.errors import CounterproofError

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Made(Generic[R]):
    """One result; `sources` are the numbers of its inputs."""

    sources: tuple[int, ...]
    result: R


@dataclass(frozen=True, slots=True)
class Entry(Generic[R]):
    """Results by file, valid for a tree with this list of files and these states of all sources."""

    files: str
    sources: tuple[tuple[str, str], ...]
    made: dict[str, Made[R]]


class Reuse(Generic[R]):
    """The results of a family. `kind` is the type of one result."""

    def __init__(self, project: Project, family: str, kind: type[R], more: str = "") -> None:
        self._project = project
        self._adapter: TypeAdapter[Entry[R]] = TypeAdapter(Entry[kind])  # pyright: ignore[reportInvalidTypeForm]
        self._store = project.results.store if project.results else None
        self._family = family
        self._key = _key(project, family)
        self._files = digest_of(
            "list of files", (), repr([more, *((file.path, file.language, file.role) for file in project.survey.files)])
        )
        self._now: dict[str, tuple[R, Noted]] = {}
        self._fresh = False
        self._good = self._earlier()
        project.at_the_end.append(self.keep)

    def result(self, path: str, make: Callable[[], R], lasting: Callable[[R], bool] = bool) -> R:
        """The stored result for a file, or a new one. A result that is not `lasting` is recomputed every time."""
        known = self._good.get(path)
        if known is not None:
            self._now[path] = known
            self._project.notes.again(known[1])
            return known[0]
        made, noted = self._project.notes.watched(make)
        if self._store and lasting(made):
            self._now[path] = (made, noted)
            self._fresh = True
        return made

    def keep(self) -> None:
        """Store the results for the next run, if any is new. Only for a run that did not time out."""
        if self._store is None or not self._fresh:
            return
        names = sorted({name for _, noted in self._now.values() for name in noted})
        numbers = {name: number for number, name in enumerate(names)}
        made = {path: Made(tuple(sorted(numbers[name] for name in noted)), result) for path, (result, noted) in self._now.items()}
        entry = Entry(self._files, tuple((name, self._state(name)) for name in names), made)
        try:
            body = self._adapter.dump_json(entry)
        except (PydanticSerializationError, ValueError):
            return  # text that JSON cannot represent
        if self._decoded(body) == entry:
            self._store.keep(self._key, body)
            self._fresh = False

    def _earlier(self) -> dict[str, tuple[R, Noted]]:
        body = self._store.find(self._key, f"{self._family} by file") if self._store else None
        entry = self._decoded(body) if body else None
        if entry is None or entry.files != self._files:
            return {}
        same = [self._state(name) == state != "" for name, state in entry.sources]
        names = [name for name, _ in entry.sources]
        return {
            path: (made.result, frozenset(names[number] for number in made.sources))
            for path, made in entry.made.items()
            if all(0 <= number < len(same) and same[number] for number in made.sources)
        }

    def _state(self, name: str) -> str:
        """The current state of a source."""
        if name[:1] == "v":
            return digest_of_value(self._project, name[1:])
        file = self._project.files.get(name[1:])
        return file.sha256 if file else ""

    def _decoded(self, body: bytes) -> Entry[R] | None:
        try:
            return self._adapter.validate_json(body)
        except (ValidationError, CounterproofError, ValueError, RecursionError):
            return None


def reuse_of(project: Project, family: str, kind: type[R], more: str = "") -> Reuse[R]:
    """The stored results of a family for the project's files, read once."""
    return project.once(f"{family} by file {more}", lambda: Reuse(project, family, kind, more))


def settle(project: Project) -> None:
    """Store the results for single files for the next run; call it when there is time."""
    if project.in_time():
        for keep in project.at_the_end:
            keep()


def _key(project: Project, family: str) -> str:
    return digest_of(f"{family} by file", (), project.survey.name)


Maker = Callable[["Project", str], object]

_MAKERS: dict[str, Maker] = {}


def valued(kind: str) -> Callable[[Maker], Maker]:
    """Register a function that computes values of a kind. It receives the rest of the value's name after the kind."""

    def register(make: Maker) -> Maker:
        _MAKERS[kind] = make
        return make

    return register


def named(kind: str, argument: str) -> str:
    return f"{kind}:{argument}"


def digest_of_value(project: "Project", name: str) -> str:
    """The digest of a value now; '' if no function computes it."""
    kind, _, argument = name.partition(":")
    make = _MAKERS.get(kind)
    if make is None:
        return ""
    with project.notes.apart():
        return hashlib.sha256(repr(make(project, argument)).encode("utf-8", "surrogatepass")).hexdigest()
