"""The complete state of a verification, rebuilt from the journal and never edited in place (P15)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.excerpt import Excerpt
from counterproof.model.plan.carried_out import CarriedOut
from counterproof.model.plan.challenge import Challenge, Question, Response
from counterproof.model.plan.contract import Grounds, PlanTask
from counterproof.model.plan.coverage import NOT_COUNTED, Coverage
from counterproof.model.plan.iteration import Decision, IterationState, Quality, Team
from counterproof.model.plan.outline import PlanOutline
from counterproof.model.plan.report import ResearchEntry
from counterproof.model.plan.research import Directive, ProbedRisk, SurfacedContext, Unknown
from counterproof.model.plan.score import ScoreCard
from counterproof.model.receipt import Outcome
from counterproof.protocols.plan.complexity import Complexity
from counterproof.protocols.plan.events import TaskDone
from counterproof.protocols.plan.request import VerifyRequest


class Stage(StrEnum):
    """The current stage of the loop."""

    NEW = "new"
    READING = "reading the plan"
    CHALLENGE = "challenge"
    RESOLVE = "research: resolve"
    EXPLORE = "research: surface and probe"
    SYNTHESIS = "synthesis"
    WAITING = "waiting for the user"
    SCORING = "scoring"
    SCORE_AUDIT = "score audit"
    REPORTING = "writing the report"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class PlanState:
    """`opening` are the active challenges at the start of the iteration; `collected` are replies waiting for their siblings,
    so that the order of parallel replies has no effect. `proved` are challenges that analysis raised, `established` unknowns
    that it settled; `ungrounded` are challenges for which nothing on record contradicts the plan (P20); `merged` are
    challenges that repeat another one, with its id; `unplayed` is the part
    of `incomplete` that a model left undone while the embedded agents did theirs."""

    stage: Stage = Stage.NEW
    request: VerifyRequest | None = None
    version: str = ""
    outline: PlanOutline | None = None
    quality: Quality = Quality.TRIVIAL
    complexity: Complexity | None = None
    team: Team = Team.BASE
    iteration: int = 0
    tasks: tuple[PlanTask, ...] = ()
    collected: tuple[TaskDone, ...] = ()
    outstanding: tuple[str, ...] = ()
    opening: tuple[Challenge, ...] = ()
    brief: tuple[str, ...] = ()
    challenges: tuple[Challenge, ...] = ()
    grounds: tuple[Grounds, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    excerpts: tuple[tuple[str, Excerpt], ...] = ()
    proved: tuple[str, ...] = ()
    ungrounded: tuple[Challenge, ...] = ()
    set_aside: tuple[Challenge, ...] = ()
    merged: tuple[tuple[str, Challenge], ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    contexts: tuple[SurfacedContext, ...] = ()
    risks: tuple[ProbedRisk, ...] = ()
    fresh_unknowns: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    established: tuple[str, ...] = ()
    researched: int = 0
    tightened: bool = False
    directives: tuple[Directive, ...] = ()
    questions: tuple[Question, ...] = ()
    responses: tuple[Response, ...] = ()
    iterations: tuple[IterationState, ...] = ()
    decision: Decision | None = None
    card: ScoreCard | None = None
    audit: ScoreCard | None = None
    ledger: tuple[ResearchEntry, ...] = ()
    limitations: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    incomplete: tuple[str, ...] = ()
    unplayed: tuple[str, ...] = ()
    over_budget: tuple[str, ...] = ()
    outcome: Outcome | None = None
    carried_out: CarriedOut | None = None
    coverage: Coverage = NOT_COUNTED
