"""The surveyed text as one stream that can be searched, so that no search program ever opens a file of the target.

Each file is read once, through the confined reader and only while it holds the surveyed bytes, redacted, and written to a private
temporary file as UTF-8. A search is fed from there. So ignore files, links, pipes and files swapped in mid-run mean nothing
to a search, and line numbers are the survey's. Searches see what agents may see and no more, or a pattern could ask for a secret
letter by letter. Invariant: what could not be taken in is listed with the reason.
"""

import os
import tempfile
import weakref
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from counterproof.analysis.project import Project
from counterproof.analysis.source.reading import TargetChanged

MAX_BYTES = 2 << 30
_CHUNK = 1 << 18


@dataclass(frozen=True, slots=True)
class Part:
    """Where a file's text is in the stream, and how many lines it has there."""

    path: str
    offset: int
    size: int
    lines: int


@dataclass(frozen=True, slots=True)
class Unsearched:
    """A file in scope that searches do not see."""

    path: str
    reason: str


class Corpus:
    """The text of one project. Built once; safe to read from many threads. `close` frees it; a forgotten one frees itself."""

    def __init__(self, project: Project, shown: Callable[[str], str], max_bytes: int = MAX_BYTES) -> None:
        self._file = tempfile.TemporaryFile(prefix="counterproof-text-")  # noqa: SIM115 (lives as long as the corpus)
        self.close = weakref.finalize(self, self._file.close)
        self._parts: dict[str, Part] = {}
        unsearched: list[Unsearched] = []
        offset = 0
        for file in project.survey.files:
            project.checkpoint()
            if offset + file.size > max_bytes:
                unsearched.append(Unsearched(file.path, "too much text to search"))
                continue
            try:
                text = shown(file.path)
            except TargetChanged as error:
                unsearched.append(Unsearched(file.path, str(error)))
                continue
            data = (text if text.endswith("\n") or not text else text + "\n").encode("utf-8")
            self._file.write(data)
            self._parts[file.path] = Part(file.path, offset, len(data), data.count(b"\n"))
            offset += len(data)
        self._file.flush()
        self.unsearched = tuple(unsearched)

    def select(self, paths: Iterable[str]) -> "Selection":
        """The stream of some files, in the order given."""
        return Selection(self, tuple(self._parts[path] for path in paths if path in self._parts))

    def line(self, path: str, number: int) -> str:
        """One line as it stands in the file, without its end."""
        part = self._parts[path]
        lines = self._piece(part.offset, part.size).split(b"\n")
        return lines[number - 1].decode("utf-8").rstrip("\r") if 0 < number <= part.lines else ""

    def _piece(self, offset: int, size: int) -> bytes:
        return os.pread(self._file.fileno(), size, offset)

    def pieces(self, parts: tuple[Part, ...]) -> Iterator[bytes]:
        """The bytes of these parts, neighbours taken together."""
        for offset, size in _merged(parts):
            for start in range(offset, offset + size, _CHUNK):
                yield self._piece(start, min(_CHUNK, offset + size - start))


class Selection:
    """Some files as one stream, and which line of which file a line of the stream is."""

    def __init__(self, corpus: Corpus, parts: tuple[Part, ...]) -> None:
        self._corpus = corpus
        self._parts = tuple(part for part in parts if part.lines)
        self._starts: list[int] = []
        total = 0
        for part in self._parts:
            self._starts.append(total)
            total += part.lines
        self.lines = total

    def feed(self) -> Iterator[bytes]:
        return self._corpus.pieces(self._parts)

    def place(self, line: int) -> tuple[str, int]:
        """File and line behind a line of the stream, counted from 1."""
        index = bisect_right(self._starts, line - 1) - 1
        return self._parts[index].path, line - self._starts[index]


def _merged(parts: tuple[Part, ...]) -> Iterator[tuple[int, int]]:
    start = end = -1
    for part in parts:
        if part.offset != end:
            if end > start:
                yield start, end - start
            start = part.offset
        end = part.offset + part.size
    if end > start:
        yield start, end - start
