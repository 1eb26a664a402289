"""The small steps shared by all phases: announce, wait, enter a phase, end."""

from dataclasses import replace

from counterproof.model.errors import EngineBug
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.protocols.audit.commands import Command
from counterproof.protocols.audit.markers import Marker
from counterproof.protocols.audit.modes import Mode, skipped_phase
from counterproof.protocols.audit.state import AuditState, Stage, known

Step = tuple[AuditState, tuple[Command, ...]]


def announce(state: AuditState, *markers: Marker) -> AuditState:
    """Add markers; a phase marker also marks its phase as finished."""
    phases = tuple(marker["phase"] for marker in markers if marker.kind == "phase")
    return replace(state, markers=state.markers + markers, marked=state.marked + phases)


def wait(state: AuditState, stage: Stage, command: Command, *answered: str) -> Step:
    """Go to `stage` and wait for the answer to `command`."""
    state = without(state, *answered)
    return replace(state, stage=stage, outstanding=(*state.outstanding, command.id)), (command,)


def without(state: AuditState, *answered: str) -> AuditState:
    """Remove answered commands from the outstanding ones."""
    return replace(state, outstanding=tuple(each for each in state.outstanding if each not in answered))


def end(state: AuditState, code: Exit, text: str) -> Step:
    """Stop without a report; the outcome gives the reason."""
    return replace(state, stage=Stage.ENDED, outstanding=(), outcome=Outcome((Reason(code, text),))), ()


def enter(state: AuditState, phase: str) -> AuditState:
    """Enter a phase according to the table (A30). Only an audit in which every agent failed may go from 2 to 5 (A27)."""
    skipped = skipped_phase(known(state.mode), state.phase, phase)
    if skipped and not (state.all_failed and (state.phase, phase) == ("2", "5")):
        raise EngineBug(f"phase_skip_violation: from {state.phase} to {phase} skips {skipped}")
    return replace(state, phase=phase)


def trail(state: AuditState, name: str) -> AuditState:
    """Record a deep-mode state under the protocol's own name."""
    return replace(state, trail=(*state.trail, name)) if state.mode is Mode.DEEP else state
