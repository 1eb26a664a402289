"""Formats a review for people: the tasks, the positions on each finding with their reasons, and the engine's decisions, which
are replayed from the events."""

from collections.abc import Iterator

from counterproof.model.counting import counted
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import shown
from counterproof.model.review.position import Position, Resolved, Stance
from counterproof.protocols.guard.standing import lacking
from counterproof.protocols.review.events import (
    AskSpecialist,
    Command,
    Event,
    ReplyFailed,
    ReplyTaken,
    ScopeResolved,
    WriteReviewReport,
)
from counterproof.protocols.review.state import ReviewState
from counterproof.protocols.review.voting import word

_WORK = {
    Work.REFINE: "look for problems",
    Work.CHALLENGE: "take positions on the others' findings",
    Work.DEFEND: "answer challenges of its findings",
    Work.ADVOCATE: "argue against the findings",
}


_STANCES = {Stance.AGREE: "agrees with", Stance.CHALLENGE: "challenges", Stance.ABSTAIN: "abstains on"}


def tell(event: Event, before: ReviewState, after: ReviewState, commands: tuple[Command, ...]) -> Iterator[tuple[str, list[str]]]:
    """(speaker, lines) for the replies and the engine's decisions; '' is the engine."""
    yield from _said(event)
    made = [f"{trip.guardrail}: {trip.finding_id} {trip.text}" for trip in after.trips[len(before.trips) :]]
    if made:
        yield "", ["the engine:", *(f"  {each}" for each in made)]
    for command in commands:
        yield from _wanted(command)


def _said(event: Event) -> Iterator[tuple[str, list[str]]]:
    match event:
        case ScopeResolved():
            yield "", [f"the scope: {counted(len(event.scope.files), 'file')} ({event.scope.kind})", *_scope(event)]
        case ReplyTaken():
            if event.beside is not None:
                yield event.answers, ["its analysts:", *_reply(event.beside)]
            yield event.answers, [_head("its model" if event.beside else "it", event.tokens), *_reply(event.reply)]
        case ReplyFailed():
            lines = ["its analysts:", *_reply(event.beside)] if event.beside is not None else []
            yield event.answers, [f"its part failed: {event.reason}", *lines]
        case _:
            return


def _head(who: str, tokens: int) -> str:
    return f"{who} submits{f', {tokens:,} tokens' if tokens else ''}:"


def _scope(event: ScopeResolved) -> Iterator[str]:
    yield from (f"  {path}: {why}" for path, why in event.scope.left_out[:20])
    yield from (f"  {each}" for each in event.remarks)
    yield from (f"  {path} is accepted unread" for path in event.accepted)


def _reply(reply: ReviewReply) -> Iterator[str]:
    for each in reply.findings:
        by = f" ({each.model})" if each.model else ""
        yield f"  {each.id} {shown(each.severity).value} {each.location}: {each.title}{by}"
    yield from ("  no findings" for _ in range(reply.no_findings))
    yield from (f"  {_position(each)}" for each in reply.positions)
    yield from (f"  opens {name}" for name in reply.opened)
    for answer in reply.defences:
        place = f" at {answer.at}" if answer.at else ""
        yield f"  {'stands by' if answer.stands else 'withdraws'} {answer.finding_id}{place}: {answer.text}"
    yield from (f"  {verdict.value}: {path}" for path, verdict in reply.verdicts)
    yield from (f"  note: {note}" for note in reply.notes[:5])


def _position(each: Position) -> str:
    """A position, its grounds, and whether it can count."""
    level = f" as {shown(each.severity).value}" if each.severity else ""
    grounds = f" because of {each.reason}" if each.reason else f" at {each.at}" if each.at else ""
    quoted = f', quoting "{each.quote[:80]}"' if each.quote else ""
    why = "" if each.stance is Stance.ABSTAIN else lacking(word(each)) or "counts"
    worth = f" [{'confirmed: ' + each.backing.confirmed if each.backing.confirmed else why}]" if why else ""
    text = f": {each.evidence}" if each.evidence else ""
    return f"{each.specialist} {_STANCES[each.stance]} {each.finding_id}{level}{grounds}{quoted}{worth}{text}"


def _wanted(command: Command) -> Iterator[tuple[str, list[str]]]:
    if isinstance(command, AskSpecialist):
        yield (
            command.task.id,
            [f"is asked to {_WORK[command.task.work]}, iteration {command.task.iteration}", *_given(command.task)],
        )
    elif isinstance(command, WriteReviewReport):
        report = command.report
        yield "", [f"the engine resolves: {report.agreement.value}", *(f"  {_resolved(each)}" for each in report.resolved)]


def _given(task: ReviewTask) -> Iterator[str]:
    if task.shown:
        yield f"  shown whole: {', '.join(each.id for each in task.shown)}"
    answers = {each.finding_id: each for each in task.defences}
    for each in task.against:
        reply = answers.get(each.finding_id)
        told = f", answered: {reply.text}" if reply else ""
        yield f"  passed on: {each.specialist}'s challenge of {each.finding_id}: {each.evidence}{told}"


def _resolved(each: Resolved) -> str:
    finding = each.finding
    notes = f" ({'; '.join(each.notes)})" if each.notes else ""
    return f"{finding.id} {each.label}, {shown(each.severity).value}: {finding.location} {finding.title}{notes}"
