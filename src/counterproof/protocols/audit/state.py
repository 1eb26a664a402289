"""The state of one audit. Frozen; every step makes a new one. Everything a report says can be derived from it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from counterproof.model.agents import Registered
from counterproof.model.baseline import Baseline
from counterproof.model.confinement import NOT_TRIED, Confinement
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.coverage import DimensionCoverage
from counterproof.model.demonstration import Demonstration
from counterproof.model.dimension import Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.finding import Finding
from counterproof.model.ledger import Ledger
from counterproof.model.map import Map
from counterproof.model.receipt import Outcome
from counterproof.model.recon import Recon
from counterproof.model.report import Refused, RootCoverage
from counterproof.model.survey import Survey
from counterproof.model.transfer import Hotspot
from counterproof.protocols.audit.archive import Archive
from counterproof.protocols.audit.chains import Chained
from counterproof.protocols.audit.deep_dive import Dive
from counterproof.protocols.audit.events import Ack, Document
from counterproof.protocols.audit.inventory import Attempt, Checklist
from counterproof.protocols.audit.markers import Marker
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.plan import Plan
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.audit.resolution import Resolved
from counterproof.protocols.audit.rounds import Decision, Questions
from counterproof.protocols.audit.validation import Routing
from counterproof.protocols.guard.citations import UNCHECKED, Checks

T = TypeVar("T")


def known(value: T | None) -> T:
    """Return a part of the state that must be set by now; a missing one is a bug."""
    if value is None:
        raise EngineBug("a part of the audit's state was read before it was set")
    return value


class Stage(StrEnum):
    """The current stage of the machine. Phases 0 and 1 are LOADING to CONFIRMATION, phase 2 is BASELINE and HUNT, 5 is
    REPORTING.

    Merging (phase 2.5) and evaluation need no agent or user and so have no stage; they happen on leaving HUNT.
    """

    NEW = "new"
    SURVEY = "survey"
    LOADING = "loading"
    RECON = "recon"
    CONFIRMATION = "confirmation"
    BASELINE = "baseline"
    HUNT = "hunt"
    DEEP_DIVE = "deep dive"
    VALIDATION = "validation"
    REPORTING = "reporting"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Work:
    """The result of one task: a reply with the findings that verification kept, or a failure. The task names the worker, and
    the ledger holds only that worker's records (A52)."""

    task: AgentTask
    reply: AgentReply | None
    ledger: Ledger
    kept: tuple[Finding, ...] = ()
    refused: tuple[Refused, ...] = ()
    failure: str = ""
    checks: Checks = UNCHECKED

    @property
    def modelled(self) -> bool:
        return bool(self.task.model)

    @property
    def hunting(self) -> bool:
        """True if the work is part of phase 2 and so counts for coverage."""
        return self.task.role in (Role.HUNTER, Role.CHAIN_CHECKER)

    @property
    def whole(self) -> bool:
        """True if the submission is complete, so that nothing caps its coverage."""
        return self.reply is not None and self.reply.ended and not self.failure


@dataclass(frozen=True, slots=True)
class Round:
    """The record of one finished round: its agents, its coverage, and the evaluation's decision."""

    number: int
    emergency: bool
    agents: tuple[str, ...]
    coverage: tuple[DimensionCoverage, ...]
    questions: Questions
    decision: Decision


@dataclass(frozen=True, slots=True)
class AuditState:
    """`outstanding` are the ids of unanswered commands; `marked` the finished phases, in whatever state; `explained` the gaps
    that the report explains (A43); `trail` the deep-mode states so far, by the protocol's names; `recovered` the workers whose
    reduced restart was tried, '' for the analysts (A27); `model_dive` the result of a model's dive, separate from the
    analysts' (A52); `demonstrations` are made after the end and come from no event."""

    stage: Stage = Stage.NEW
    version: str = ""
    confinement: Confinement = NOT_TRIED
    request: AuditRequest | None = None
    survey: Survey | None = None
    mode: Mode | None = None
    mode_note: str = ""
    documents: tuple[Document, ...] = ()
    loads: int = 0
    recon: Recon | None = None
    map: Map | None = None
    attempts: tuple[Attempt, ...] = ()
    checklist: Checklist = Checklist.PARTIAL
    plan: Plan | None = None
    ack: Ack | None = None
    registry: tuple[Registered, ...] = ()
    tasks: tuple[AgentTask, ...] = ()
    work: tuple[Work, ...] = ()
    recovered: tuple[str, ...] = ()
    time_up: bool = False
    phase: str = "1"
    round: int = 0
    emergency: bool = False
    rounds: tuple[Round, ...] = ()
    baseline: Baseline | None = None
    coverage: tuple[DimensionCoverage, ...] = ()
    roots: tuple[RootCoverage, ...] = ()
    merged: tuple[Finding, ...] = ()
    dive: Dive | None = None
    model_dive: Dive | None = None
    chains: Chained | None = None
    routing: Routing | None = None
    escalated: tuple[str, ...] = ()
    archive: Archive | None = None
    resolved: Resolved | None = None
    marked: tuple[str, ...] = ()
    waivers: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    explained: tuple[Dimension, ...] = ()
    trail: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()
    ignored: tuple[str, ...] = ()
    outstanding: tuple[str, ...] = ()
    outcome: Outcome | None = None
    digests: tuple[tuple[str, str], ...] = ()
    hotspots: tuple[Hotspot, ...] | None = None
    demonstrations: tuple[Demonstration, ...] = ()

    @property
    def all_failed(self) -> bool:
        """True if hunters ran and none of them submitted completely (A27)."""
        hunted = [work for work in self.work if work.hunting]
        return bool(hunted) and not any(work.whole for work in hunted)
