"""The interface of every journal of a run: a local file, or a database shared by many machines.

Invariant: rows are only appended, each chained to the previous one; data is durable once `append` or `keep` returns; a writer
overtaken by another is rejected. `outside` is the head of the chain stored apart from the rows.
"""

from collections.abc import Iterator
from typing import Protocol

from counterproof.ports import Entry
from counterproof.runtime.heads import Head, Position
from counterproof.runtime.inbox import Inbox


class RunJournal(Protocol):
    """One run's journal, open for reading, and for writing if `writable` is set."""

    writable: bool
    inbox: Inbox

    @property
    def head(self) -> Position: ...

    def outside(self) -> Head | None: ...

    def append(self, kind: str, *bodies: str) -> None: ...

    def keep(self, body: str, raw: bytes) -> int: ...

    def entries(self) -> Iterator[Entry]: ...

    def raw(self, seq: int) -> bytes | None: ...

    def raw_rows(self) -> tuple[int, ...]: ...

    def close(self) -> None: ...
