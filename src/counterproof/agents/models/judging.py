"""What becomes of a model's reply before the protocol gets it (A29, A47): remarks on text that speaks to models, and exclusions
that the record bears out.

Always holds: after meeting text that speaks to it, nothing that a model says in the code's favour closes a place to others. What
its findings and judgements are worth is decided in `protocols`.
"""

from dataclasses import replace

from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.transfer import FalsePositive
from counterproof.toolbox.witnessed import WitnessedTools

SWAYED = "Agents met text that speaks to a model; nothing that they said in the code's favour was believed."


def remarked(task: AgentTask, toolbox: WitnessedTools, reply: AgentReply) -> AgentReply:
    """The reply with what was loaded for it, what was noticed, and what it may exclude."""
    swayed = bool(toolbox.met())
    gaps = tuple(f"{task.agent_id} left open: {gap}" for gap in reply.gaps[:10])
    notes = (*reply.notes, *toolbox.notes(), *gaps, *((SWAYED,) if swayed else ()))
    return replace(
        reply,
        false_positives=() if swayed else _excluded(toolbox, reply.false_positives),
        modules_loaded=toolbox.modules_loaded,
        notes=tuple(dict.fromkeys(notes)),
    )


def _excluded(toolbox: WitnessedTools, excluded: tuple[FalsePositive, ...]) -> tuple[FalsePositive, ...]:
    """Places that a model may close to later rounds: hit by its own search or trace, then read. The protocol keeps open what
    anybody has a finding at."""
    reads = toolbox.own_reads()
    return tuple(each for each in excluded if each.file in reads and toolbox.hit(each.file, each.line))
