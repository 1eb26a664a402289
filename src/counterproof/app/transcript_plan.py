"""Formats a verification for people: challenges and who raised them, named sources and whether they exist, proposals, and the
engine's decisions, which are replayed from the events."""

from collections.abc import Iterator

from counterproof.model.plan.contract import PlanReply
from counterproof.protocols.plan.events import Command, Event, RunTask, TaskDone, TaskFailed, UserAnswered
from counterproof.protocols.plan.state import PlanState


def tell(event: Event, before: PlanState, after: PlanState, commands: tuple[Command, ...]) -> Iterator[tuple[str, list[str]]]:
    """(speaker, lines) for the replies and the engine's decisions; '' is the engine."""
    yield from _said(event)
    known = {each.id: each for each in before.challenges}
    moved = [each for each in after.challenges if known.get(each.id) != each]
    if moved:
        rows = (f"  {each.id} {each.severity} {each.status}: {each.claim}{_why(each.resolution)}" for each in moved)
        yield "", ["the engine:", *rows]
    for each in commands:
        if isinstance(each, RunTask):
            mode = f", {each.task.mode.value}" if each.task.mode else ""
            yield each.task.id, [f"is asked as {each.task.role.value}{mode}, iteration {each.task.iteration}"]


def _why(text: str) -> str:
    return f" ({text})" if text else ""


def _said(event: Event) -> Iterator[tuple[str, list[str]]]:
    match event:
        case TaskDone():
            missing = [f"  its source was not found: {each.source}{_why(each.why)}" for each in event.checks if not each.found]
            spent = f", {event.cost.tokens:,} tokens" if event.cost.tokens else ""
            yield event.answers, [f"submits{spent}:", *_reply(event.reply), *missing]
        case TaskFailed():
            yield event.answers, [f"failed: {event.reason}"]
        case UserAnswered():
            yield "", ["the user answers:", *(f"  {each.challenge_id}: {each.text}" for each in event.responses)]
        case _:
            return


def _reply(reply: PlanReply) -> Iterator[str]:
    for raised in reply.challenges:
        yield f"  raises {raised.id} {raised.severity}: {raised.claim} | {raised.concern}"
    for each in reply.unknowns:
        yield f"  {each.id} on {each.affects_challenge}: {each.resolution}: {each.finding}"
    for context in reply.contexts:
        yield f"  {context.id} {context.location} {context.impact}: {context.relevance}"
    for risk in reply.risks:
        yield f"  {risk.id} {risk.severity}, {risk.probability}: {risk.risk}"
    for wish in reply.proposals:
        rests = f", resting on {', '.join(wish.evidence)}" if wish.evidence else ""
        yield f"  proposes {wish.challenge_id} {wish.status} by {wish.basis}{rests}: {wish.resolution}"
    for question in reply.questions:
        yield f"  asks the user: {question.text}"
    if reply.card:
        yield f"  marks: {', '.join(f'{mark.aspect} {mark.points}' for mark in reply.card.marks)}"
    if reply.unreviewed:
        yield f"  unreviewed: {reply.unreviewed}"
    yield from (f"  note: {note}" for note in reply.notes[:5])
