"""The challenge round (R14 to R17): its input, what a round changed, and when it ends."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.backing import FULL
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Position, Stance
from counterproof.model.review.report import Event as LifeEvent
from counterproof.protocols.review import intake, triage
from counterproof.protocols.review.duplicates import grouped, merged, same
from counterproof.protocols.review.guardrails import Trip, inflated
from counterproof.protocols.review.routing import Routed
from counterproof.protocols.review.state import ReviewState
from counterproof.protocols.review.tasks import last_round, voters


def gathered(state: ReviewState) -> ReviewState:
    """All specialists' findings with those of one cause merged, followed by external comments. Independently finding the same
    counts as agreement, with one's own severity."""
    found = (finding for history in state.histories for finding in history.findings)
    groups = grouped(found, state.changed_lines)
    agreed = tuple(
        Position(other.specialist, each.id, Stance.AGREE, other.severity, "found it independently", other.location,
                 model=other.model, context=other.context, backing=FULL)
        for each, others in groups
        for other in others
        if other.specialist != each.specialist
    )  # fmt: skip
    loud = tuple(Trip("severity inflation", each.code, why) for each in state.histories if (why := inflated(each.findings)))
    return replace(
        state,
        findings=(*(each for each, _ in groups), *triage.claims(state.wanted.comments, state.nowhere)),
        positions=intake.latest(state.positions, agreed),
        trips=state.trips + loud,
        tasks=(),
        collected=(),
    )


def opened(state: ReviewState, asked: tuple[ReviewTask, ...], views: tuple[Routed, ...]) -> ReviewState:
    """Record which findings were shown in full to whom."""
    pairs = tuple((task.specialist.code, each.id) for task in asked for each in task.shown)
    return replace(state, opened=tuple(dict.fromkeys(state.opened + pairs)), views=state.views + views)


def challenged(state: ReviewState) -> ReviewState:
    """Accept positions and new findings. A challenge whose defence went unanswered is withdrawn (R38)."""
    before = state.positions
    fresh: list[Position] = []
    trips = list(state.trips)
    for task, event in intake.ordered(state):
        kept, tripped = intake.positions(state, task, event.reply)
        fresh += kept
        trips += tripped
        state = _shown(state, task, event.reply)
    withdrawn = _unanswered(state, fresh)
    trips += [
        Trip("position", each.finding_id, f"{intake.named(each)} did not reply to the defence: withdrawn") for each in withdrawn
    ]
    fresh += [replace(each, stance=Stance.ABSTAIN) for each in withdrawn]
    new = tuple(each for each in fresh if each.stance is Stance.CHALLENGE and each not in before)
    life = tuple(LifeEvent(each.finding_id, "challenged", each.specialist, state.round) for each in new)
    state, added = _new_findings(replace(state, trips=tuple(trips), life=state.life + life))
    positions = intake.latest(before, fresh)
    return replace(
        state,
        positions=positions,
        fresh=state.fresh + new,
        moved=state.moved or positions != before or added,
    )


def _shown(state: ReviewState, task: ReviewTask, reply: ReviewReply) -> ReviewState:
    """Record which findings a specialist opened, and which were shown to the conversations that played it."""
    whole = (*(each.id for each in task.shown), *reply.opened)
    who = (task.specialist.code, *(name for each in reply.positions if (name := intake.context(each.context))))
    return replace(state, opened=tuple(dict.fromkeys((*state.opened, *((one, each) for one in who for each in whole)))))


def _unanswered(state: ReviewState, fresh: list[Position]) -> list[Position]:
    said = {(each.specialist, each.model, each.finding_id) for each in fresh}
    waiting = [each for task in state.tasks for each in task.against if task.work is Work.CHALLENGE]
    return [each for each in waiting if (each.specialist, each.model, each.finding_id) not in said]


def _new_findings(state: ReviewState) -> tuple[ReviewState, bool]:
    """Accept new findings, except in the last round (R15). As in the second iteration, each needs a quote found at its line."""
    findings: list[ReviewFinding] = list(state.findings)
    older = list(state.older)
    trips = list(state.trips)
    life = list(state.life)
    for task, event in intake.ordered(state):
        if task.work is not Work.CHALLENGE or not event.reply.findings:
            continue
        if last_round(state):
            trips += [Trip("late", each.id, "new in the last round: refused") for each in event.reply.findings]
            continue
        taken = intake.admitted(state, event, iteration=2)
        trips += taken.trips
        older += taken.older
        for each in taken.findings:
            twin = next((n for n, other in enumerate(findings) if same(each, other, state.changed_lines)), -1)
            if twin >= 0:
                findings[twin] = merged(findings[twin], each)
            else:
                numbered = replace(each, id=next_id(findings, each.specialist), sources=(each.specialist,))
                findings.append(numbered)
                life += intake.life((numbered,), "created", each.specialist, state.round)
    added = len(findings) > len(state.findings)
    return replace(state, findings=tuple(findings), older=tuple(older), trips=tuple(trips), life=tuple(life)), added


def next_id(findings: Iterable[ReviewFinding], code: str) -> str:
    """The next free number of a specialist."""
    numbers = [int(each.id.rpartition("-")[2]) for each in findings if each.specialist == code]
    return f"{code}-{max(numbers, default=0) + 1:03}"


def defended(state: ReviewState) -> ReviewState:
    """Record authors' answers; the latest counts. A model answers for its own findings, an analyst for its own (R36)."""
    table = {each.finding_id: each for each in state.defences}
    life = list(state.life)
    moved = state.moved
    for task, event in intake.ordered(state):
        authors = {each.id: each.model for each in task.own}
        for each in event.reply.defences:
            if authors.get(each.finding_id) == each.model:
                moved = moved or table.get(each.finding_id) != each
                table[each.finding_id] = each
                what = "defended" if each.stands else "withdrawn"
                life.append(LifeEvent(each.finding_id, what, task.specialist.code, state.round))
    return replace(state, defences=tuple(table[name] for name in sorted(table)), life=tuple(life), moved=moved)


def goes_on(state: ReviewState) -> bool:
    """True unless nothing changed, the cap is reached or only one specialist answered (R17). Full agreement leaves no
    question, and so no task (R16, R43)."""
    return not (state.truncated or last_round(state) or len(voters(state)) == 1 or not state.moved)
