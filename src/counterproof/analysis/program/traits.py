"""Facts about a single file, computed once and cached: whether it mentions a framework, which names it contains.

A project-wide query first tests every file for a trait, then examines only the files with it. In a later run an unchanged file is
not tested: its module is not even loaded.

Invariant: a trait is computed from the outline of one file only, and is plain JSON data (lists, not tuples). A query over all
files depends on the traits, not on the files. Not handled here: the closer examination.
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
    """`tell` returns a false value if the file lacks the trait. A file without a match of `holding` lacks it, and is not even
    parsed."""

    name: str
    tell: Callable[[File], Any]
    holding: re.Pattern[str] | None = None


_EVERY: dict[str, Trait] = {}


def trait(name: str, holding: str = "") -> Callable[[Callable[[File], Any]], Trait]:
    """Turn a function of an outline into a trait. Its name must be unique; `holding` is a pattern that every file with the trait
    matches."""

    def register(tell: Callable[[File], Any]) -> Trait:
        if name in _EVERY:
            raise ValueError(f"there is a trait called {name!r} already")
        _EVERY[name] = Trait(name, tell, re.compile(holding) if holding else None)
        return _EVERY[name]

    return register


def every_trait() -> tuple[Trait, ...]:
    """The traits of all imported modules."""
    return tuple(_EVERY.values())


def told(codebase: Codebase, asked: Trait) -> dict[str, Any]:
    """The value of a trait for each file that has it, by path and in path order."""
    codebase.project.notes.value(named("trait", asked.name))
    return _told(codebase, asked)


def having(codebase: Codebase, asked: Trait) -> Iterator[File]:
    """Every file with a trait, in path order; the time limit is checked between them."""
    yield from laid_out(codebase, told(codebase, asked))


def laid_out(codebase: Codebase, paths: Iterable[str]) -> Iterator[File]:
    """The outlines of these files one by one; the time limit is checked between them."""
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
