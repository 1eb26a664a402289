"""A model's reply beside what the analysers say (A29): claims paired, judgements reconciled, exclusions checked.

Always holds: what the analysers established is in the reply, whatever the model said; a model's word counts only about files
that it read itself; after meeting text that speaks to it, nothing that it says in the code's favour counts.
"""

from dataclasses import replace

from counterproof.analysis.project import OutOfTime
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, Judgement
from counterproof.model.transfer import FalsePositive
from counterproof.protocols.guard.witnesses import reconciled, reconciled_hit
from counterproof.toolbox.witnessed import WitnessedTools


def paired(task: AgentTask, toolbox: WitnessedTools, reply: AgentReply, seen: AgentReply) -> AgentReply:
    """For those who find: both witnesses' findings, and remarks on text that speaks to models."""
    swayed = bool(toolbox.met())
    excluded = () if swayed else _excluded(toolbox, reply.false_positives, seen.findings)
    notes = (*reply.notes, *toolbox.notes(), *_gaps(task, reply), *_swayed(swayed))
    return toolbox.paired(replace(reply, false_positives=excluded, notes=notes), seen)


def judged(task: AgentTask, toolbox: WitnessedTools, reply: AgentReply) -> AgentReply:
    """For those who judge: a word on each claim or hit that both witnesses can answer for."""
    swayed = bool(toolbox.met())
    reads = toolbox.own_reads()
    ended = reply.ended
    judgements: list[Judgement] = []
    hits: list[HitJudgement] = []
    try:
        if task.role is Role.VALIDATOR:
            judgements = [word for each in task.findings if (word := _word(task, toolbox, reply, each, reads, swayed))]
        else:
            hits = [word for index in range(len(task.hits)) if (word := _hit_word(task, toolbox, reply, index, reads, swayed))]
    except OutOfTime:
        ended = False
    return replace(
        reply,
        judgements=tuple(judgements),
        hit_judgements=tuple(hits),
        findings=tuple(each.finding for each in hits if each.finding),
        modules_loaded=toolbox.modules_loaded,
        notes=(*reply.notes, *_swayed(swayed)),
        ended=ended,
    )


def _word(
    task: AgentTask, toolbox: WitnessedTools, reply: AgentReply, finding: Finding, reads: frozenset[str], swayed: bool
) -> Judgement | None:
    words = [each for each in reply.judgements if each.finding_id == finding.id and each.counts(task.steps)]
    said = words[0] if len({each.verdict for each in words}) == 1 else None
    return reconciled(_backed(toolbox, said, finding, reads), toolbox.derive(finding, task.steps), finding, swayed)


def _backed(toolbox: WitnessedTools, said: Judgement | None, finding: Finding, reads: frozenset[str]) -> Judgement | None:
    """A word counts after reading both the place and the line that decided, which must exist (A29)."""
    if said is None or said.at is None or not {said.at.path, finding.location.path} <= reads:
        return None
    return said if said.at.end <= toolbox.lines_of(said.at.path) else None


def _hit_word(
    task: AgentTask, toolbox: WitnessedTools, reply: AgentReply, index: int, reads: frozenset[str], swayed: bool
) -> HitJudgement | None:
    hit = task.hits[index]
    words = [each for each in reply.hit_judgements if each.hit_id == hit.id]
    said = words[0] if len(words) == 1 and hit.path in reads else None
    return reconciled_hit(said, toolbox.verify_hit(index), swayed)


def _excluded(
    toolbox: WitnessedTools, excluded: tuple[FalsePositive, ...], seen: tuple[Finding, ...]
) -> tuple[FalsePositive, ...]:
    """Places that a model may close to later rounds: hit by its own search or trace, then read, and without a finding of the
    analysers."""
    reads = toolbox.own_reads()
    return tuple(
        each
        for each in excluded
        if each.file in reads
        and toolbox.hit(each.file, each.line)
        and not any(f.location.path == each.file and f.location.start <= each.line <= f.location.end for f in seen)
    )


def _gaps(task: AgentTask, reply: AgentReply) -> tuple[str, ...]:
    return tuple(f"{task.agent_id} left open: {gap}" for gap in reply.gaps[:10])


SWAYED = "Agents met text that speaks to a model; nothing that they said in the code's favour was believed."


def _swayed(swayed: bool) -> tuple[str, ...]:
    return (SWAYED,) if swayed else ()
