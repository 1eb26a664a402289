"""Every parsed file of a project in languages other than Python, tests left out, parsed on demand and kept while there is
room.

Invariant: files come in path order and the clock is asked between them; nothing is parsed twice while it is kept. Not handled
here: what a name in one file means in another; each language has its own way there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from counterproof.analysis.polyglot.chains import Chain, chains_of
from counterproof.analysis.polyglot.source import Function, Source
from counterproof.analysis.project import Project
from counterproof.analysis.syntax.parsing import TOO_LONG
from counterproof.model.survey import Language

T = TypeVar("T")

MAX_KEPT_BYTES = 48_000_000
OTHERS = (Language.JAVASCRIPT, Language.TYPESCRIPT, Language.JAVA, Language.GO, Language.PHP, Language.RUBY)
SCRIPTS = (Language.JAVASCRIPT, Language.TYPESCRIPT)


class Corpus:
    """The files of one project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.paths = {language: _paths(project, language) for language in OTHERS}
        self.known = frozenset(path for paths in self.paths.values() for path in paths)
        self._kept: dict[str, Source] = {}
        self._bytes = 0
        self._chains: dict[str, tuple[Chain, ...]] = {}
        self._memory: dict[tuple[object, ...], Any] = {}

    def remembered(self, key: tuple[object, ...], compute: Callable[[], T]) -> T:
        """What was worked out before under this key."""
        if key not in self._memory:
            self._memory[key] = compute()
        return self._memory[key]

    def source(self, path: str) -> Source:
        found = self._kept.pop(path, None)
        if found is None:
            file = self.project.files[path]
            assert file.language is not None
            found = Source(path, file.language, self.project.text(path))
            if found.unparsable:
                self.project.left_unread(path, TOO_LONG)
            self._bytes += len(found.data)
        self._kept[path] = found
        while self._bytes > MAX_KEPT_BYTES and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            self._bytes -= len(self._kept.pop(oldest).data)
            self._chains.pop(oldest, None)
        return found

    def sources(self, *languages: Language) -> Iterator[Source]:
        """All files of these languages, in path order."""
        for path in sorted(path for language in languages for path in self.paths[language]):
            self.project.checkpoint()
            yield self.source(path)

    def chains(self, source: Source) -> tuple[Chain, ...]:
        """The calls of a file, laid out once while the file is kept."""
        if source.path not in self._chains:
            self._chains[source.path] = tuple(chains_of(source))
        return self._chains[source.path]

    def mentions(self, source: Source, *words: bytes) -> bool:
        """Whether a file holds one of these texts at all: a cheap test before a careful one."""
        return any(word in source.data for word in words)

    def problems(self) -> Iterator[str]:
        """What could not be read, one sentence per file."""
        for source in self.sources(*OTHERS):
            line, what = source.problem
            if line:
                yield f"{source.path}:{line}: {what}"


@dataclass(frozen=True, slots=True)
class Place:
    """A function in a file: what a name was resolved to."""

    source: Source
    function: Function


def _paths(project: Project, language: Language) -> tuple[str, ...]:
    return tuple(file.path for file in project.of_language(language) if not file.test and not _compiled(project, file.path))


def _compiled(project: Project, path: str) -> bool:
    """JavaScript that was made from TypeScript of this very tree: reading both would list every route twice."""
    folder, _, rest = path.partition("/")
    inner, _, name = path.rpartition("/")
    if not path.endswith(".js") or not rest:
        return False
    twins = (f"src/{rest[:-3]}.ts", f"{rest[:-3]}.ts") if folder in ("dist", "build", "lib", "out") else ()
    beside = f"{inner}/{name[:-3]}.ts" if inner else f"{name[:-3]}.ts"
    return any(twin in project.files for twin in (*twins, beside))


@lru_cache(maxsize=4)
def corpus_of(project: Project) -> Corpus:
    """The corpus of a project, built once."""
    return Corpus(project)
