"""What a file says by itself, told once and kept: whether it speaks of a framework at all, what it names, what it takes.

A question about the whole project first asks each file for a trait, and then looks closer at those files alone that have it.
In a later run a file that did not change is asked nothing: its module is not even loaded.

Invariant: a trait is told from the outline of one file and nothing else, and is a plain value that JSON can hold (lists, not
tuples). Whoever asks about all files depends on the answers, not on the files. Not handled here: looking closer.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from counterproof.analysis.program.codebase import Codebase, codebase_of
from counterproof.analysis.program.file import File
from counterproof.analysis.project import Project
from counterproof.analysis.reuse import named, valued


@dataclass(frozen=True, slots=True)
class Trait:
    """`tell` gives something false where the file does not have the trait. What `holding` finds nothing in does not have it, and
    is not even parsed for it."""

    name: str
    tell: Callable[[File], Any]
    holding: re.Pattern[str] | None = None


_EVERY: dict[str, Trait] = {}


def trait(name: str, holding: str = "") -> Callable[[Callable[[File], Any]], Trait]:
    """Makes a function of an outline a trait. The name tells it from all others; `holding` is a pattern that every file with the
    trait has a match of."""

    def register(tell: Callable[[File], Any]) -> Trait:
        if name in _EVERY:
            raise ValueError(f"there is a trait called {name!r} already")
        _EVERY[name] = Trait(name, tell, re.compile(holding) if holding else None)
        return _EVERY[name]

    return register


def every_trait() -> tuple[Trait, ...]:
    """Those of all modules that were imported."""
    return tuple(_EVERY.values())


def told(codebase: Codebase, asked: Trait) -> dict[str, Any]:
    """What each file that has a trait says, by path and in order of paths."""
    codebase.project.notes.value(named("trait", asked.name))
    return _told(codebase, asked)


def having(codebase: Codebase, asked: Trait) -> Iterator[File]:
    """Every file with a trait, in order of paths; the clock is asked between them."""
    yield from laid_out(codebase, told(codebase, asked))


def laid_out(codebase: Codebase, paths: Iterable[str]) -> Iterator[File]:
    """These files one by one; the clock is asked between them."""
    for path in paths:
        codebase.project.checkpoint()
        yield codebase.outline(path)


def anywhere(codebase: Codebase, asked: Trait) -> bool:
    """Whether any file has a trait."""
    return bool(told(codebase, asked))


def _told(codebase: Codebase, asked: Trait) -> dict[str, Any]:
    def answers() -> dict[str, Any]:
        with codebase.project.notes.apart():
            every = ((path, _answer(codebase, asked, path)) for path in codebase.paths)
            return {path: answer for path, answer in every if answer}

    return codebase.remembered(("trait", asked.name), answers)


def _answer(codebase: Codebase, asked: Trait, path: str) -> Any:
    project = codebase.project
    kept = project.told
    found, answer = kept.find(path, project.files[path].sha256, asked.name) if kept else (False, None)
    if not found:
        project.checkpoint()
        possible = asked.holding is None or asked.holding.search(project.text(path))
        answer = asked.tell(codebase.outline(path)) if possible else None
        if kept:
            kept.add(path, project.files[path].sha256, asked.name, answer)
    return answer


@valued("trait")
def _value(project: Project, name: str) -> object:
    return _told(codebase_of(project), _EVERY[name]) if name in _EVERY else None
