"""Decides what a journalled answer depends on, so that after a change only the affected steps run again (F17).

Pure: it maps one event to the inputs that its content came from. Whether an input changed, and whether the same command is
issued again, is decided elsewhere; an answer is only ever reused for exactly the same command.
"""

from enum import StrEnum

from counterproof.protocols.audit.events import Event


class Part(StrEnum):
    """The inputs of a run besides its request."""

    TARGET = "target"
    PROGRAM = "program"
    RULES = "rules"
    PROMPTS = "prompts"
    DOCUMENTS = "documents"


_PARTS: dict[str, tuple[Part, ...]] = {
    "surveyed": (Part.TARGET, Part.PROGRAM),
    "documents_loaded": (Part.DOCUMENTS, Part.PROGRAM),
    "recon_reported": (Part.TARGET, Part.PROGRAM),
    "plan_answered": (Part.PROGRAM,),
    "baseline_finished": (Part.TARGET, Part.PROGRAM, Part.RULES),
    "agent_started": (Part.TARGET, Part.PROGRAM, Part.RULES),
    "agent_finished": (Part.TARGET, Part.PROGRAM, Part.RULES),
}
"""Inputs by kind of event. Kinds not listed are never reused: failures, time limits, the report."""


def reusable(event: Event, changed: tuple[Part, ...], asked_models: tuple[str, ...]) -> bool:
    """True if an answer is still valid although these parts changed. `asked_models` are the tasks that a model worked on: only
    those depend on prompts and on the knowledge modules."""
    parts = _PARTS.get(event.kind)
    if parts is None:
        return False
    if getattr(event, "answers", "") in asked_models:
        parts = (*parts, Part.PROMPTS, Part.DOCUMENTS)
    return not set(parts) & set(changed)
