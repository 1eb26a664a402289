"""When a synthesiser may order another research round (P8): four conditions, each checked against the record, and three
prohibitions; and when research may exceed its budget (P10)."""

from dataclasses import dataclass

from counterproof.model.plan.challenge import Challenge, Response, Standing, Weight
from counterproof.model.plan.report import ResearchEntry
from counterproof.model.plan.research import (
    Directive,
    DirectiveKind,
    ResearchMode,
    SurfacedContext,
    Trigger,
    Unknown,
    UnknownResolution,
)
from counterproof.protocols.plan.convergence import LAST_ITERATION

KIND_OF: dict[Trigger, DirectiveKind] = {
    Trigger.NEW_BLOCKING_CONTRADICTS_CONTEXT: DirectiveKind.RE_SWEEP,
    Trigger.USER_CHANGED_SCOPE: DirectiveKind.RE_SWEEP,
    Trigger.UNKNOWN_REVEALED_DEPENDENCY: DirectiveKind.RE_PROBE,
    Trigger.UNRESOLVED_CASCADES: DirectiveKind.RE_PROBE,
    Trigger.BUDGET_USED_UP: DirectiveKind.BUDGET,
}

MODE_OF: dict[DirectiveKind, ResearchMode] = {
    DirectiveKind.RE_SWEEP: ResearchMode.SURFACE,
    DirectiveKind.RE_PROBE: ResearchMode.PROBE,
}


@dataclass(frozen=True, slots=True)
class Record:
    """The record on which a directive is judged. `fresh_unknowns` were settled in this iteration."""

    iteration: int
    challenges: tuple[Challenge, ...]
    before: tuple[Challenge, ...]
    contexts: tuple[SurfacedContext, ...]
    fresh_unknowns: tuple[Unknown, ...]
    responses: tuple[Response, ...]
    ledger: tuple[ResearchEntry, ...] = ()


def refusal(directive: Directive, record: Record) -> str:
    """Why a directive is rejected; '' if it is accepted."""
    if record.iteration >= LAST_ITERATION:
        return f"{directive.kind}: no iteration is left"
    if KIND_OF[directive.trigger] is not directive.kind:
        return f"{directive.kind}: '{directive.trigger}' is not one of its conditions"
    if not any(each.counts and each.severity is not Weight.MINOR for each in record.challenges):
        return f"{directive.kind}: only MINOR challenges are left"
    if all_progressing(record):
        return f"{directive.kind}: no challenge is stalled"
    return "" if _holds(directive, record) else f"{directive.kind}: its condition is not recorded ({', '.join(directive.about)})"


def all_progressing(record: Record) -> bool:
    """True if every challenge above MINOR is settled or made progress in this iteration: its status or mitigation changed."""
    earlier = {each.id: (each.status, each.resolution) for each in record.before}
    standing = [each for each in record.challenges if each.counts and each.severity is not Weight.MINOR]
    return all(
        each.id in earlier and each.status is not Standing.UNRESOLVED and earlier[each.id] != (each.status, each.resolution)
        for each in standing
    )


def short_of(record: Record) -> set[str]:
    """The tools that research requested in this iteration after their budget was used up."""
    entries = [each for each in record.ledger if each.iteration == record.iteration]
    return {str(used.tool) for each in entries for used in each.used if used.refused}


def _holds(directive: Directive, record: Record) -> bool:
    about = set(directive.about)
    match directive.trigger:
        case Trigger.NEW_BLOCKING_CONTRADICTS_CONTEXT:
            blocking = any(
                each.id in about and each.severity is Weight.BLOCKING and each.iteration_introduced == record.iteration
                for each in record.challenges
            )
            return blocking and any(each.id in about for each in record.contexts)
        case Trigger.USER_CHANGED_SCOPE:
            return any(each.challenge_id in about and each.iteration == record.iteration for each in record.responses)
        case Trigger.UNKNOWN_REVEALED_DEPENDENCY:
            settled = (UnknownResolution.CONFIRMED, UnknownResolution.REFUTED)
            return any(each.id in about and each.resolution in settled for each in record.fresh_unknowns)
        case Trigger.BUDGET_USED_UP:
            return bool(about) and about <= short_of(record)
        case Trigger.UNRESOLVED_CASCADES:
            return any(each.id in about and each.status is Standing.UNRESOLVED for each in record.challenges)
