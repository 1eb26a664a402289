"""The embedded diver: reads what the hunters left, follows grave findings further, and looks for what they missed (A34).

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
        numbered = tuple(replace(finding, id=f"F{number:03}") for number, finding in enumerate(dived.findings, 1))
        return AgentReply(
            agent_id=task.agent_id,
            round=task.round,
            dimensions=task.dimensions,
            claims=(),
            findings=numbered,
            notes=dived.limitations,
            flows=dived.flows,
            ended=dived.finished,
        )
