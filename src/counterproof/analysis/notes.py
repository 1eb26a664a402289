"""Notes on the inputs of a computation.

Notes let a later run decide whether repeating the computation would give the same result. There are two kinds of inputs: files,
whose content was read, and values, which were computed from many files and count by their content. An unchanged value gives the
same result, whatever changed in the files behind it.

Not handled here: use of the notes.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

Noted = frozenset[str]
"""Files as `f` plus path, values as `v` plus name."""


class _Book(set[str]):
    """The notes since it was opened; `united` are other notes merged into it."""

    def __init__(self) -> None:
        super().__init__()
        self.united: set[Noted] = set()


class _Open(threading.local):
    """The open notebooks of one thread, independent of other threads."""

    def __init__(self) -> None:
        self.books: list[_Book] = []


class Notes:
    """A stack of open notebooks; each note goes into the topmost, and into the one below when it is closed."""

    def __init__(self) -> None:
        self._open = _Open()
        self._same: dict[Noted, Noted] = {}

    def file(self, path: str) -> None:
        books = self._open.books
        if books:
            books[-1].add("f" + path)

    def value(self, name: str) -> None:
        books = self._open.books
        if books:
            books[-1].add("v" + name)

    def again(self, noted: Noted) -> None:
        """Repeat the notes of a cached result that is used again."""
        books = self._open.books
        if books and noted not in books[-1].united:
            books[-1].update(noted)
            books[-1].united.add(noted)

    def watched(self, make: Callable[[], T]) -> tuple[T, Noted]:
        """The result of `make`, and its inputs, which are also noted for the caller."""
        with self.apart() as found:
            made = make()
        noted = self._same.setdefault(frozenset(found), frozenset(found))
        self.again(noted)
        return made, noted

    @contextmanager
    def apart(self) -> Generator[set[str]]:
        """A notebook that is not merged into others: for values that count by their content."""
        found = _Book()
        self._open.books.append(found)
        try:
            yield found
        finally:
            self._open.books.pop()
