"""The embedded validator and hit verifier: judge others' findings, and every baseline hit, with the checker (A35, A37, A38).

The engine that found them is never asked; no severity is set, and the finder's flow is ignored. The finding made from a confirmed
hit is also in the reply, so that its citation is checked like any other.
"""

from counterproof.analysis.project import OutOfTime
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.judgement import HitJudgement, Judgement
from counterproof.toolbox.recording import RecordingToolbox


def judge(task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
    """The judgements so far are valid even if time runs out; the archive counts hits without one as needs_manual."""
    judgements: list[Judgement] = []
    hits: list[HitJudgement] = []
    ended = True
    try:
        if task.role is Role.VALIDATOR:
            for finding in task.findings:
                judgements.append(toolbox.judge(finding, task.steps))
        else:
            for hit in task.hits:
                hits.append(toolbox.judge_hit(hit))
    except OutOfTime:
        ended = False
    return AgentReply(
        task.agent_id,
        task.round,
        task.dimensions,
        claims=(),
        findings=tuple(each.finding for each in hits if each.finding is not None),
        judgements=tuple(judgements),
        hit_judgements=tuple(hits),
        ended=ended,
    )
