"""The results of plan verification as models submit them: typed fields with bounds, one shape for each kind of task (P4).

Invariant: unknown fields are rejected, enums are the schema's own, texts are bounded. Invalid items are described to the model
in words. Wire values are converted to domain values here; the engine judges them.
"""
# ruff: noqa: RUF012 (pydantic copies defaults)

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, StringConstraints, ValidationError

from counterproof.agents.models.contract_text import Short, Strict
from counterproof.agents.models.hand_in import built, problems_of
from counterproof.model.errors import InvalidValue
from counterproof.model.plan.challenge import Challenge, Proposal, Question, Raiser
from counterproof.model.plan.contract import Grounds, PlanReply, PlanRole, PlanTask
from counterproof.model.plan.research import (
    Directive,
    ProbedRisk,
    ResearchMode,
    SurfacedContext,
    Unknown,
    UnknownResolution,
    Verified,
    quotation,
)
from counterproof.model.plan.score import Aspect, Mark, ScoreCard

Item = TypeVar("Item", SurfacedContext, ProbedRisk)
MAX_ITEMS = 20

Text = Annotated[str, StringConstraints(min_length=1, max_length=1_500)]
Source = Annotated[str, StringConstraints(max_length=400)]
Line = Annotated[int, Field(ge=1, le=100_000)]


class WireChallenge(Strict):
    claim: Text
    concern: Text
    failure_scenario: Text
    alternative: Annotated[str, StringConstraints(max_length=1_500)] = ""
    severity: Literal["BLOCKING", "SIGNIFICANT", "MINOR"]
    confidence: Literal["HIGH", "MED", "LOW"]
    plan_lines: Annotated[list[Line], Field(min_length=1, max_length=10)]
    places: Annotated[list[Source], Field(max_length=10)] = []
    search: Annotated[list[Annotated[str, StringConstraints(min_length=3, max_length=80)]], Field(max_length=5)] = []


class WireUnknown(Strict):
    affects_challenge: Short
    description: Text
    type: Literal["FILE_MISSING", "API_BEHAVIOR", "PRIOR_DECISION", "STALE_KNOWLEDGE", "INTEGRATION_UNKNOWN"]
    suggested_query: Short = ""
    resolution: Literal["CONFIRMED", "REFUTED", "UNRESOLVABLE", "PARTIALLY_RESOLVED"]
    source: Source = ""
    quote: Annotated[str, StringConstraints(max_length=300)] = ""
    finding: Text
    impact: Short = ""


class WireContext(Strict):
    source: Literal["memory", "codebase", "claude_md", "git_history"]
    location: Source
    relevance: Text
    impact: Literal["changes_needed", "confirms_approach", "contradicts_plan"]
    challenge: WireChallenge | None = None


class WireRisk(Strict):
    risk: Text
    trigger: Text
    cascade: Text
    probability: Literal["LOW", "MED"]
    severity: Literal["BLOCKING", "SIGNIFICANT", "MINOR"]
    challenge: WireChallenge | None = None


class WireProposal(Strict):
    challenge_id: Short
    status: Literal["OPEN", "RESOLVED", "UNRESOLVED", "DEFERRED", "WITHDRAWN"]
    resolution: Annotated[str, StringConstraints(max_length=1_500)]
    basis: Literal["evidence", "debate", "user"]
    evidence: Annotated[list[Source], Field(max_length=10)] = []


class WireQuestion(Strict):
    challenge_id: Short
    text: Text


class WireDirective(Strict):
    kind: Literal["RE-SWEEP", "RE-PROBE", "BUDGET"]
    trigger: Literal[
        "new blocking contradicts context",
        "user changed scope",
        "unknown revealed dependency",
        "unresolved cascades",
        "budget used up",
    ]
    about: Annotated[list[Short], Field(min_length=1, max_length=10)]
    reason: Text


class WireMark(Strict):
    aspect: Literal["approach", "risk", "assumptions", "integration", "unknowns", "constraints"]
    points: Annotated[int, Field(ge=1, le=10)]
    source: Annotated[str, StringConstraints(min_length=2, max_length=400)]
    quote: Annotated[str, StringConstraints(max_length=300)] = ""
    evidence: Text


class _PlanHeader(Strict):
    """Whose result it is."""

    marker: Short
    agent_id: Short
    iteration: Annotated[int, Field(ge=0, le=100)]


class ChallengeResult(_PlanHeader):
    challenges: Annotated[list[WireChallenge], Field(max_length=MAX_ITEMS)]


class ResolveResult(_PlanHeader):
    unknowns: Annotated[list[WireUnknown], Field(max_length=MAX_ITEMS)]


class SurfaceResult(_PlanHeader):
    contexts: Annotated[list[WireContext], Field(max_length=MAX_ITEMS)]


