"""The state machine of adversarial review: `step(state, event) -> (state, commands)`, total, deterministic, without I/O.

After scoping, every specialist refines its own findings alone; then specialists challenge each other's through the engine;
then votes are counted and the report is written. All transitions are in `TRANSITIONS`. A late reply is logged and ignored.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from counterproof.model.counting import counted
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.position import DocumentVerdict
from counterproof.model.review.report import Spending
from counterproof.protocols.review import challenge_round, closing, delta, intake, presets, seat, tasks
from counterproof.protocols.review.duplicates import identity
from counterproof.protocols.review.events import (
    AskSpecialist,
    Command,
    ConfirmScope,
    Event,
    ReplyFailed,
    ReplyTaken,
    ResolveScope,
    ReviewReportWritten,
    ReviewStarted,
    ReviewTimeUp,
    ScopeAnswered,
    ScopeResolved,
    WriteReviewReport,
)
from counterproof.protocols.review.refinement import goes_on
from counterproof.protocols.review.state import History, ReviewState, Stage
from counterproof.protocols.turns import passed, take

Step = tuple[ReviewState, tuple[Command, ...]]
MAX_NOTES = 20
"""The most notes about its own work accepted from one reply."""


def _agents(*onwards: Stage) -> dict[str, tuple[Stage, ...]]:
    return {"reply_taken": onwards, "reply_failed": onwards, "review_time_up": (Stage.REPORTING,)}


TRANSITIONS: dict[Stage, dict[str, tuple[Stage, ...]]] = {
    Stage.NEW: {"review_started": (Stage.SCOPING,)},
    Stage.SCOPING: {
        "scope_resolved": (Stage.CONFIRMATION, Stage.REFINEMENT, Stage.REPORTING, Stage.ENDED),
        "review_time_up": (Stage.ENDED,),
    },
    Stage.CONFIRMATION: {"scope_answered": (Stage.REFINEMENT, Stage.ENDED), "review_time_up": (Stage.ENDED,)},
    Stage.REFINEMENT: _agents(Stage.REFINEMENT, Stage.CHALLENGE, Stage.REPORTING),
    Stage.CHALLENGE: _agents(Stage.CHALLENGE, Stage.DEFENCE, Stage.REPORTING),
    Stage.DEFENCE: _agents(Stage.DEFENCE, Stage.CHALLENGE, Stage.REPORTING),
    Stage.REPORTING: {"review_report_written": (Stage.ENDED,), "review_time_up": (Stage.REPORTING,)},
    Stage.ENDED: {},
}

LATE_EVENTS = ("reply_taken", "reply_failed", "review_time_up")


def step(state: ReviewState, event: Event) -> Step:
    """Return the next state and the commands to issue."""
    return take(state, event, TRANSITIONS, _handle, may_be_late=LATE_EVENTS, note=_late)


def _handle(state: ReviewState, event: Event) -> Step:
    return _HANDLERS[event.kind](state, event)


def _late(state: ReviewState, what: str) -> ReviewState:
    return replace(state, log=(*state.log, f"ignored: {what}"))


def _started(state: ReviewState, event: ReviewStarted) -> Step:
    command = ResolveScope("resolve-scope", event.request)
    state = replace(state, request=event.request, version=event.version, profile=event.request.profile)
    return replace(state, stage=Stage.SCOPING, outstanding=(command.id,)), (command,)


def _scope_resolved(state: ReviewState, event: ScopeResolved) -> Step:
    """Freeze the scope. A rejected scope ends the run before anything is spent (R4)."""
    scope = event.scope
    state = replace(state, scope=scope, outstanding=(), addressed=event.addressed, unread=event.unread, accepted=event.accepted)
    state = replace(state, nowhere=event.nowhere)
    state = _noted(state, event.remarks)
    why = event.refused or presets.scope_refusal(len(scope.files), state.wanted.forced)
    if not why and state.wanted.delta:
        why = delta.refusal(scope, event.prior_verified)
    if not why and scope.secrets and not state.wanted.secrets:
        why = f"{scope.secrets[0]} may contain secrets and needs a separate confirmation"
    if why:
        return _end(state, Exit.REFUSED, why)
    if event.empty:  # a change without code passes, and the report says so
        return _report(_noted(state, (event.empty,)))
    if scope.prior and state.profile:
        state = replace(state, profile=delta.specialists(state.profile, scope.prior, scope.paths))
    warnings = tuple(
        each for each in (presets.scope_warning(len(scope.files), scope.tokens), delta.dearer_than_full(scope)) if each
    )
    state = _say(state, f"[SCOPE] {scope.kind} files={len(scope.files)} tokens={scope.tokens} left_out={len(scope.left_out)}")
    if state.wanted.yes:
        return _refine(state)
    command = ConfirmScope("confirm-scope", scope, warnings)
    return replace(state, stage=Stage.CONFIRMATION, outstanding=(command.id,)), (command,)


def _scope_answered(state: ReviewState, event: ScopeAnswered) -> Step:
    if not event.confirmed:
        return _end(state, Exit.REFUSED, "the scope was not confirmed; nothing was spent")
    return _refine(replace(state, outstanding=()))


def _refine(state: ReviewState) -> Step:
    histories = tuple(History(each.code) for each in tasks.team(state).specialists)
    state = replace(state, stage=Stage.REFINEMENT, histories=histories)
    return _ask(state, tuple(tasks.refine_task(state, each) for each in histories))


def _ask(state: ReviewState, asked: tuple[ReviewTask, ...]) -> Step:
    names = tuple(task.id for task in asked)
    state = replace(state, tasks=state.tasks + asked, outstanding=state.outstanding + names)
    return state, tuple(AskSpecialist(task.id, task) for task in asked)


def _reply_taken(state: ReviewState, event: ReplyTaken) -> Step:
    task = _task(state, event.answers)
    why = intake.invalid(task, event)
    if why:
        return _reply_failed(state, ReplyFailed(event.answers, why, event.tokens, beside=event.beside))
    state = _spent(_answered(state, event.answers), task, event.tokens)
    read = event.reply.read if task.work is Work.REFINE else ()
    state = replace(
        state,
        read=tuple(dict.fromkeys(state.read + read)),
        edited=tuple(dict.fromkeys(state.edited + event.edited)),
        unread=tuple({**dict(event.unread), **dict(state.unread)}.items()),
        accepted=tuple(dict.fromkeys(state.accepted + event.accepted)),
        verdicts=_voted(state, task, event),
        readers=tuple(dict.fromkeys((*state.readers, task.specialist.code))) if event.beside is not None else state.readers,
    )
    return _taken(state, task, seat.joined(task, event))


def _voted(state: ReviewState, task: ReviewTask, event: ReplyTaken) -> tuple[tuple[str, str, str, DocumentVerdict], ...]:
    """Replace the specialist's earlier verdicts with this reply's. Verdicts of analysts and model are kept separately."""
    if task.work is not Work.REFINE:
        return state.verdicts
    code = task.specialist.code
    own = event.beside if event.beside is not None else event.reply
    given = [(code, "", path, verdict) for path, verdict in own.verdicts]
    if event.beside is not None:
        given += [(code, "model", path, verdict) for path, verdict in event.reply.verdicts]
    kept = (each for each in state.verdicts if each[0] != code or (each[1] and event.beside is None and task.iteration > 1))
    return (*kept, *given)


def _taken(state: ReviewState, task: ReviewTask, event: ReplyTaken) -> Step:
    state = _noted(state, event.reply.notes)
    if state.stage is Stage.REFINEMENT:
        return _refined(state, task, event)
    return _settle(replace(state, collected=(*state.collected, event)))


def _refined(state: ReviewState, task: ReviewTask, event: ReplyTaken) -> Step:
    """Each specialist iterates at its own pace; the round ends when all have converged."""
    taken = intake.admitted(state, event, task.iteration)
    findings, trips = taken.findings, taken.trips
    before = _history(state, task.specialist.code)
    history = replace(intake.refined(before, findings), answers=intake.answers(event.reply, trips))
    asked = len(event.reply.findings) > len(taken.older)  # older defects need no second iteration
    more = asked and goes_on(history.iterations, state.wanted.iterations, state.wanted.threshold)
    known = {identity(old) for old in before.findings}
    fresh = tuple(each for each in findings if identity(each) not in known)
    state = replace(
        state,
        trips=state.trips + trips,
        older=state.older + taken.older,
        life=state.life + intake.life(fresh, "created", task.specialist.code, task.iteration),
    )
    state = _remember(state, replace(history, done=not more))
    if more and not state.truncated:
        return _ask(state, (tasks.refine_task(state, history),))
    return _settle(state)


def _reply_failed(state: ReviewState, event: ReplyFailed) -> Step:
    """Retry twice with a fresh agent; then its part is lost, the analysts of the seat continue, and the report says so (R7,
    R39)."""
    task = _task(state, event.answers)
    state = _spent(_answered(state, event.answers), task, event.tokens)
    state = replace(state, log=(*state.log, f"failed: {event.reason[:500]}"))
    if event.over_budget:
        state = _truncate(state, "the token budget was used up")
    elif task.attempt < tasks.ATTEMPTS and not state.truncated and not event.exhausted:
        again = tasks.retry(task)
        kept = tuple(again if each.id == task.id else each for each in state.tasks)
        return replace(state, tasks=kept, outstanding=(*state.outstanding, again.id)), (AskSpecialist(again.id, again),)
    if event.beside is not None:
        return _without_model(state, task, event, event.beside)
    if event.over_budget:
        return _settle(state)
    if state.stage is Stage.REFINEMENT:
        history = _history(state, task.specialist.code)
        return _settle(_remember(_without_older(state, task), replace(history, done=True, excluded=event.reason[:200])))
    return _settle(_limited(state, f"{task.agent_id} did not answer: {event.reason[:200]}"))


def _without_model(state: ReviewState, task: ReviewTask, event: ReplyFailed, beside: ReviewReply) -> Step:
    """The model of a seat dropped out. Its findings are dropped too, unless it only ran out of budget."""
    before = next((each for each in state.histories if each.code == task.specialist.code), None)
    spent = event.over_budget or event.exhausted
    if before is None:
        state = _limited(state, f"{task.agent_id} did not answer: {event.reason[:200]}")
    elif not event.over_budget:
        state = _remember(state, replace(before, lost=event.reason[:200]))
    state = state if spent else _without_older(state, task)
    found = before.findings if before and spent and task.work is Work.REFINE else ()
    reply = seat.without_model(task, beside, tuple(each for each in found if each.model))
    taken = ReplyTaken(event.answers, reply)
    return _taken(replace(state, verdicts=_voted(state, task, replace(taken, reply=beside))), task, taken)


def _without_older(state: ReviewState, task: ReviewTask) -> ReviewState:
    """Drop the older defects reported by a model that dropped out."""
    return replace(state, older=tuple(each for each in state.older if each.specialist != task.specialist.code))


def _limited(state: ReviewState, said: str) -> ReviewState:
    return replace(state, limitations=(*state.limitations, said))


def _settle(state: ReviewState) -> Step:
    """Continue when no agent is working any more."""
    if state.outstanding:
        return state, ()
    if state.stage is Stage.REFINEMENT:
        state = challenge_round.gathered(state)
        state = _say(state, f"[PHASE] 1 specialists={len(state.histories)} findings={len(state.findings)}")
        return _report(state) if state.truncated or not state.findings else _challenge(state)
    if state.stage is Stage.CHALLENGE:
        state = challenge_round.challenged(state)
        defences = () if state.truncated else tasks.defence_tasks(state)
        if defences:
            return _ask(replace(state, stage=Stage.DEFENCE, tasks=(), collected=(), fresh=()), defences)
    else:
        state = challenge_round.defended(state)
    return _challenge(state) if challenge_round.goes_on(state) else _report(state)


def _challenge(state: ReviewState) -> Step:
    state = replace(state, stage=Stage.CHALLENGE, round=state.round + 1, tasks=(), collected=(), fresh=(), moved=False)
    asked, views = tasks.challenge_tasks(state)
    if not asked:
        return _report(state)
    state = _say(state, f"[PHASE] 2 round={state.round} specialists={len(asked)}")
    return _ask(challenge_round.opened(state, asked, views), asked)


def _time_up(state: ReviewState, event: ReviewTimeUp) -> Step:
    """Resolve and report the results so far."""
    said = f"{passed(event.seconds, event.limit)} during {state.stage.value}"
    if state.stage in (Stage.SCOPING, Stage.CONFIRMATION):
        return _end(state, Exit.INCOMPLETE, said)
    state = replace(_limited(state, said), cut=True)
    if state.stage is Stage.REPORTING:
        return state, ()
    return _report(challenge_round.gathered(state) if state.stage is Stage.REFINEMENT else state)


def _report(state: ReviewState) -> Step:
    command = WriteReviewReport("write-report", closing.report(state))
    state = _say(state, f"[PHASE] 3 {command.report.agreement.value}: {counted(len(command.report.resolved), 'finding')}")
    state = replace(state, outcome=closing.outcome(state, command.report))
    return replace(state, stage=Stage.REPORTING, tasks=(), outstanding=(command.id,)), (command,)


def _report_written(state: ReviewState, event: ReviewReportWritten) -> Step:
    return replace(state, stage=Stage.ENDED, outstanding=()), ()


def _end(state: ReviewState, code: Exit, why: str) -> Step:
    return replace(state, stage=Stage.ENDED, outstanding=(), outcome=Outcome((Reason(code, why),))), ()


def _truncate(state: ReviewState, why: str) -> ReviewState:
    """End the current iteration and skip the rest (R25)."""
    return state if state.truncated else replace(_say(state, f"[BUDGET] {why}"), truncated=why)


def _spent(state: ReviewState, task: ReviewTask, tokens: int) -> ReviewState:
    if tokens:
        state = replace(state, spending=(*state.spending, Spending(task.agent_id, state.stage.value, tokens)))
    over = not state.wanted.unlimited and state.used >= state.wanted.tokens
    return _truncate(state, "the token budget was used up") if over else state


def _noted(state: ReviewState, notes: tuple[str, ...]) -> ReviewState:
    """Add specialists' notes about their own work to the report, each sentence once (R33)."""
    fresh = tuple(each[:500] for each in notes[:MAX_NOTES] if each.strip())
    return replace(state, notes=tuple(dict.fromkeys(state.notes + fresh))[: 10 * MAX_NOTES])


def _answered(state: ReviewState, answered: str) -> ReviewState:
    return replace(state, outstanding=tuple(each for each in state.outstanding if each != answered))


def _task(state: ReviewState, answers: str) -> ReviewTask:
    return next(each for each in state.tasks if each.id == answers)


def _history(state: ReviewState, code: str) -> History:
    return next(each for each in state.histories if each.code == code)


def _remember(state: ReviewState, history: History) -> ReviewState:
    return replace(state, histories=tuple(history if each.code == history.code else each for each in state.histories))


def _say(state: ReviewState, text: str) -> ReviewState:
    return replace(state, markers=(*state.markers, text))


_HANDLERS: dict[str, Callable[[ReviewState, Any], Step]] = {
    "review_started": _started,
    "scope_resolved": _scope_resolved,
    "scope_answered": _scope_answered,
    "reply_taken": _reply_taken,
    "reply_failed": _reply_failed,
    "review_time_up": _time_up,
    "review_report_written": _report_written,
}
