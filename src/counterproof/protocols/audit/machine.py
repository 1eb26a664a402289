"""The audit as a machine: `step(state, event) -> (state, commands)`, total, deterministic, without I/O.

All transitions stand in `TRANSITIONS`: which events a stage takes and which stages each may lead to. A handler chooses among
those; choosing anything else is an engine bug and raises. An event that a stage does not take is either a late word from an
agent, which is recorded and ignored, or a bug of the driver, which raises. ENDED takes nothing.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from counterproof.model.errors import EngineBug
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.protocols.audit import evaluation, gates, hunt, inventory, merge, modes, narration, report
from counterproof.protocols.audit.commands import AskPlan, Command, LoadDocuments, Reconnoitre, SurveyTarget, WriteReport
from counterproof.protocols.audit.events import (
    Ack,
    AgentFailed,
    AgentFinished,
    AgentStarted,
    DocumentsLoaded,
    Event,
    PlanAnswered,
    ReconReported,
    ReportWritten,
    Started,
    Surveyed,
    TimeUp,
)
from counterproof.protocols.audit.inventory import Attempt, Checklist
from counterproof.protocols.audit.markers import HaltMarker, LoadedMarker, Marker, ModeMarker, PlanAckMarker
from counterproof.protocols.audit.plan import Estimate, Plan, first_round
from counterproof.protocols.audit.state import AuditState, Stage, known

Step = tuple[AuditState, tuple[Command, ...]]

TRANSITIONS: dict[Stage, dict[str, tuple[Stage, ...]]] = {
    Stage.NEW: {"started": (Stage.SURVEY,)},
    Stage.SURVEY: {"surveyed": (Stage.LOADING,), "time_up": (Stage.ENDED,)},
    Stage.LOADING: {"documents_loaded": (Stage.LOADING, Stage.RECON, Stage.ENDED), "time_up": (Stage.ENDED,)},
    Stage.RECON: {"recon_reported": (Stage.RECON, Stage.CONFIRMATION, Stage.HUNT, Stage.ENDED), "time_up": (Stage.ENDED,)},
    Stage.CONFIRMATION: {"plan_answered": (Stage.HUNT, Stage.ENDED), "time_up": (Stage.ENDED,)},
    Stage.HUNT: {
        "agent_started": (Stage.HUNT,),
        "agent_finished": (Stage.HUNT, Stage.REPORTING),
        "agent_failed": (Stage.HUNT, Stage.REPORTING),
        "time_up": (Stage.HUNT,),
    },
    Stage.REPORTING: {"report_written": (Stage.ENDED,), "time_up": (Stage.REPORTING,)},
    Stage.ENDED: {},
}

AGENT_EVENTS = ("agent_started", "agent_finished", "agent_failed")
MAX_LOADS = 2


def step(state: AuditState, event: Event) -> Step:
    """The next state and what it wants done."""
    allowed = TRANSITIONS[state.stage].get(event.kind)
    answers = getattr(event, "answers", None)
    if allowed is None or (answers is not None and answers not in state.outstanding):
        return _out_of_turn(state, event, answers), ()
    result, commands = _HANDLERS[event.kind](state, event)
    if result.stage not in allowed:
        raise EngineBug(f"{event.kind} led from {state.stage} to {result.stage}, which the table forbids")
    return result, commands


def _out_of_turn(state: AuditState, event: Event, answers: str | None) -> AuditState:
    """Agents may be late or unknown (A26); everybody else speaking out of turn is a bug."""
    if event.kind in AGENT_EVENTS or state.stage is Stage.ENDED:
        note = f"Ignored: {event.kind} for {answers or 'nobody'}, which nobody had asked for."
        return replace(state, ignored=(*state.ignored, note))
    raise EngineBug(f"{event.kind} (answering {answers}) came in stage {state.stage}, which does not take it")


def _announce(state: AuditState, *markers: Marker) -> AuditState:
    return replace(state, markers=state.markers + markers)


def _await(state: AuditState, stage: Stage, command: Command, *answered: str) -> Step:
    """Go to `stage` and wait there for `command`."""
    waiting = tuple(each for each in state.outstanding if each not in answered)
    return replace(state, stage=stage, outstanding=(*waiting, command.id)), (command,)


def _end(state: AuditState, code: Exit, text: str) -> Step:
    """Stop without a report; the outcome says why."""
    return replace(state, stage=Stage.ENDED, outstanding=(), outcome=Outcome((Reason(code, text),))), ()


def _started(state: AuditState, event: Started) -> Step:
    state = replace(state, request=event.request, version=event.version)
    return _await(state, Stage.SURVEY, SurveyTarget("survey", event.request))


def _surveyed(state: AuditState, event: Surveyed) -> Step:
    requested = known(state.request).mode
    mode, note = modes.effective_mode(requested, event.survey.loc)
    if mode not in modes.AVAILABLE:
        raise EngineBug(f"mode {mode} was let in although this version cannot run it")
    state = _announce(replace(state, survey=event.survey, mode=mode, mode_note=note), ModeMarker(mode.value))
    return _await(state, Stage.LOADING, LoadDocuments("load/1", modes.DOCUMENTS[mode]), event.answers)


def _documents_loaded(state: AuditState, event: DocumentsLoaded) -> Step:
    """Gate 2 of A5: load what is missing and check again, once; then give up rather than go on without."""
    state = replace(state, documents=state.documents + event.documents, loads=state.loads + 1)
    missing = gates.missing_documents(state)
    if missing and state.loads >= MAX_LOADS:
        return _end(state, Exit.INTERNAL, f"protocol documents could not be loaded: {', '.join(missing)}")
    if missing:
        return _await(state, Stage.LOADING, LoadDocuments(f"load/{state.loads + 1}", missing), event.answers)
    state = _announce(state, LoadedMarker(tuple(document.name for document in state.documents)))
    return _reconnoitre(state, ("modules", "entry_points", "content_types", "dependencies"), event.answers)


def _reconnoitre(state: AuditState, targets: tuple[str, ...], answered: str) -> Step:
    number = len(state.attempts) + 1
    command = Reconnoitre(f"recon/{number}", number, inventory.next_method(state.attempts), targets)
    state = replace(state, attempts=(*state.attempts, Attempt(number, command.method, targets, targets)))
    return _await(state, Stage.RECON, command, answered)


def _recon_reported(state: AuditState, event: ReconReported) -> Step:
    """Judge the inventories; retry with another method while one is left, then accept or end (A8)."""
    inventories = inventory.judge(event.recon, known(state.survey))
    missing = inventories.missing()
    attempts = (*state.attempts[:-1], replace(state.attempts[-1], missing=missing))
    reached = inventory.checklist(inventories)
    state = replace(state, recon=event.recon, attempts=attempts, checklist=reached)
    if not inventory.sufficient(known(state.mode), reached):
        if inventory.next_method(attempts):
            halt = HaltMarker("phase 0 incomplete", f"attempt {len(attempts) + 1} targets {', '.join(missing)}")
            return _reconnoitre(_announce(state, halt), missing, event.answers)
        if not inventories.entry_points:
            return _end(state, Exit.INCOMPLETE, f"no entry point was found in {len(attempts)} attempts")
        state = replace(state, checklist=Checklist.PARTIAL_ACCEPTED)
    plan = make_plan(state)
    state = _announce(replace(state, plan=plan), narration.recon(state, inventories), narration.plan(plan))
    if state.mode is modes.Mode.QUICK or known(state.request).yes:
        return _acknowledge(state, Ack.AUTO_CONFIRMED, event.answers)
    return _await(state, Stage.CONFIRMATION, AskPlan("plan", plan), event.answers)


def make_plan(state: AuditState) -> Plan:
    """What will be done, by whom, and what it may cost; nothing has run yet (A4)."""
    request, survey, mode = known(state.request), known(state.survey), known(state.mode)
    languages = tuple(language for language, _ in survey.languages())
    return Plan(
        mode=mode,
        stack=narration.stack(state),
        checklist=state.checklist.value,
        dimensions=request.only,
        tasks=first_round(mode, survey.loc, languages, request.only),
        rounds="R1"
        if modes.ROUND_LIMIT[mode] == 1
        else " -> ".join(("R1", "R2(as needed)", "R3(as needed)")[: modes.ROUND_LIMIT[mode]]),
        report_gate="gates passed, coverage judged, no agent running",
        estimate=Estimate(0, "0.00"),
    )


def _plan_answered(state: AuditState, event: PlanAnswered) -> Step:
    return _acknowledge(state, event.ack, event.answers)


def _acknowledge(state: AuditState, ack: Ack, answered: str) -> Step:
    """Gate before phase 2 (A5). A declined plan ends the run with nothing spent (A4)."""
    state = _announce(replace(state, ack=ack), PlanAckMarker(ack.value))
    state = replace(state, outstanding=tuple(each for each in state.outstanding if each != answered))
    if ack is Ack.NOT_CONFIRMED:
        return _end(state, Exit.REFUSED, "the plan was not confirmed; nothing ran")
    failed = [check for check in gates.before_hunting(state) if not check.passed]
    if failed:
        raise EngineBug(f"phase 2 asked for with a closed gate: {failed[0].name}, {failed[0].detail}")
    state = _announce(state, narration.phase_1(state))
    return hunt.launch(replace(state, stage=Stage.HUNT), known(state.plan).tasks)


def _agent_started(state: AuditState, event: AgentStarted) -> Step:
    return hunt.start(state, event)


def _agent_finished(state: AuditState, event: AgentFinished) -> Step:
    return _after_hand_in(*hunt.finish(state, event))


def _agent_failed(state: AuditState, event: AgentFailed) -> Step:
    return _after_hand_in(*hunt.fail(state, event))


def _after_hand_in(state: AuditState, commands: tuple[Command, ...]) -> Step:
    """Once nobody is at work: the reduced restart if all failed (A27), else coverage and the report."""
    if hunt.running(state):
        return state, commands
    if hunt.needs_recovery(state):
        tasks = hunt.recovery_tasks(state)
        halt = HaltMarker("all agents failed", f"{len(tasks)} reduced agents restart")
        return hunt.launch(replace(_announce(state, halt), recovered=True), tasks)
    rows = evaluation.matrix(known(state.survey), known(state.recon), known(state.request).only, state.work)
    state = replace(state, coverage=rows)
    findings, _ = merge.unique(state.work)
    return _write_report(_announce(state, narration.phase_2(state, len(findings))))


def _write_report(state: AuditState) -> Step:
    unmet = [check for check in gates.can_report(state) if not check.passed and check.name != "coverage met"]
    if unmet:
        raise EngineBug(f"the report gate is closed: {unmet[0].name}, {unmet[0].detail}")
    result = report.build(state)
    return _await(replace(state, outcome=result.outcome), Stage.REPORTING, WriteReport("report", result))


def _time_up(state: AuditState, event: TimeUp) -> Step:
    """While agents work, they are told to hand in; before that there is nothing to report yet."""
    state = replace(state, time_up=True)
    if state.stage in (Stage.HUNT, Stage.REPORTING):
        return state, ()
    return _end(state, Exit.INCOMPLETE, f"the time limit of {event.seconds} s passed during {state.stage.value}")


def _report_written(state: AuditState, event: ReportWritten) -> Step:
    state = _announce(state, narration.phase_5(event.digests))
    return replace(state, stage=Stage.ENDED, outstanding=(), digests=event.digests), ()


_HANDLERS: dict[str, Callable[[AuditState, Any], Step]] = {
    "started": _started,
    "surveyed": _surveyed,
    "documents_loaded": _documents_loaded,
    "recon_reported": _recon_reported,
    "plan_answered": _plan_answered,
    "agent_started": _agent_started,
    "agent_finished": _agent_finished,
    "agent_failed": _agent_failed,
    "time_up": _time_up,
    "report_written": _report_written,
}
