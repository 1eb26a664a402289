"""Unread code in scope makes a review incomplete (X21).

Invariant: only code that the user accepted as unread on the command line is ignored; unread code never counts as covered.
Shared by audit and review. Not handled here: detecting unread code.
"""

from collections.abc import Container, Iterable
from dataclasses import replace

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.survey import Unread

NAMED = 10
"""Files that are named individually; the rest is counted."""


def missing(*parts: Iterable[Unread], read: Container[str] = ()) -> tuple[Unread, ...]:
    """The unread code that the user did not accept, each file once; `read` are the files that a model read to the end (A64)."""
    found = {each.path: each for part in parts for each in part if not each.accepted and not _is_read(each, read)}
    return tuple(found[path] for path in sorted(found))


def _is_read(each: Unread, read: Container[str]) -> bool:
    return bool(each.files) and all(path in read for path in each.files)


def shortfalls(unread: tuple[Unread, ...]) -> tuple[str, ...]:
    """Why the review is incomplete, in sentences: one per file, one for all beyond the first few, one for our own errors."""
    lines = [f"Not read: {each}." for each in unread[:NAMED]]
    if len(unread) > NAMED:
        lines.append(f"Not read: {len(unread) - NAMED} more files that belong to the reviewed code.")
    if ours := sum(each.internal for each in unread):
        files = "1 file was" if ours == 1 else f"{ours} files were"
        lines.append(f"{files} not read because of an internal error; the traceback is in internal-errors.log.")
    return tuple(lines)


def judged(rows: Iterable[DimensionCoverage], unread: tuple[Unread, ...]) -> tuple[DimensionCoverage, ...]:
    """The rows of the coverage matrix; none is covered while possibly relevant code is unread. An archive lowers no other
    file's coverage (A64)."""
    unread = tuple(each for each in unread if not each.packed)
    if not unread:
        return tuple(rows)
    which = unread[0].path if len(unread) == 1 else f"{len(unread)} files"
    return tuple(_lowered(row, f"{row.reason}; lowered: {which} not read") for row in rows)


def _lowered(row: DimensionCoverage, reason: str) -> DimensionCoverage:
    return replace(row, status=Status.SHALLOW, reason=reason) if row.status is Status.COVERED else row
