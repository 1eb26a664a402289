"""The hash chain of a journal: every row's hash covers the hash of the previous row.

Invariant: a row's hash depends on the run, on every earlier row and on every field of its own, so an edited, missing, inserted
or reordered row is detected at the first row affected. Not handled here: storing rows, and the external head.
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
    """An error in a journal, at a row (0: the journal as a whole)."""

    seq: int
    text: str


class Broken(JournalError):
    """The chain is broken at this row."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(damage.text)
        self.damage = damage


def genesis(run_id: str) -> str:
    """The hash before the first row."""
    return digest(exact(["counterproof", FORMAT, run_id]))


def chained(before: str, seq: int, at: str, kind: str, body: str) -> str:
    """The hash of a row."""
    return digest(exact([before, seq, at, kind, body]))


def raw_digest(raw: bytes) -> str:
    """The digest that identifies a raw reply in its row."""
    return hashlib.sha256(raw).hexdigest()


def intact(run_id: str, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield the entries while the chain is intact; raises `Broken` at the first row that does not match."""
    before, expected = genesis(run_id), 1
    for entry in entries:
        if entry.seq != expected:
            raise Broken(Damage(entry.seq, f"row {expected} is missing"))
        if chained(before, entry.seq, entry.at, entry.kind, entry.body) != entry.hash:
            raise Broken(Damage(entry.seq, f"row {entry.seq} or an earlier row was changed"))
        yield entry
        before, expected = entry.hash, entry.seq + 1
