"""The embedded validator: judges findings of others by a second method, never by the one that found them (A37, A38).

It sets no severity and believes no finder's flow; the toolbox walks from the sink backwards or reads the value again.
"""

from counterproof.model.contract import AgentReply, AgentTask
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.threads import in_daemon_thread


class EmbeddedValidator:
    """One instance serves any number of tasks."""

    async def run(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        return await in_daemon_thread(lambda: self._validate(task, toolbox))

    def _validate(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        judgements = tuple(toolbox.derive(finding, task.steps) for finding in task.findings)
        return AgentReply(task.agent_id, task.round, task.dimensions, claims=(), findings=(), judgements=judgements)
