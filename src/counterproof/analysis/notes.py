"""Notes of what was looked at while something was worked out.

Notes are kept so that a later run can tell whether doing the work again would give the same. Two kinds of things are noted:
files, whose content was asked for, and values, which were worked out from many files and count by what they are. A value that
is the same as last time gives the same result, whatever changed in the files behind it.

Not handled here: what is made of notes.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

Noted = frozenset[str]
"""Files as `f` and their path, values as `v` and their name."""


class _Book(set[str]):
    """What was noted since it was opened; `united` are the notes of others that went into it whole."""

    def __init__(self) -> None:
        super().__init__()
        self.united: set[Noted] = set()


class _Open(threading.local):
    """The notebooks that are open in one thread: what another one reads meanwhile is none of its business."""

    def __init__(self) -> None:
        self.books: list[_Book] = []


class Notes:
    """A stack of open notebooks; whatever is noted goes into the topmost, and from there into the one below when it is closed."""

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
        """Note what was noted when something was worked out that is now used once more."""
        books = self._open.books
        if books and noted not in books[-1].united:
            books[-1].update(noted)
            books[-1].united.add(noted)

    def watched(self, make: Callable[[], T]) -> tuple[T, Noted]:
        """What `make` gives, and what it looked at. That is noted for whoever asked, too."""
        with self.apart() as found:
            made = make()
        noted = self._same.setdefault(frozenset(found), frozenset(found))
        self.again(noted)
        return made, noted

    @contextmanager
    def apart(self) -> Generator[set[str]]:
        """A notebook whose content goes nowhere else: for values that count by what they are."""
        found = _Book()
        self._open.books.append(found)
        try:
            yield found
        finally:
            self._open.books.pop()