class ProbeResult(_PlanHeader):
    risks: Annotated[list[WireRisk], Field(max_length=MAX_ITEMS)]


class SynthesisResult(_PlanHeader):
    proposals: Annotated[list[WireProposal], Field(max_length=50)]
    questions: Annotated[list[WireQuestion], Field(max_length=MAX_ITEMS)] = []
    directives: Annotated[list[WireDirective], Field(max_length=5)] = []


class ScoreResult(_PlanHeader):
    marks: Annotated[list[WireMark], Field(min_length=6, max_length=6)]


Result = ChallengeResult | ResolveResult | SurfaceResult | ProbeResult | SynthesisResult | ScoreResult
_RESEARCH: dict[ResearchMode, type[Result]] = {
    ResearchMode.RESOLVE: ResolveResult,
    ResearchMode.SURFACE: SurfaceResult,
    ResearchMode.PROBE: ProbeResult,
}
_ORIGINS = {
    PlanRole.CHALLENGER: Raiser.CHALLENGER,
    PlanRole.DOMAIN_EXPERT: Raiser.DOMAIN_EXPERT,
    PlanRole.DEVILS_ADVOCATE: Raiser.DEVILS_ADVOCATE,
}


def shape_of(task: PlanTask) -> type[Result]:
    """The shape of this task's result."""
    if task.scoring:
        return ScoreResult
    if task.mode:
        return _RESEARCH[task.mode]
    return SynthesisResult if task.role is PlanRole.SYNTHESIZER else ChallengeResult


def reply_of(task: PlanTask, fields: dict[str, Any]) -> tuple[PlanReply | None, tuple[str, ...]]:
    """A model's result as a domain value; or everything that is wrong with it, in words for the model."""
    try:
        return _converted(task, shape_of(task).model_validate(fields)), ()
    except ValidationError as error:
        return None, problems_of(error)
    except InvalidValue as error:
        return None, (str(error)[:300],)


def _converted(task: PlanTask, result: Result) -> PlanReply:
    reply = PlanReply(task.agent_id, task.iteration)
    match result:
        case ChallengeResult():
            return _with_challenges(reply, _ORIGINS[task.role], result.challenges)
        case ResolveResult():
            return replace(reply, unknowns=tuple(_unknown(number, each) for number, each in enumerate(result.unknowns, 1)))
        case SurfaceResult():
            reply = _with_challenges(reply, Raiser.SURFACED, [each.challenge for each in result.contexts])
            return replace(reply, contexts=_linked(SurfacedContext, "S", result.contexts))
        case ProbeResult():
            reply = _with_challenges(reply, Raiser.PROBED, [each.challenge for each in result.risks])
            return replace(reply, risks=_linked(ProbedRisk, "P", result.risks))
        case SynthesisResult():
            proposals = tuple(built(Proposal, each) for each in result.proposals)
            questions = tuple(built(Question, each, why="it blocks the plan") for each in result.questions)
            directives = tuple(built(Directive, each) for each in result.directives)
            return replace(reply, proposals=proposals, questions=questions, directives=directives)
        case ScoreResult():
            marks = {each.aspect: _mark(each) for each in result.marks}
            return replace(reply, card=ScoreCard(tuple(marks[aspect.value] for aspect in Aspect if aspect.value in marks)))


def _with_challenges(reply: PlanReply, origin: Raiser, wired: Sequence[WireChallenge | None]) -> PlanReply:
    raised = [(f"C{number}", each) for number, each in enumerate(filter(None, wired), 1)]
    begun = {"origin": origin, "iteration_introduced": reply.iteration}
    return replace(
        reply,
        challenges=tuple(built(Challenge, each, id=name, **begun) for name, each in raised),
        grounds=tuple(built(Grounds, each, challenge_id=name) for name, each in raised),
    )


def _linked(kind: type[Item], letter: str, wired: Sequence[WireContext] | Sequence[WireRisk]) -> tuple[Item, ...]:
    """The items with the names of the challenges that they raise."""
    names = (f"C{number}" for number in count(1))
    return tuple(
        built(kind, each, id=f"{letter}{number}", generates_challenge=next(names) if each.challenge else "null")
        for number, each in enumerate(wired, 1)
    )


def _unknown(number: int, each: WireUnknown) -> Unknown:
    finding = each.finding
    if each.resolution != UnknownResolution.UNRESOLVABLE:
        finding = str(Verified.of(each.source, each.quote, each.finding, each.impact or "see the challenge"))
    return built(Unknown, each, id=f"U{number}", finding=finding)


def _mark(each: WireMark) -> Mark:
    said = f"{quotation(each.quote)} {each.evidence}" if each.quote.strip() else each.evidence
    return built(Mark, each, evidence=said)
