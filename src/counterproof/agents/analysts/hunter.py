"""The embedded hunter: examines every file of its languages and submits the findings that the analysis can show.

It reports only what the analysis established, and claims no coverage: the ledger is the record. The first round follows data
from every source; later rounds continue through stores, unguarded entry points and earlier revisions (A23).
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.examination import Examination, united
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.dimension import Dimension
from counterproof.toolbox.recording import RecordingToolbox


def hunt(task: AgentTask, toolbox: RecordingToolbox) -> AgentReply:
    examined = united(_looks(task, toolbox))
    numbered = tuple(replace(finding, id=f"F{number:03}") for number, finding in enumerate(examined.findings, 1))
    return AgentReply(
        agent_id=task.agent_id,
        round=task.round,
        dimensions=task.dimensions,
        claims=(),
        findings=numbered,
        modules_loaded=toolbox.rule_families(),
        hotspots=_hotspots(examined),
        notes=examined.limitations,
        ended=examined.finished,
        unread=examined.unread,
    )


def _looks(task: AgentTask, toolbox: RecordingToolbox) -> Iterator[Examination]:
    if not _looked_before(task):
        yield from (toolbox.examine(language) for language in task.languages)
    if task.round > 1:
        traced = toolbox.retrace()
        left = toolbox.follow_leftovers(task.findings) if traced else None
        yield Examination(findings=left.findings if left else (), finished=left is not None and left.finished)


def _looked_before(task: AgentTask) -> bool:
    """True if an earlier round read code for each of these dimensions."""
    read = {dimension for dimension, _ in task.context.transfer.read_for} if task.context else set[Dimension]()
    return set(task.dimensions) <= read


def _hotspots(examined: Examination) -> tuple[str, ...]:
    """Files with more than one finding, those with the most first."""
    counts: dict[str, int] = {}
    for finding in examined.findings:
        counts[finding.location.path] = counts.get(finding.location.path, 0) + 1
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(f"{path}: {count} findings" for path, count in ranked if count > 1)
