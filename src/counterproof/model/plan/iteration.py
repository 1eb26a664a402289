"""The state of an iteration, exactly as in the protocol's schema, and the engine's verdict on it (P4, P6)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.plan.challenge import Challenge, Response
from counterproof.model.plan.research import ProbedRisk, SurfacedContext, Unknown


class Quality(StrEnum):
    """How specific a plan is (P2). A TRIVIAL plan is never iterated on."""

    RICH = "RICH"
    ADEQUATE = "ADEQUATE"
    THIN = "THIN"
    TRIVIAL = "TRIVIAL"


class Team(StrEnum):
    """The team that works on a plan."""

    BASE = "base"
    SCALED = "scaled"


class Convergence(StrEnum):
    """Whether the loop continues."""

    CONTINUE = "CONTINUE"
    CONVERGED = "CONVERGED"
    BLOCKED = "BLOCKED"
    FORCED_EXIT = "FORCED_EXIT"


class Verdict(StrEnum):
    """The recommendation to the user."""

    NONE = ""
    PROCEED = "PROCEED"
    PROCEED_WITH_QUESTIONS = "PROCEED WITH QUESTIONS"
    PROCEED_TRIVIAL = "PROCEED (trivial)"
    REVISE = "REVISE"
    REVISE_STRONG = "REVISE (strong)"
    RETHINK = "RETHINK"
    PAUSE = "PAUSE"
    CARRIED_OUT = "CARRIED OUT"
    NOT_CARRIED_OUT = "NOT CARRIED OUT"


@dataclass(frozen=True, slots=True)
class Decision:
    """The engine's count and its consequence. `unmitigated` are significant challenges without a mitigation, `questions` the
    unanswered MINOR ones."""

    blocking_open: int
    significant_open: int
    status: Convergence
    verdict: Verdict
    unmitigated: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class IterationState:
    """The complete result of one iteration."""

    iteration: int
    plan_path: str
    plan_quality: Quality
    team_mode: Team
    challenges: tuple[Challenge, ...]
    unknowns: tuple[Unknown, ...]
    surfaced_contexts: tuple[SurfacedContext, ...]
    probed_risks: tuple[ProbedRisk, ...]
    convergence: Decision
    user_responses: tuple[Response, ...]
    synthesizer_directives: tuple[str, ...]
    quality_score: int | None = None
