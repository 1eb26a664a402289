"""The markers of a run (A2) as types, with their text form, which has exactly the fields that the protocol names.

Some fields contain names from the reviewed code. In the text form each is a single line, so that none can imitate a marker.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class ModeMarker:
    mode: str
    kind: Literal["mode"] = "mode"


@dataclass(frozen=True, slots=True)
class LoadedMarker:
    documents: tuple[str, ...]
    kind: Literal["loaded"] = "loaded"


@dataclass(frozen=True, slots=True)
class ReconMarker:
    scale: str
    stack: str
    project_type: str
    entry_points: int
    key_modules: tuple[str, ...]
    inventories: tuple[tuple[str, str], ...]
    checklist: str
    kind: Literal["recon"] = "recon"


@dataclass(frozen=True, slots=True)
class PlanMarker:
    mode: str
    stack: str
    checklist: str
    dimensions: tuple[str, ...]
    agents: tuple[str, ...]
    rounds: str
    gate: str
    estimate: str = ""
    kind: Literal["plan"] = "plan"


@dataclass(frozen=True, slots=True)
class PlanAckMarker:
    ack: str
    kind: Literal["plan_ack"] = "plan_ack"


@dataclass(frozen=True, slots=True)
class PhaseMarker:
    phase: str
    status: str
    next: str
    evidence: tuple[tuple[str, str], ...]
    kind: Literal["phase"] = "phase"


@dataclass(frozen=True, slots=True)
class HaltMarker:
    """A closed gate: what tripped and how the run continues (A49)."""

    trigger: str
    recovery: str
    kind: Literal["halt"] = "halt"


Marker = ModeMarker | LoadedMarker | ReconMarker | PlanMarker | PlanAckMarker | PhaseMarker | HaltMarker


def text(marker: Marker) -> str:
    """The marker as it is printed and logged."""
    match marker:
        case ModeMarker():
            return f"[MODE] {marker.mode}"
        case LoadedMarker():
            return f"[LOADED] {', '.join(marker.documents)}"
        case ReconMarker():
            return _recon_text(marker)
        case PlanMarker():
            return _plan_text(marker)
        case PlanAckMarker():
            return f"[PLAN_ACK] {marker.ack}"
        case PhaseMarker():
            evidence = ",".join(f"{name}={value}" for name, value in marker.evidence)
            return _one_line_each(f"[PHASE] phase:{marker.phase} status:{marker.status} next:{marker.next} evidence:{evidence}")
        case HaltMarker():
            return _one_line_each(f"[HALT] trigger:{marker.trigger} recovery:{marker.recovery}")


def _one_line_each(*lines: str) -> str:
    return "\n".join(" ".join(line.split()) for line in lines)


def _recon_text(marker: ReconMarker) -> str:
    inventories = ", ".join(f"{name}={status}" for name, status in marker.inventories)
    return _one_line_each(
        "[RECON]",
        f"Project scale: {marker.scale}",
        f"Tech stack: {marker.stack}",
        f"Project type: {marker.project_type}",
        f"Entry points: {marker.entry_points}",
        f"Key modules: {', '.join(marker.key_modules)}",
        f"phase0_inventory: {{{inventories}}}",
        f"phase0_checklist: {marker.checklist}",
    )


def _plan_text(marker: PlanMarker) -> str:
    return _one_line_each(
        "[PLAN]",
        f"Mode: {marker.mode}",
        f"Tech stack: {marker.stack}",
        f"phase0_checklist: {marker.checklist}",
        f"Scan dimensions: {', '.join(marker.dimensions)}",
        f"Agent plan: {'; '.join(marker.agents)}",
        f"Round planning: {marker.rounds}",
        f"Report gate: {marker.gate}",
        *([f"Estimate: {marker.estimate}"] if marker.estimate else []),
    )
