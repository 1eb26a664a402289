"""The few interfaces between the pure core and the world. Everything behind them can be exchanged."""

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
    """One row of a journal. `hash` covers the row before it, the row's place, time, kind and body."""

    seq: int
    at: str
    kind: str
    body: str
    hash: str


class Journal(Protocol):
    """Append-only and hash-chained. What `append` returned is on disk."""

    def append(self, kind: str, *bodies: str) -> None: ...

    def entries(self) -> Iterator[Entry]: ...


@dataclass(frozen=True, slots=True)
class ReplyKey:
    """Which question a stored reply answers. A retry is a new attempt and so a new question; a restart is not."""

    task: str
    attempt: int
    step: int
    request: str
    """The digest of everything that was asked."""


class ReplyStore(Protocol):
    """Raw replies of models, kept before anything parses them. What `keep` returned is on disk."""

    def find(self, key: ReplyKey) -> bytes | None: ...

    def keep(self, key: ReplyKey, raw: bytes) -> None: ...


class CommonBudget(Protocol):
    """Money and requests that many runs share, wherever they run. `mark` names a question; asked again it keeps its name.

    `settle` puts what a call cost in the place of what was reserved for it, nothing included, also if an earlier process of the
    run reserved it; what nobody reserved it does not know. `wait` says in how many seconds a request may leave; 0 counts it.
    """

    def reserve(self, mark: str, most: Cost) -> bool: ...

    def settle(self, mark: str, cost: Cost) -> None: ...

    def wait(self) -> float: ...


class Clock(Protocol):
    """Time as text, so that it can be journalled and replayed."""

    def now(self) -> str: ...


class Machine(Protocol):
    """A protocol as the driver sees it. States, events and commands are the protocol's own."""

    def initial(self) -> Any: ...

    def step(self, state: Any, event: Any) -> tuple[Any, tuple[Any, ...]]: ...

    def outstanding(self, state: Any) -> tuple[str, ...]: ...

    def narrated(self, state: Any) -> tuple[str, ...]: ...

    def ended(self, state: Any) -> bool: ...

    def encode(self, event: Any) -> str: ...

    def decode(self, body: str) -> Any: ...


Emit = Callable[[Any], Awaitable[None]]


class Executor(Protocol):
    """Carries out one command and emits the events that came of it. The last one answers the command."""

    async def execute(self, command: Any, emit: Emit) -> None: ...


class Toolbox(Protocol):
    """What an agent may use. It meters, confines and records; the record, not the agent, is believed."""

    def ledger(self) -> Ledger: ...

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]: ...

    def checks(self, reply: AgentReply) -> Checks: ...


class Agent(Protocol):
    """Takes a task and a toolbox and returns a reply. It can reach nothing else."""

    async def run(self, task: AgentTask, toolbox: Any) -> AgentReply: ...


class Human(Protocol):
    """The user. `confirm` returns their word, or None when nobody can be asked now: then the run pauses."""

    async def confirm(self, question: str) -> bool | None: ...


class Observer(Protocol):
    """Told what happens, in words, while it happens. Cannot influence it."""

    def narrate(self, text: str) -> None: ...

    def progress(self, who: str, text: str) -> None: ...


class JobRunner(Protocol):
    """Audits one target on this machine. Credentials for git and models are this machine's own.

    `prepare` finds out what there is to audit; it raises `CounterproofError` where there is nothing. `confirm` raises it where
    this machine would not do the job that another one prepared. `run` audits it, or goes on with the run that had begun, within
    `row.reserved`, and puts the reports beneath `folder`. It always returns: what goes wrong is an outcome, and one with exit
    code 6 can go on. `tell` hears what happens. `stop` makes every `run` pause.
    """

    def prepare(self, target: Target) -> Job: ...

    def confirm(self, job: Job) -> None: ...

    def run(self, row: Row, order: Order, folder: Path, tell: Callable[[str], None]) -> Outcome: ...

    def stop(self) -> None: ...


class Scheduler(Protocol):
    """Has the targets of a batch audited, here or on other machines, and tells how each row stands, from any thread.

    `rows` is where the batch stands; rows that have ended are left alone. Returns when every row has ended or the batch was
    paused; `pause` may be called from another thread or a signal handler.
    """

    def conduct(self, order: Order, rows: tuple[Row, ...], tell: Callable[[Row], None]) -> None: ...

    def pause(self) -> None: ...
