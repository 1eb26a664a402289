"""The embedded validator: judges others' findings with the checker, never with the engine that found them (A37, A38).

It sets no severity and ignores the finder's flow; the checker re-reads the facts of the proof in the source.
"""

from counterproof.analysis.project import OutOfTime
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.judgement import Judgement
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.threads import in_daemon_thread


class EmbeddedValidator:
    """Stateless: one instance serves any number of tasks."""

    async def run(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        return await in_daemon_thread(lambda: self._validate(task, toolbox))

    def _validate(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        judgements: list[Judgement] = []
        ended = True
        try:
            for finding in task.findings:
                judgements.append(toolbox.judge(finding, task.steps))
        except OutOfTime:
            ended = False  # the judgements so far are still valid
        return AgentReply(
            task.agent_id,
            task.round,
            task.dimensions,
            claims=(),
            findings=(),
            judgements=tuple(judgements),
            ended=ended,
        )
