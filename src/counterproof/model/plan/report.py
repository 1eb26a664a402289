"""The report of a plan verification as data (P14). It contains no time and no run id: the same evidence gives the same bytes."""

from dataclasses import dataclass

from counterproof.model.excerpt import Excerpt
from counterproof.model.plan.carried_out import CarriedOut
from counterproof.model.plan.challenge import Challenge, Question, Response
from counterproof.model.plan.contract import Grounds, Used
from counterproof.model.plan.coverage import NOT_COUNTED, Coverage
from counterproof.model.plan.iteration import IterationState, Quality, Team, Verdict
from counterproof.model.plan.research import ProbedRisk, ResearchMode, SurfacedContext, Unknown
from counterproof.model.plan.score import Dispute, ScoreCard


@dataclass(frozen=True, slots=True)
class ResearchEntry:
    """The tool use of one research task."""

    iteration: int
    agent_id: str
    mode: ResearchMode | None
    used: tuple[Used, ...]


@dataclass(frozen=True, slots=True)
class PlanReport:
    """All content of the report. `lines` are the texts at the locations that challenges cite, and `excerpts` the code around
    them; `log` lists what the engine rejected and why. `score` is the displayed part of the score card: never more than was
    checked (P22)."""

    plan_path: str
    plan_digest: str
    title: str
    verdict: Verdict
    sentence: str
    next_step: str
    quality: Quality
    complexity: tuple[tuple[str, int], ...]
    team: Team
    iterations: tuple[IterationState, ...]
    challenges: tuple[Challenge, ...] = ()
    grounds: tuple[Grounds, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    excerpts: tuple[tuple[str, Excerpt], ...] = ()
    set_aside: tuple[Challenge, ...] = ()
    ungrounded: tuple[Challenge, ...] = ()
    merged: tuple[tuple[str, Challenge], ...] = ()
    unknowns: tuple[Unknown, ...] = ()
    contexts: tuple[SurfacedContext, ...] = ()
    risks: tuple[ProbedRisk, ...] = ()
    unmitigated: tuple[str, ...] = ()
    debt: tuple[Challenge, ...] = ()
    questions: tuple[Question, ...] = ()
    responses: tuple[Response, ...] = ()
    card: ScoreCard | None = None
    score: int | None = None
    coverage: Coverage = NOT_COUNTED
    disputes: tuple[Dispute, ...] = ()
    ledger: tuple[ResearchEntry, ...] = ()
    limitations: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    carried_out: CarriedOut | None = None
    source_url: str = ""
