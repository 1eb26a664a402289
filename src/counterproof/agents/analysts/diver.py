"""The embedded diver: reads what the hunters left, follows grave findings further, and looks for what they missed (A34). In a
deep audit it also follows what a standard one leaves (A58).

It claims nothing of its own; flows and findings come from the backward method, and the ledger shows what was read.
"""

from dataclasses import replace

from counterproof.model.contract import AgentReply, AgentTask
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.threads import in_daemon_thread


class EmbeddedDiver:
    """One instance serves any number of tasks."""

    async def run(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        return await in_daemon_thread(lambda: self._dive(task, toolbox))

    def _dive(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        dived = toolbox.dive(task.findings, task.files)
        left = toolbox.follow_leftovers((*task.findings, *dived.findings)) if task.beyond else None
        found = (*dived.findings, *(left.findings if left else ()))
        numbered = tuple(replace(finding, id=f"F{number:03}") for number, finding in enumerate(found, 1))
        return AgentReply(
            agent_id=task.agent_id,
            round=task.round,
            dimensions=task.dimensions,
            claims=(),
            findings=numbered,
            notes=dived.limitations,
            flows=dived.flows,
            ended=dived.finished and (left is None or left.finished),
            leftovers=left.leftovers if left else (),
        )
