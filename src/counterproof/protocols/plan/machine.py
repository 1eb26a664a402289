"""The state machine of plan verification: `step(state, event) -> (state, commands)`, total, deterministic, without I/O.

Challenge, research and synthesis, at most three times; then a score for information; then the report. All transitions are in
`TRANSITIONS`; any other choice is an engine bug. A late reply is logged and ignored. ENDED accepts no events.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from counterproof.model.errors import EngineBug
from counterproof.model.plan.contract import PlanReply, PlanTask
from counterproof.model.plan.iteration import Convergence, Quality, Verdict
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.protocols.plan import closing, intake, synthesis, tasks
from counterproof.protocols.plan.complexity import complexity, quality, team
from counterproof.protocols.plan.convergence import LAST_ITERATION, decide
from counterproof.protocols.plan.events import (
    AskUser,
    Command,
    Event,
    PlanRead,
    PlanReportWritten,
    ReadPlan,
    RunTask,
    TaskDone,
    TaskFailed,
    UserAnswered,
    VerifyStarted,
    VerifyTimeUp,
    WritePlanReport,
)
from counterproof.protocols.plan.state import PlanState, Stage
from counterproof.protocols.turns import passed, take

Step = tuple[PlanState, tuple[Command, ...]]

MAX_NOTES = 20
"""The most limitations that one reply may add."""


def _agents(*onwards: Stage) -> dict[str, tuple[Stage, ...]]:
    """A stage in which agents work: it stays until the last one has answered or failed twice."""
    return {"task_done": onwards, "task_failed": onwards, "verify_time_up": (Stage.REPORTING,)}


TRANSITIONS: dict[Stage, dict[str, tuple[Stage, ...]]] = {
    Stage.NEW: {"verify_started": (Stage.READING,)},
    Stage.READING: {"plan_read": (Stage.CHALLENGE, Stage.REPORTING, Stage.ENDED), "verify_time_up": (Stage.ENDED,)},
    Stage.CHALLENGE: _agents(Stage.CHALLENGE, Stage.EXPLORE, Stage.RESOLVE, Stage.SYNTHESIS, Stage.SCORING, Stage.ENDED),
    Stage.EXPLORE: _agents(Stage.EXPLORE, Stage.RESOLVE, Stage.SYNTHESIS, Stage.SCORING),
    Stage.RESOLVE: _agents(Stage.RESOLVE, Stage.SYNTHESIS),
    Stage.SYNTHESIS: _agents(Stage.SYNTHESIS, Stage.CHALLENGE, Stage.WAITING, Stage.SCORING),
    Stage.WAITING: {"user_answered": (Stage.CHALLENGE, Stage.SCORING), "verify_time_up": (Stage.REPORTING,)},
    Stage.SCORING: _agents(Stage.SCORING, Stage.SCORE_AUDIT, Stage.REPORTING),
    Stage.SCORE_AUDIT: _agents(Stage.SCORE_AUDIT, Stage.REPORTING),
    Stage.REPORTING: {"plan_report_written": (Stage.ENDED,), "verify_time_up": (Stage.REPORTING,)},
    Stage.ENDED: {},
}

LATE_EVENTS = ("task_done", "task_failed", "verify_time_up")


def step(state: PlanState, event: Event) -> Step:
    """Return the next state and the commands to issue."""
    return take(state, event, TRANSITIONS, _handle, may_be_late=LATE_EVENTS, note=_late)


def _handle(state: PlanState, event: Event) -> Step:
    return _HANDLERS[event.kind](state, event)


def _late(state: PlanState, what: str) -> PlanState:
    return replace(state, log=(*state.log, f"ignored: {what}"))


def _started(state: PlanState, event: VerifyStarted) -> Step:
    command = ReadPlan("read-plan", event.request)
    state = replace(state, stage=Stage.READING, request=event.request, version=event.version, outstanding=(command.id,))
    return state, (command,)


def _plan_read(state: PlanState, event: PlanRead) -> Step:
    """Reject text that is no plan (P16); answer a trivial plan before any iteration starts (P2)."""
    assert state.request is not None
    if event.outline.no_plan:
        reason = Reason(Exit.REFUSED, f"this is not a plan: {event.outline.no_plan}")
        return replace(state, stage=Stage.ENDED, outline=event.outline, outstanding=(), outcome=Outcome((reason,))), ()
    kind, measured = quality(event.outline, event.coverage.contradicted > 0), complexity(event.outline)
    chosen = team(kind, measured, state.request.team, state.request.threshold)
    state = replace(
        state, outline=event.outline, quality=kind, complexity=measured, team=chosen, coverage=event.coverage, outstanding=()
    )
    state = _say(state, f"[PLAN] quality={kind} complexity={measured.total} team={chosen} steps={len(event.outline.steps)}")
    if event.carried_out:  # an implemented plan is compared, not challenged
        return _report(replace(state, carried_out=event.carried_out))
    return _report(state) if kind is Quality.TRIVIAL else _next_iteration(state)


def _next_iteration(state: PlanState) -> Step:
    if state.iteration >= LAST_ITERATION:
        raise EngineBug("at most three iterations are allowed")
    state = replace(state, iteration=state.iteration + 1, opening=state.challenges, fresh_unknowns=(), researched=0)
    return _ask(state, Stage.CHALLENGE, tasks.challenge_tasks(state))


def _ask(state: PlanState, stage: Stage, asked: tuple[PlanTask, ...]) -> Step:
    """Go to a stage and wait for its tasks; a stage without tasks is skipped."""
    state = replace(state, stage=stage, tasks=asked, collected=(), outstanding=tuple(task.id for task in asked))
    if not asked:
        return _settle(state)
    return state, tuple(RunTask(task.id, task) for task in asked)


def _task_done(state: PlanState, event: TaskDone) -> Step:
    task = next(each for each in state.tasks if each.id == event.answers)
    why = intake.invalid(task, event.reply)
    if why:
        return _task_failed(state, TaskFailed(event.answers, why))
    noted = tuple(dict.fromkeys(each[:500] for each in event.reply.notes if each.strip() and each[:500] not in state.limitations))
    state = _unreviewed(replace(state, limitations=state.limitations + noted[:MAX_NOTES]), event.reply)
    return _settle(replace(state, collected=(*state.collected, event), outstanding=_less(state, event.answers)))


def _unreviewed(state: PlanState, reply: PlanReply) -> PlanState:
    """Report undone work; the run can then not be clean (F9)."""
    said = reply.unreviewed.strip()[:500]
    if not said or said in state.incomplete:
        return state
    state = replace(
        state,
        incomplete=(*state.incomplete, said),
        limitations=(*state.limitations, said),
        unplayed=(*state.unplayed, said),
    )
    return replace(state, over_budget=(*state.over_budget, said)) if reply.over_budget else state


def _task_failed(state: PlanState, event: TaskFailed) -> Step:
    """Retry once; after that the report names the missing agent."""
    task = next(each for each in state.tasks if each.id == event.answers)
    state = replace(state, log=(*state.log, f"failed: {event.reason[:500]}"), outstanding=_less(state, event.answers))
    if task.attempt < tasks.ATTEMPTS:
        again = tasks.retry(task)
        renewed = tuple(again if each.id == task.id else each for each in state.tasks)
        return replace(state, tasks=renewed, outstanding=(*state.outstanding, again.id)), (RunTask(again.id, again),)
    said = f"{task.agent_id} did not answer: {event.reason[:200]}"
    if not task.scoring:
        state = replace(state, incomplete=(*state.incomplete, said))
    return _settle(replace(state, limitations=(*state.limitations, said)))


def _settle(state: PlanState) -> Step:
    """Continue once every task of a stage has ended."""
    return (state, ()) if state.outstanding else _NEXT[state.stage](state)


def _challenged(state: PlanState) -> Step:
    if state.iteration == 1 and not state.collected:
        why = state.incomplete[-1] if state.incomplete else "nobody said why"
        reason = Reason(Exit.INCOMPLETE, f"no challenger replied, so nothing was verified: {why}")
        return replace(state, stage=Stage.ENDED, outcome=Outcome((reason,))), ()
    state = intake.take_challenges(state, opening=state.iteration == 1)
    return _ask(state, Stage.EXPLORE, tasks.explore_tasks(state))


def _explored(state: PlanState) -> Step:
    state = intake.take_challenges(intake.record_usage(state), opening=False) if state.tasks else state
    asked = tasks.resolve_tasks(state)
    return _ask(replace(state, directives=()), Stage.RESOLVE, asked)


def _resolved(state: PlanState) -> Step:
    state = intake.take_unknowns(intake.record_usage(state))
    return _ask(state, Stage.SYNTHESIS, tasks.synthesis_tasks(state))


def _synthesised(state: PlanState) -> Step:
    state = synthesis.close_iteration(state)
    decision = state.decision
    assert decision is not None
    state = _say(
        state,
        f"[ITERATION {state.iteration}] blocking={decision.blocking_open} significant={decision.significant_open} "
        f"status={decision.status} verdict={decision.verdict or 'none'}",
    )
    if decision.status in (Convergence.CONVERGED, Convergence.FORCED_EXIT):
        task = tasks.score_task(state)
        return _ask(state, Stage.SCORING, (task,))
    if state.questions:
        command = AskUser(f"ask-{state.iteration}", state.iteration, state.questions)
        return replace(state, stage=Stage.WAITING, tasks=(), outstanding=(command.id,)), (command,)
    return _next_iteration(state)


def _user_answered(state: PlanState, event: UserAnswered) -> Step:
    """The answers enter the next iteration; without any, nothing is put again and the loop ends. Only questions that were asked
    can be answered."""
    asked = {each.challenge_id for each in state.questions}
    kept = tuple(
        replace(each, iteration=state.iteration + 1)
        for each in event.responses
        if each.challenge_id in asked and each.text.strip()
    )
    if not kept:
        ended = decide(state.challenges, state.iteration, unanswered=True)
        state = replace(state, decision=ended, outstanding=())
        return _ask(state, Stage.SCORING, (tasks.score_task(state),))
    return _next_iteration(replace(state, responses=state.responses + kept, questions=(), outstanding=()))


def _scored(state: PlanState) -> Step:
    if not state.collected:
        return _report(state)
    state = replace(state, card=state.collected[0].reply.card)
    return _ask(state, Stage.SCORE_AUDIT, (tasks.audit_task(state),))


def _audited(state: PlanState) -> Step:
    return _report(replace(state, audit=state.collected[0].reply.card) if state.collected else state)


def _time_up(state: PlanState, event: VerifyTimeUp) -> Step:
    """Report the results so far; an unfinished run cannot be clean."""
    said = f"{passed(event.seconds, event.limit)} during {state.stage.value}"
    state = replace(state, incomplete=(*state.incomplete, said), limitations=(*state.limitations, said))
    if state.stage is Stage.REPORTING:
        return state, ()
    if state.stage is Stage.READING:
        return replace(state, stage=Stage.ENDED, outstanding=(), outcome=closing.outcome(state)), ()
    if state.stage not in (Stage.SCORING, Stage.SCORE_AUDIT):
        state = replace(state, decision=decide(state.challenges, state.iteration, synthesis.confirmed(state)))
    return _report(state)


def _report(state: PlanState) -> Step:
    command = WritePlanReport("write-report", closing.report(state))
    state = _say(state, f"[VERDICT] {command.report.verdict or Verdict.NONE.name}")
    return replace(state, stage=Stage.REPORTING, tasks=(), outstanding=(command.id,)), (command,)


def _report_written(state: PlanState, event: PlanReportWritten) -> Step:
    return replace(state, stage=Stage.ENDED, outstanding=(), outcome=closing.outcome(state)), ()


def _say(state: PlanState, text: str) -> PlanState:
    return replace(state, markers=(*state.markers, text))


def _less(state: PlanState, answered: str) -> tuple[str, ...]:
    return tuple(each for each in state.outstanding if each != answered)


_NEXT: dict[Stage, Callable[[PlanState], Step]] = {
    Stage.CHALLENGE: _challenged,
    Stage.EXPLORE: _explored,
    Stage.RESOLVE: _resolved,
    Stage.SYNTHESIS: _synthesised,
    Stage.SCORING: _scored,
    Stage.SCORE_AUDIT: _audited,
}

_HANDLERS: dict[str, Callable[[PlanState, Any], Step]] = {
    "verify_started": _started,
    "plan_read": _plan_read,
    "task_done": _task_done,
    "task_failed": _task_failed,
    "user_answered": _user_answered,
    "verify_time_up": _time_up,
    "plan_report_written": _report_written,
}
