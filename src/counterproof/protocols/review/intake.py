"""Takes in specialists' replies. Content that breaks a rule is rejected, and every rejection is recorded."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.model.location import Location
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Position, Stance
from counterproof.model.review.report import Event as LifeEvent
from counterproof.model.review.scope import Scope, ScopeKind
from counterproof.protocols.guard.standing import lacking
from counterproof.protocols.review import refinement
from counterproof.protocols.review.events import ReplyTaken
from counterproof.protocols.review.guardrails import Trip, guard
from counterproof.protocols.review.state import History, ReviewState
from counterproof.protocols.review.voting import word

MAX_OLDER = 10
"""The most older defects accepted from one reply: a review is about the change."""


def invalid(task: ReviewTask, event: ReplyTaken) -> str:
    """Why a reply is not valid for its task; '' if it is (R7, R8, R10)."""
    reply = event.reply
    if event.problems:
        return f"{task.agent_id}: {event.problems[0]}"
    if reply.agent_id != task.agent_id:
        return f"{task.agent_id}: the reply carries another agent's marker"
    if not reply.ended:
        return f"{task.agent_id}: the reply was cut off"
    if task.work is Work.REFINE and bool(reply.findings) == reply.no_findings:
        return f"{task.agent_id}: it neither lists findings nor states that there are none"
    return _foreign(task, reply)


def _foreign(task: ReviewTask, reply: ReviewReply) -> str:
    for each in reply.findings:
        if task.work not in (Work.REFINE, Work.CHALLENGE) or each.specialist != task.specialist.code:
            return f"{task.agent_id}: {each.id} may not be filed by it"
    for each in reply.positions:
        if each.specialist != task.specialist.code:
            return f"{task.agent_id}: speaks for {each.specialist[:20]}"
    return ""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A reply's findings after every check. `older` defects existed before the change and are reported separately (R46)."""

    findings: tuple[ReviewFinding, ...]
    older: tuple[ReviewFinding, ...]
    trips: tuple[Trip, ...]


def admitted(state: ReviewState, event: ReplyTaken, iteration: int) -> Admitted:
    """Checks citations, domain, verification, location, trust ceiling, guardrails. A failing finding does not affect the
    others (R39)."""
    assert state.scope is not None
    assert state.profile is not None
    domains = state.profile.domains
    strange = [(each.id, f"{each.domain[:40]!r} is not a domain of the profile") for each in event.reply.findings]
    wrong = {name: why for (name, why), each in zip(strange, event.reply.findings, strict=True) if each.domain not in domains}
    wrong |= dict(event.refused)
    trips = [Trip("citation", each.id, wrong[each.id]) for each in event.reply.findings if each.id in wrong]
    cited = tuple(each for each in event.reply.findings if each.id not in wrong)
    kept, withdrawn = refinement.verified_only(cited, iteration)
    trips += [Trip("verification", each, "not verified at a line: withdrawn") for each in withdrawn]
    inside, older, outside = _on_changed_code(kept, state.scope, state.wanted.strict_scope)
    trips += outside
    capped = [refinement.capped(each) for each in inside]
    trips += [_ceiling(was, now) for was, now in zip(inside, capped, strict=True) if was.severity is not now.severity]
    guarded = guard(capped, state.scope.paths, state.wanted.strict_scope)
    return Admitted(guarded.findings, tuple(refinement.capped(each) for each in older), (*trips, *guarded.trips))


def _ceiling(was: ReviewFinding, now: ReviewFinding) -> Trip:
    """How the trust of the source lowered a severity (R13), so that the reason is on record."""
    return Trip(
        "source trust", was.id, f"{was.trust.value} sources reach {now.severity.value} at most; it said {was.severity.value}"
    )


def _on_changed_code(
    findings: Iterable[ReviewFinding], scope: Scope, strict: bool
) -> tuple[list[ReviewFinding], list[ReviewFinding], list[Trip]]:
    """Findings on changed lines, older ones, and rejected ones. A model's finding on an unchanged line is older, whatever it
    says; in a review of paths every line counts as changed (R46). Analysts report on changed lines only (R29, R30)."""
    files = {each.path: each for each in scope.files}
    around = {each.at.path for each in scope.neighbours} - set(files)
    kept: list[ReviewFinding] = []
    older: list[ReviewFinding] = []
    trips: list[Trip] = []
    for each in findings:
        file = files.get(each.location.path)
        unchanged = file is not None and not _touches(file.changed, each.location)
        if scope.kind is ScopeKind.PATHS or (strict and file is None):
            kept.append(replace(each, older=False))
        elif each.model and (each.older or unchanged or file is None):
            older.append(replace(each, older=True))
        elif each.location.path in around:
            trips.append(Trip("impact graph", each.id, f"{each.location} is context, not under review: rejected"))
        elif unchanged:
            trips.append(Trip("unchanged code", each.id, f"{each.location} did not change: rejected"))
        else:
            kept.append(each)
    return kept, older[:MAX_OLDER], trips


