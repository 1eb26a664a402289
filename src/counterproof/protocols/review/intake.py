"""Takes in what specialists handed in. What breaks a rule is refused; what is refused is on record."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.location import Location
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Position, Stance
from counterproof.model.review.report import Event as LifeEvent
from counterproof.model.review.scope import Scope, ScopeKind
from counterproof.protocols.review import refinement
from counterproof.protocols.review.events import ReplyTaken
from counterproof.protocols.review.guardrails import Trip, guard
from counterproof.protocols.review.routing import may_challenge
from counterproof.protocols.review.state import History, ReviewState


def invalid(state: ReviewState, task: ReviewTask, event: ReplyTaken) -> str:
    """Why a reply is no answer to its task; '' if it is one (R7, R8, R10)."""
    reply = event.reply
    if event.problems:
        return f"{task.agent_id}: {event.problems[0]}"
    if reply.agent_id != task.agent_id:
        return f"{task.agent_id}: the reply carries another's marker"
    if not reply.ended:
        return f"{task.agent_id}: the reply was cut off"
    if task.work is Work.REFINE and bool(reply.findings) == reply.no_findings:
        return f"{task.agent_id}: it neither names findings nor says that there are none"
    return _foreign(state, task, reply)


def _foreign(state: ReviewState, task: ReviewTask, reply: ReviewReply) -> str:
    assert state.profile is not None
    for each in reply.findings:
        if task.work not in (Work.REFINE, Work.CHALLENGE) or each.specialist != task.specialist.code:
            return f"{task.agent_id}: {each.id} is not its to file"
        if each.domain not in state.profile.domains:
            return f"{task.agent_id}: {each.id} is in the domain {each.domain[:40]!r}, which the profile does not have"
    for each in reply.positions:
        if each.specialist != task.specialist.code:
            return f"{task.agent_id}: speaks for {each.specialist[:20]}"
    return ""


def admitted(state: ReviewState, event: ReplyTaken, iteration: int) -> tuple[tuple[ReviewFinding, ...], tuple[Trip, ...]]:
    """A reply's findings after every check: citations, verification, trust ceiling, guardrails, delta."""
    assert state.scope is not None
    wrong = dict(event.refused)
    trips = [Trip("citation", each.id, wrong[each.id]) for each in event.reply.findings if each.id in wrong]
    cited = tuple(each for each in event.reply.findings if each.id not in wrong)
    kept, withdrawn = refinement.verified_only(cited, iteration)
    trips += [Trip("verification", each, "not verified at a line: withdrawn") for each in withdrawn]
    inside, outside = _on_changed_code(kept, state.scope)
    trips += outside
    capped = [refinement.capped(each) for each in inside]
    trips += [_ceiling(was, now) for was, now in zip(inside, capped, strict=True) if was.severity is not now.severity]
    guarded = guard(capped, state.scope.paths, state.wanted.strict_scope)
    return guarded.findings, (*trips, *guarded.trips)


def _ceiling(was: ReviewFinding, now: ReviewFinding) -> Trip:
    """What the trust of the source took off a severity (R13), so that nobody has to guess why a finding is milder."""
    return Trip(
        "source trust", was.id, f"{was.trust.value} sources reach {now.severity.value} at most; it said {was.severity.value}"
    )


def _on_changed_code(findings: Iterable[ReviewFinding], scope: Scope) -> tuple[list[ReviewFinding], list[Trip]]:
    """A diff's neighbours are context, not targets (R30); in a delta new findings stand on changed code only (R29)."""
    files = {each.path: each for each in scope.files}
    around = {each.at.path for each in scope.neighbours} - set(files)
    kept: list[ReviewFinding] = []
    trips: list[Trip] = []
    for each in findings:
        file = files.get(each.location.path)
        if each.location.path in around:
            trips.append(Trip("impact graph", each.id, f"{each.location} is context, not under review: rejected"))
        elif scope.kind is not ScopeKind.PATHS and file and not _touches(file.changed, each.location):
            trips.append(Trip("unchanged code", each.id, f"{each.location} did not change: rejected"))
        else:
            kept.append(each)
    return kept, trips


def _touches(changed: tuple[tuple[int, int], ...], place: Location) -> bool:
    return not changed or any(start <= place.end and place.start <= end for start, end in changed)


def refined(history: History, findings: tuple[ReviewFinding, ...], reply: ReviewReply) -> History:
    twice = not history.iterations and reply.no_findings and reply.checked_twice
    return replace(history, iterations=(*history.iterations, findings), twice_empty=twice)


def positions(state: ReviewState, task: ReviewTask, reply: ReviewReply) -> tuple[tuple[Position, ...], tuple[Trip, ...]]:
    """Positions that count: on findings that exist, are somebody else's and were opened; grounded in the last round (R15)."""
    known = {each.id: each for each in state.findings}
    opened = {finding for code, finding in state.opened if code == task.specialist.code} | {each.id for each in task.shown}
    kept: list[Position] = []
    trips: list[Trip] = []
    for each in reply.positions:
        finding = known.get(each.finding_id)
        if finding is None or finding.specialist == task.specialist.code:
            trips.append(Trip("position", each.finding_id, f"{each.specialist} has no say on it"))
        elif each.stance is Stance.CHALLENGE and not may_challenge(task.specialist, finding, opened):
            trips.append(Trip("position", each.finding_id, f"{each.specialist} challenged it without opening it"))
        elif task.last and each.stance is not Stance.ABSTAIN and not each.grounded:
            trips.append(Trip("position", each.finding_id, f"{each.specialist} names no line in the last round: retracted"))
            kept.append(Position(each.specialist, each.finding_id, Stance.ABSTAIN))
        else:
            kept.append(each)
    return tuple(kept), tuple(trips)


def latest(before: Iterable[Position], fresh: Iterable[Position]) -> tuple[Position, ...]:
    """One position per specialist and finding: the newest."""
    table = {(each.specialist, each.finding_id): each for each in (*before, *fresh)}
    return tuple(table[name] for name in sorted(table))


def life(findings: Iterable[ReviewFinding], what: str, who: str, iteration: int) -> tuple[LifeEvent, ...]:
    return tuple(LifeEvent(each.id, what, who, iteration) for each in findings)


def ordered(state: ReviewState) -> tuple[tuple[ReviewTask, ReplyTaken], ...]:
    """Collected replies in the order of their tasks, so that the order of arrival changes nothing."""
    by_id = {each.answers: each for each in state.collected}
    return tuple((task, by_id[task.id]) for task in state.tasks if task.id in by_id)
