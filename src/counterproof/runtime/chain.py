"""The hash chain that runs through a journal: every row's hash covers the hash of the row before it.

What always holds: the hash of a row depends on the run, on every row before it and on every field of its own, so an edit,
a missing row, an inserted one and a changed order all show at the first row they touch. Where rows are kept, and what the
head outside says, does not belong here.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from counterproof.model.canonical import digest, exact
from counterproof.model.errors import JournalError
from counterproof.ports import Entry

FORMAT = 2


@dataclass(frozen=True, slots=True)
class Damage:
    """Something wrong with a journal, at a row (0: the journal as a whole)."""

    seq: int
    text: str


class Broken(JournalError):
    """The chain breaks at this row."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage.text)
        self.damage = damage


def genesis(run_id: str) -> str:
    """The hash that the first row is chained to."""
    return digest(exact(["counterproof", FORMAT, run_id]))


def chained(before: str, seq: int, at: str, kind: str, body: str) -> str:
    """The hash of a row."""
    return digest(exact([before, seq, at, kind, body]))


def raw_digest(raw: bytes) -> str:
    """The digest under which a raw reply is named in its row."""
    return hashlib.sha256(raw).hexdigest()


def intact(run_id: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries as long as the chain holds; raises `Broken` at the first row that does not fit."""
    before, expected = genesis(run_id), 1
    for entry in entries:
        if entry.seq != expected:
            raise Broken(Damage(entry.seq, f"row {expected} is missing"))
        if chained(before, entry.seq, entry.at, entry.kind, entry.body) != entry.hash:
            raise Broken(Damage(entry.seq, f"row {entry.seq} or an earlier row was changed"))
        yield entry
        before, expected = entry.hash, entry.seq + 1
