"""The results of plan verification as models submit them: typed fields with bounds, one shape for each kind of task (P4).

Invariant: unknown fields are rejected, enums are the schema's own, texts are bounded. Invalid items are described to the model
in words. Wire values are converted to domain values here; the engine judges them.
"""
# ruff: noqa: RUF012 (pydantic copies defaults)

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints, ValidationError

from counterproof.agents.models.contract_text import Short, Strict
from counterproof.model.errors import InvalidValue
from counterproof.model.misfits import in_plain_words
from counterproof.model.plan.challenge import Basis, Challenge, Confidence, Proposal, Question, Raiser, Standing, Weight
from counterproof.model.plan.contract import Grounds, PlanReply, PlanRole, PlanTask
from counterproof.model.plan.research import (
    ContextImpact,
    ContextSource,
    Directive,
    DirectiveKind,
    Probability,
    ProbedRisk,
    ResearchMode,
    SurfacedContext,
    Trigger,
    Unknown,
    UnknownResolution,
    UnknownType,
    Verified,
    quotation,
)
from counterproof.model.plan.score import Aspect, Mark, ScoreCard

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
    """A model's result as a domain value; or what is wrong with it, in words for the model."""
    try:
        return _converted(task, shape_of(task).model_validate(fields)), ()
    except ValidationError as error:
        listed = error.errors(include_url=False, include_context=False, include_input=False)[:10]
        return None, tuple(f"{'.'.join(map(str, each['loc']))[:200]}: {in_plain_words(each['msg'])[:200]}" for each in listed)
    except InvalidValue as error:
        return None, (str(error)[:300],)


def _converted(task: PlanTask, result: Result) -> PlanReply:
    empty = PlanReply(task.agent_id, task.iteration)
    match result:
        case ChallengeResult():
            return _with_challenges(task, _ORIGINS[task.role], result.challenges)
        case ResolveResult():
            unknowns = tuple(_unknown(number, each) for number, each in enumerate(result.unknowns, 1))
            return PlanReply(task.agent_id, task.iteration, unknowns=unknowns)
        case SurfaceResult():
            return _surfaced(task, result.contexts)
        case ProbeResult():
            return _probed(task, result.risks)
        case SynthesisResult():
            return _synthesised(task, result)
        case ScoreResult():
            marks = {each.aspect: _mark(each) for each in result.marks}
            card = ScoreCard(tuple(marks[aspect.value] for aspect in Aspect if aspect.value in marks))
            return PlanReply(empty.agent_id, empty.iteration, card=card)


def _with_challenges(task: PlanTask, origin: Raiser, wired: list[WireChallenge]) -> PlanReply:
    challenges = tuple(
        Challenge(
            f"C{number}",
            origin,
            each.claim,
            each.concern,
            each.failure_scenario,
            each.alternative,
            Weight(each.severity),
            Confidence(each.confidence),
            task.iteration,
        )
        for number, each in enumerate(wired, 1)
    )
    grounds = tuple(
        Grounds(f"C{number}", tuple(each.plan_lines), tuple(each.places), tuple(each.search))
        for number, each in enumerate(wired, 1)
    )
    return PlanReply(task.agent_id, task.iteration, challenges=challenges, grounds=grounds)


def _unknown(number: int, each: WireUnknown) -> Unknown:
    resolution = UnknownResolution(each.resolution)
    finding = each.finding
    if resolution is not UnknownResolution.UNRESOLVABLE:
        finding = str(Verified.of(each.source, each.quote, each.finding, each.impact or "see the challenge"))
    kind = UnknownType(each.type)
    return Unknown(f"U{number}", each.description, kind, each.affects_challenge, each.suggested_query, resolution, finding)


def _mark(each: WireMark) -> Mark:
    said = f"{quotation(each.quote)} {each.evidence}" if each.quote.strip() else each.evidence
    return Mark(Aspect(each.aspect), each.points, said, each.source)


def _surfaced(task: PlanTask, wired: list[WireContext]) -> PlanReply:
    raised = [each.challenge for each in wired if each.challenge]
    reply = _with_challenges(task, Raiser.SURFACED, raised)
    names = iter(each.id for each in reply.challenges)
    contexts = tuple(
        SurfacedContext(
            f"S{number}",
            ContextSource(each.source),
            each.location,
            each.relevance,
            ContextImpact(each.impact),
            next(names) if each.challenge else "null",
        )
        for number, each in enumerate(wired, 1)
    )
    return PlanReply(task.agent_id, task.iteration, reply.challenges, reply.grounds, contexts=contexts)


def _probed(task: PlanTask, wired: list[WireRisk]) -> PlanReply:
    raised = [each.challenge for each in wired if each.challenge]
    reply = _with_challenges(task, Raiser.PROBED, raised)
    names = iter(each.id for each in reply.challenges)
    risks = tuple(
        ProbedRisk(
            f"P{number}",
            each.risk,
            each.trigger,
            each.cascade,
            Probability(each.probability),
            Weight(each.severity),
            next(names) if each.challenge else "null",
        )
        for number, each in enumerate(wired, 1)
    )
    return PlanReply(task.agent_id, task.iteration, reply.challenges, reply.grounds, risks=risks)


def _synthesised(task: PlanTask, result: SynthesisResult) -> PlanReply:
    proposals = tuple(
        Proposal(each.challenge_id, Standing(each.status), each.resolution, Basis(each.basis), tuple(each.evidence))
        for each in result.proposals
    )
    questions = tuple(Question(each.challenge_id, each.text, "it blocks the plan") for each in result.questions)
    directives = tuple(
        Directive(DirectiveKind(each.kind), Trigger(each.trigger), tuple(each.about), each.reason) for each in result.directives
    )
    return PlanReply(task.agent_id, task.iteration, proposals=proposals, questions=questions, directives=directives)
