"""The embedded diver: records followed data flows, and in a deep audit follows what a standard one leaves (A34, A58).

It makes no claims; the ledger shows which files were followed and which sinks were met.
"""

from dataclasses import replace

from counterproof.model.contract import AgentReply, AgentTask
from counterproof.toolbox.recording import RecordingToolbox

OUT_OF_TIME = "The time was over before data was followed to every sink."


def dive(task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
    traced = toolbox.retrace()
    left = toolbox.follow_leftovers(task.findings) if task.beyond and traced else None
    found = left.findings if left else ()
    numbered = tuple(replace(finding, id=f"F{number:03}") for number, finding in enumerate(found, 1))
    return AgentReply(
        agent_id=task.agent_id,
        round=task.round,
        dimensions=task.dimensions,
        claims=(),
        findings=numbered,
        notes=() if traced else (OUT_OF_TIME,),
        ended=traced and (left is None or left.finished),
        leftovers=left.leftovers if left else (),
    )
