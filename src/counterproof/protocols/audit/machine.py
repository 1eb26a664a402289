"""The audit's state machine: `step(state, event) -> (state, commands)`, total, deterministic, without I/O.

`TRANSITIONS` lists which events a stage accepts and which stages may follow. A handler chooses among those; any other choice
is an engine bug and raises. An event that a stage does not accept is either a late reply, which is recorded and ignored, or a
bug of the driver, which raises. ENDED accepts no events.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from counterproof.model.receipt import Exit
from counterproof.protocols.audit import hunt, markers, phase_five, phase_four, phase_one, phase_three, phase_two
from counterproof.protocols.audit.events import AgentStarted, Event, PhaseRequested, TimeUp
from counterproof.protocols.audit.modes import Mode, skipped_phase
from counterproof.protocols.audit.moves import Step, announce, end
from counterproof.protocols.audit.state import AuditState, Stage
from counterproof.protocols.turns import passed, take

TRANSITIONS: dict[Stage, dict[str, tuple[Stage, ...]]] = {
    Stage.NEW: {"started": (Stage.SURVEY,)},
    Stage.SURVEY: {
        "surveyed": (Stage.LOADING, Stage.ENDED),
        "phase_requested": (Stage.SURVEY,),
        "time_up": (Stage.ENDED,),
    },
    Stage.LOADING: {
        "documents_loaded": (Stage.LOADING, Stage.RECON, Stage.ENDED),
        "phase_requested": (Stage.LOADING,),
        "time_up": (Stage.ENDED,),
    },
    Stage.RECON: {
        "recon_reported": (Stage.RECON, Stage.CONFIRMATION, Stage.BASELINE, Stage.HUNT, Stage.ENDED),
        "phase_requested": (Stage.RECON,),
        "time_up": (Stage.ENDED,),
    },
    Stage.CONFIRMATION: {
        "plan_answered": (Stage.BASELINE, Stage.HUNT, Stage.ENDED),
        "phase_requested": (Stage.CONFIRMATION,),
        "time_up": (Stage.ENDED,),
    },
    Stage.BASELINE: {
        "baseline_finished": (Stage.HUNT,),
        "phase_requested": (Stage.BASELINE,),
        "time_up": (Stage.ENDED,),
    },
    Stage.HUNT: {
        "agent_started": (Stage.HUNT,),
        "agent_finished": (Stage.HUNT, Stage.DEEP_DIVE, Stage.REPORTING),
        "agent_failed": (Stage.HUNT, Stage.DEEP_DIVE, Stage.REPORTING),
        "baseline_finished": (Stage.HUNT, Stage.DEEP_DIVE, Stage.REPORTING),
        "phase_requested": (Stage.HUNT,),
        "time_up": (Stage.HUNT,),
    },
    Stage.DEEP_DIVE: {
        "agent_started": (Stage.DEEP_DIVE,),
        "agent_finished": (Stage.DEEP_DIVE, Stage.VALIDATION, Stage.REPORTING),
        "agent_failed": (Stage.DEEP_DIVE, Stage.VALIDATION, Stage.REPORTING),
        "phase_requested": (Stage.DEEP_DIVE,),
        "time_up": (Stage.DEEP_DIVE,),
    },
    Stage.VALIDATION: {
        "agent_started": (Stage.VALIDATION,),
        "agent_finished": (Stage.VALIDATION, Stage.REPORTING),
        "agent_failed": (Stage.VALIDATION, Stage.REPORTING),
        "phase_requested": (Stage.VALIDATION,),
        "time_up": (Stage.VALIDATION,),
    },
    Stage.REPORTING: {
        "report_written": (Stage.ENDED,),
        "phase_requested": (Stage.REPORTING,),
        "time_up": (Stage.REPORTING,),
    },
    Stage.ENDED: {},
}

AGENT_EVENTS = ("agent_started", "agent_finished", "agent_failed")
_BEFORE_AGENTS = (Stage.SURVEY, Stage.LOADING, Stage.RECON, Stage.CONFIRMATION, Stage.BASELINE)


def step(state: AuditState, event: Event) -> Step:
    """Return the next state and the commands to issue."""
    return take(state, event, TRANSITIONS, _handle, may_be_late=AGENT_EVENTS, note=_late)


def _late(state: AuditState, what: str) -> AuditState:
    """Record a reply of a late or unknown agent (A26)."""
    return replace(state, ignored=(*state.ignored, f"Ignored: {what}, which was not requested."))


def _agent_started(state: AuditState, event: AgentStarted) -> Step:
    return hunt.start(state, event)


def _phase_requested(state: AuditState, event: PhaseRequested) -> Step:
    """The driver of the agents cannot move the machine. A jump is a violation: HALT, back to the skipped phase (A30, A49)."""
    skipped = skipped_phase(state.mode or Mode.STANDARD, state.phase, event.phase)
    if not skipped:
        return state, ()
    halt = markers.halt("phase_skip_violation", f"{state.phase} to {event.phase[:8]} refused, back to phase {skipped}")
    return announce(state, halt), ()


def _time_up(state: AuditState, event: TimeUp) -> Step:
    """Working agents are told to submit; before any work there is nothing to report."""
    state = replace(state, time_up=True)
    if state.stage not in _BEFORE_AGENTS:
        return state, ()
    return end(state, Exit.INCOMPLETE, f"{passed(event.seconds, event.limit)} during {state.stage.value}")


Handler = Callable[[AuditState, Any], Step]

_HANDLERS: dict[str, Handler] = {
    "started": phase_one.started,
    "surveyed": phase_one.surveyed,
    "documents_loaded": phase_one.documents_loaded,
    "recon_reported": phase_one.recon_reported,
    "plan_answered": phase_one.plan_answered,
    "baseline_finished": phase_two.baseline_finished,
    "agent_started": _agent_started,
    "phase_requested": _phase_requested,
    "time_up": _time_up,
    "report_written": phase_five.report_written,
}

_AGENT_HANDLERS: dict[tuple[Stage, str], Handler] = {
    (Stage.HUNT, "agent_finished"): phase_two.agent_finished,
    (Stage.HUNT, "agent_failed"): phase_two.agent_failed,
    (Stage.DEEP_DIVE, "agent_finished"): phase_three.agent_finished,
    (Stage.DEEP_DIVE, "agent_failed"): phase_three.agent_failed,
    (Stage.VALIDATION, "agent_finished"): phase_four.agent_finished,
    (Stage.VALIDATION, "agent_failed"): phase_four.agent_failed,
}
"""The same reply event is handled differently in each phase."""


def _handle(state: AuditState, event: Event) -> Step:
    handler = _AGENT_HANDLERS.get((state.stage, event.kind)) or _HANDLERS[event.kind]
    return handler(state, event)
