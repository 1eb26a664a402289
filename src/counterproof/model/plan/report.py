"""The report of a plan verification as data (P14). It holds no clock and no run id: the same evidence gives the same bytes."""

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
    """What one research task used."""

    iteration: int
    agent_id: str
    mode: ResearchMode | None
    used: tuple[Used, ...]


@dataclass(frozen=True, slots=True)
class PlanReport:
    """Everything a reader or a machine needs. `lines` are the texts of the places that challenges rest on,
    and `excerpts` what stands around them; `log` holds what the
    engine refused and why. `score` is what is shown of the card: never more than was checked (P22)."""

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
