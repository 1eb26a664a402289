"""A change for contracts and history: the files before and after, and the newly written code."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.bindings import names_set
from counterproof.analysis.review.edits.units import Unit

_WORD = re.compile(r"\w{3,}")


@dataclass(frozen=True, slots=True)
class Remark:
    """One broken contract: `line` is in the newer text of the file `path`, which the caller fills in."""

    kind: str
    domain: str
    title: str
    why: str
    fix: str
    line: int
    path: str = ""


@dataclass(eq=False)
class Change:
    """`texts` gives the code files that contain a word, without tests; `paths` are those of the tree, also of files and folders
    that are not read; `touched` those of the change."""

    files: tuple[FileEdit, ...]
    texts: Callable[[str], Iterable[tuple[str, str]]] = lambda _: ()
    paths: frozenset[str] = frozenset()
    touched: frozenset[str] = frozenset()

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


def parameters(unit: Unit) -> set[str]:
    """The names of a function's parameters."""
    given = unit.part.role("parameters", "parameter") if unit.part is not None else None
    if given is None:
        return set()
    return {*names_set(given), *([given.text] if given.kind == "name" else [])}
