"""The events of an audit. Each is journalled before the machine processes it; replaying them rebuilds the state exactly.

An event that answers a command carries that command's id in `answers`. Times enter only here.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from counterproof.model.baseline import Baseline
from counterproof.model.confinement import NOT_TRIED, Confinement
from counterproof.model.contract import AgentReply
from counterproof.model.ledger import Ledger
from counterproof.model.map import Map
from counterproof.model.recon import Recon
from counterproof.model.survey import Survey
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.guard.budget import FREE, Cost
from counterproof.protocols.guard.citations import UNCHECKED, Checks, Citation

"""The cost of an embedded analyst."""


class Ack(StrEnum):
    """The user's response to the plan (A4)."""

    CONFIRMED = "confirmed"
    AUTO_CONFIRMED = "auto_confirmed"
    NOT_CONFIRMED = "not_confirmed"


@dataclass(frozen=True, slots=True)
class Document:
    """A document used in a prompt of this run, or data that the engine read, with the hash of its text (A3)."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Started:
    """`basis` names the inputs of the run besides the target, as (part, digest) pairs: program, rules, prompts, documents.
    `confinement` is what protects this machine from the programs that the run starts."""

    request: AuditRequest
    version: str
    basis: tuple[tuple[str, str], ...] = ()
    confinement: Confinement = NOT_TRIED
    kind: Literal["started"] = "started"


@dataclass(frozen=True, slots=True)
class Surveyed:
    answers: str
    survey: Survey
    kind: Literal["surveyed"] = "surveyed"


@dataclass(frozen=True, slots=True)
class DocumentsLoaded:
    answers: str
    documents: tuple[Document, ...]
    kind: Literal["documents_loaded"] = "documents_loaded"


@dataclass(frozen=True, slots=True)
class ReconReported:
    """`map` is shown in the HTML report; None if building it failed or an earlier version made the run."""

    answers: str
    recon: Recon
    map: Map | None = None
    kind: Literal["recon_reported"] = "recon_reported"


@dataclass(frozen=True, slots=True)
class PlanAnswered:
    answers: str
    ack: Ack
    kind: Literal["plan_answered"] = "plan_answered"


@dataclass(frozen=True, slots=True)
class AgentStarted:
    answers: str
    at: str
    kind: Literal["agent_started"] = "agent_started"


@dataclass(frozen=True, slots=True)
class AgentFinished:
    """A reply, the toolbox's record of the work, the results of re-reading the cited lines and checking the typed reasons, and
    the cost."""

    answers: str
    at: str
    reply: AgentReply
    ledger: Ledger
    citations: tuple[Citation, ...]
    cost: Cost = FREE
    checks: Checks = UNCHECKED
    kind: Literal["agent_finished"] = "agent_finished"


@dataclass(frozen=True, slots=True)
class AgentFailed:
    """`unidentified`: the output was truncated and did not even identify its agent (A25)."""

    answers: str
    at: str
    reason: str
    unidentified: bool = False
    cost: Cost = FREE
    kind: Literal["agent_failed"] = "agent_failed"


@dataclass(frozen=True, slots=True)
class BaselineFinished:
    """The Semgrep scan ended: complete, partial or failed."""

    answers: str
    baseline: Baseline
    kind: Literal["baseline_finished"] = "baseline_finished"


@dataclass(frozen=True, slots=True)
class PhaseRequested:
    """Whoever drives the agents asks to move to a phase. The machine follows its own order; a jump is a violation (A30)."""

    phase: str
    kind: Literal["phase_requested"] = "phase_requested"


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The user's time limit passed, or the limit named in `limit`. Agents submit what they have."""

    seconds: int
    limit: str = ""
    kind: Literal["time_up"] = "time_up"


@dataclass(frozen=True, slots=True)
class ReportWritten:
    """The stored report, as (format, sha256) pairs."""

    answers: str
    digests: tuple[tuple[str, str], ...]
    kind: Literal["report_written"] = "report_written"


Event = (
    Started
    | Surveyed
    | DocumentsLoaded
    | ReconReported
    | PlanAnswered
    | AgentStarted
    | AgentFinished
    | AgentFailed
    | BaselineFinished
    | PhaseRequested
    | TimeUp
    | ReportWritten
)
