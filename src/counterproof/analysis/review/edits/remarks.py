"""All remarks about a change, the proved ones first, one for each place."""

from collections.abc import Iterator

from counterproof.analysis.review.edits.change import Change, Remark, small
from counterproof.analysis.review.edits.classes import OF_FILES, OF_UNITS

NEAR = 3
"""Lines within which two remarks speak of one edit."""


def remarks(change: Change) -> Iterator[Remark]:
    """In order of place."""
    found: list[Remark] = []
    for file in change.files:
        for speak in OF_FILES:
            found += speak(file, change)
        for edit in file.edits:
            if small(edit):
                for say in OF_UNITS:
                    found += say(edit, change)
    kept: list[Remark] = []
    for each in sorted(found, key=lambda one: not one.proved):
        if not any(one.path == each.path and abs(one.line - each.line) <= NEAR for one in kept):
            kept.append(each)
    yield from sorted(kept, key=lambda one: (one.path, one.line))
