"""The interfaces between the pure core and the outside world. Their implementations are interchangeable."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from counterproof.model.batch import Job, Order, Outcome, Row, Target
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.ledger import Ledger
from counterproof.protocols.guard.budget import Cost
from counterproof.protocols.guard.citations import Checks, Citation


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of a journal. `hash` covers the previous row, and this row's number, time, kind and body."""

    seq: int
    at: str
    kind: str
    body: str
    hash: str


class Journal(Protocol):
    """Append-only and hash-chained. Data is on disk once `append` returns."""

    def append(self, kind: str, *bodies: str) -> None: ...

    def entries(self) -> Iterator[Entry]: ...


@dataclass(frozen=True, slots=True)
class ReplyKey:
    """Identifies the question of a stored reply. A retry is a new attempt and so a new question; a restart is not."""

    task: str
    attempt: int
    step: int
    request: str
    """The digest of the whole question."""


class ReplyStore(Protocol):
    """Models' raw replies, stored before anything parses them. Data is on disk once `keep` returns."""

    def find(self, key: ReplyKey) -> bytes | None: ...

    def keep(self, key: ReplyKey, raw: bytes) -> None: ...


class CommonBudget(Protocol):
    """Money and requests shared by many runs, wherever they run. `mark` identifies a question, also when it is repeated.

    `settle` replaces a call's reservation by its cost, which may be zero, even if an earlier process of the run reserved it;
    without a reservation it has no effect. `wait` returns the seconds until a request may be sent; a return of 0 counts the
    request.
    """

    def reserve(self, mark: str, most: Cost) -> bool: ...

    def settle(self, mark: str, cost: Cost) -> None: ...

    def wait(self) -> float: ...


class Clock(Protocol):
    """Time as text, so that it can be journalled and replayed."""

    def now(self) -> str: ...


class Machine(Protocol):
    """A protocol as the driver uses it. States, events and commands are the protocol's own."""

    def initial(self) -> Any: ...

    def step(self, state: Any, event: Any) -> tuple[Any, tuple[Any, ...]]: ...

    def outstanding(self, state: Any) -> tuple[str, ...]: ...

    def narrated(self, state: Any) -> tuple[str, ...]: ...

    def ended(self, state: Any) -> bool: ...

    def encode(self, event: Any) -> str: ...

    def decode(self, body: str) -> Any: ...


Emit = Callable[[Any], Awaitable[None]]


class Executor(Protocol):
    """Executes one command and emits the resulting events. The last one answers the command."""

    async def execute(self, command: Any, emit: Emit) -> None: ...


class Toolbox(Protocol):
    """Everything that an agent may use. It meters, confines and records; its record counts, not the agent's claims."""

    def ledger(self) -> Ledger: ...

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]: ...

    def checks(self, reply: AgentReply) -> Checks: ...


class Agent(Protocol):
    """Takes a task and a toolbox and returns a reply. It can access nothing else."""

    async def run(self, task: AgentTask, toolbox: Any) -> AgentReply: ...


class Human(Protocol):
    """The user. `confirm` returns their answer, or None if nobody can be asked now: then the run pauses."""

    async def confirm(self, question: str) -> bool | None: ...


class Observer(Protocol):
    """Receives progress messages. It cannot influence the run."""

    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...


class JobRunner(Protocol):
    """Audits one target on this machine. Credentials for git and models are this machine's own.

    `prepare` determines what there is to audit; it raises `CounterproofError` if there is nothing. `confirm` raises it if this
    machine would not do the job that another one prepared. `run` starts or resumes the audit within `row.reserved`, and puts
    the reports below `folder`. It always returns: failures are outcomes, and one with exit code 6 can be resumed. `tell`
    receives progress messages. `stop` makes every `run` pause.
    """

    def prepare(self, target: Target) -> Job: ...

    def confirm(self, job: Job) -> None: ...

    def run(self, row: Row, order: Order, folder: Path, tell: Callable[[str], None]) -> Outcome: ...

    def stop(self) -> None: ...


class Scheduler(Protocol):
    """Runs the audits of a batch, here or on other machines, and reports each change of a row, from any thread.

    `rows` is the current state of the batch; finished rows are left alone. Returns when every row has ended or the batch was
    paused; `pause` may be called from another thread or a signal handler.
    """

    def conduct(self, order: Order, rows: tuple[Row, ...], tell: Callable[[Row], None]) -> None: ...

    def pause(self) -> None: ...
