"""All remarks about a change, the proved ones first, one for each place."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.review.edits.alignment import FileEdit
from counterproof.analysis.review.edits.change import Change, Remark, small
from counterproof.analysis.review.edits.classes import OF_FILES, OF_UNITS
from counterproof.analysis.review.edits.contracts import CONTRACTS

SYSTEMATIC = 3
"""Edits of one kind and one wording from which on they are what the change is about."""
REWORKED = 10
"""Functions of one file that a change may touch before it counts as reworked: then only what is proved is said."""
NEAR = 3
"""Lines within which two remarks speak of one edit."""


def remarks(change: Change) -> Iterator[Remark]:
    """In order of place."""
    found = _unsystematic([replace(each, path=file.path) for file in change.files for each in _of_file(file, change)])
    kept: list[Remark] = []
    for each in sorted(found, key=lambda one: not one.proved):
        if not any(one.path == each.path and abs(one.line - each.line) <= NEAR for one in kept):
            kept.append(each)
    yield from sorted(kept, key=lambda one: (one.path, one.line))


def _of_file(file: FileEdit, change: Change) -> Iterator[Remark]:
    for speak in (*OF_FILES, *CONTRACTS):
        yield from speak(file, change)
    for edit in file.edits if not reworked(file) else ():
        if small(edit):
            for say in OF_UNITS:
                yield from say(edit, change)


def reworked(file: FileEdit) -> bool:
    """Whether so much of a file is written anew that what went was most likely meant to go."""
    return len(file.edits) + len(file.added) + len(file.removed) > REWORKED


def _unsystematic(found: list[Remark]) -> list[Remark]:
    """Without those that a change makes again and again: what is done to every caller is meant. What is proved stays."""
    often = Counter((each.kind, _gist(each)) for each in found)
    return [each for each in found if each.proved or often[each.kind, _gist(each)] < SYSTEMATIC]


def _gist(remark: Remark) -> str:
    """What it speaks of, without the value at this place: the name of a keyword, the callee."""
    return re.split(r"[=(.:]", remark.title.partition("`")[2])[0].strip()
