"""The embedded hit verifier: every baseline hit is confirmed, rejected or marked for manual review, with a reason (A35).

The finding made from a confirmed hit is also in the reply, so that its citation is checked like any other.
"""

from counterproof.analysis.project import OutOfTime
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.judgement import HitJudgement
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.threads import in_daemon_thread


class EmbeddedHitVerifier:
    """Stateless: one instance serves any number of tasks."""

    async def run(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        return await in_daemon_thread(lambda: self._verify(task, toolbox))

    def _verify(self, task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
        judged: list[HitJudgement] = []
        ended = True
        try:
            for hit in task.hits:
                judged.append(toolbox.judge_hit(hit))
        except OutOfTime:
            ended = False  # the archive counts the rest as needs_manual
        return AgentReply(
            task.agent_id,
            task.round,
            task.dimensions,
            claims=(),
            findings=tuple(each.finding for each in judged if each.finding is not None),
            hit_judgements=tuple(judged),
            ended=ended,
        )
