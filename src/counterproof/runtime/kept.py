"""What every journal of a run can do, wherever it is kept: a file beside the run, or a database that many machines share.

Invariant: rows are only ever appended, each chained to the one before; what `append` and `keep` returned is durable; a writer
that another one has overtaken is refused. `outside` is the head of the chain as it is known apart from the rows.
"""

from collections.abc import Iterator
from typing import Protocol

from counterproof.ports import Entry
from counterproof.runtime.heads import Head, Position
from counterproof.runtime.inbox import Inbox


class RunJournal(Protocol):
    """One run's journal, open for reading, and for writing where `writable` says so."""

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