def _touches(changed: tuple[tuple[int, int], ...], place: Location) -> bool:
    return not changed or any(start <= place.end and place.start <= end for start, end in changed)


def answers(reply: ReviewReply, trips: Iterable[Trip]) -> tuple[str, ...]:
    """The engine's changes to a model's own findings, passed to its next iteration (R38)."""
    own = {each.id: each for each in reply.findings if each.model}
    return tuple(
        f"{each.finding_id} ({own[each.finding_id].title}): {each.guardrail}: {each.text}"
        for each in trips
        if each.finding_id in own
    )


def refined(history: History, findings: tuple[ReviewFinding, ...]) -> History:
    return replace(history, iterations=(*history.iterations, findings))


def positions(state: ReviewState, task: ReviewTask, reply: ReviewReply) -> tuple[tuple[Position, ...], tuple[Trip, ...]]:
    """Positions on others' findings. One that lacks a requirement becomes an abstention with the reason (R15, R37, R38)."""
    known = {each.id: each for each in state.findings}
    kept: list[Position] = []
    trips: list[Trip] = []
    for each in (_opened_before(state, task, one) for one in reply.positions):
        finding = known.get(each.finding_id)
        if finding is None or finding.specialist == task.specialist.code:
            trips.append(Trip("position", each.finding_id, f"{each.specialist} may not vote on it"))
            continue
        why = "" if each.stance is Stance.ABSTAIN else _uncounted(state, task, each)
        if why:
            trips.append(Trip("position", each.finding_id, f"{named(each)} {each.stance.value}s, and that does not count: {why}"))
        kept.append(replace(each, stance=Stance.ABSTAIN, severity=None) if why else each)
    return tuple(kept), tuple(trips)


def _opened_before(state: ReviewState, task: ReviewTask, position: Position) -> Position:
    """The position marked as opened if an earlier task of its specialist or of its context showed the finding in full (R44)."""
    shown = {(task.specialist.code, position.finding_id), (context(position.context), position.finding_id)}
    known = bool(position.model) and not shown.isdisjoint(state.opened)
    return replace(position, backing=replace(position.backing, opened=True)) if known else position


def context(name: str) -> str:
    """The form of a coding agent's conversation in `opened`."""
    return f"context {name}" if name else ""


def named(position: Position) -> str:
    return f"{position.specialist} ({position.model})" if position.model else position.specialist


def _uncounted(state: ReviewState, task: ReviewTask, position: Position) -> str:
    opened = {finding for code, finding in state.opened if code == task.specialist.code} | {each.id for each in task.shown}
    if position.finding_id not in opened and not position.backing.opened:
        return "it was taken without opening the finding"
    if task.last and task.work is Work.CHALLENGE and position.stance is Stance.CHALLENGE and not _repeated(state, position):
        return "a new challenge in the last round could not be answered"
    if task.last and not position.grounded:
        return "it does not name a line, as the last round requires"
    return lacking(word(position))


def _repeated(state: ReviewState, position: Position) -> bool:
    return any(
        each.stance is Stance.CHALLENGE
        and (each.specialist, each.model, each.finding_id) == (position.specialist, position.model, position.finding_id)
        for each in state.positions
    )


def latest(before: Iterable[Position], fresh: Iterable[Position]) -> tuple[Position, ...]:
    """The latest position of each agent on each finding."""
    table = {(each.specialist, each.model, each.finding_id): each for each in (*before, *fresh)}
    return tuple(table[name] for name in sorted(table))


def life(findings: Iterable[ReviewFinding], what: str, who: str, iteration: int) -> tuple[LifeEvent, ...]:
    return tuple(LifeEvent(each.id, what, who, iteration) for each in findings)


def ordered(state: ReviewState) -> tuple[tuple[ReviewTask, ReplyTaken], ...]:
    """Collected replies in task order, so that the order of arrival has no effect."""
    by_id = {each.answers: each for each in state.collected}
    return tuple((task, by_id[task.id]) for task in state.tasks if task.id in by_id)
