"""A change for checks and history: the files before and after, and the newly written code."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.review.edits.alignment import FileEdit

_WORD = re.compile(r"\w{3,}")


@dataclass(eq=False)
class Change:
    """`texts` gives the code files that contain a word, without tests."""

    files: tuple[FileEdit, ...]
    texts: Callable[[str], Iterable[tuple[str, str]]] = lambda _: ()

    @cached_property
    def fresh_words(self) -> frozenset[str]:
        """Words that statements of the change newly contain, including those inside strings."""
        found: set[str] = set()
        for file in self.files:
            for edit in file.edits:
                found.update(word for row in edit.gained for word in _WORD.findall(row.text))
                found.update(
                    word for old, new in edit.reworded for word in {*_WORD.findall(new.text)} - {*_WORD.findall(old.text)}
                )
            found.update(word for unit in file.added for row in unit.rows for word in _WORD.findall(row.text))
        return frozenset(found)
