"""The toolbox of one task: runs analysis for the agent and records the actual work.

Validation is imported on demand, because quick audits do not need it.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from counterproof.analysis import families
from counterproof.analysis.examination import Examination
from counterproof.analysis.project import OutOfTime
from counterproof.analysis.reuse import settle
from counterproof.analysis.rule_index import index_of_rules
from counterproof.analysis.secrets.outgoing_text import safe
from counterproof.model.baseline import Hit
from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, Judgement
from counterproof.model.ledger import Ledger, Read, Trace
from counterproof.model.survey import Language
from counterproof.protocols.guard.citations import UNCHECKED, Checks, Citation
from counterproof.protocols.guard.witnesses import second_result
from counterproof.toolbox import citing
from counterproof.toolbox.workspace import Workspace

if TYPE_CHECKING:
    from counterproof.analysis.leftovers import Followed


class RecordingToolbox:
    """Bound to one task. Agents can cause entries in the ledger but cannot write to it."""

    def __init__(self, workspace: Workspace, task: AgentTask) -> None:
        self._workspace = workspace
        self._task = task
        self._ledger = Ledger()

    def ledger(self) -> Ledger:
        return self._ledger

    def examine(self, language: Language) -> Examination:
        """Run every check of the task's dimensions on every file of a language; record visits, searches and traces."""
        with self._workspace.turn:
            result = families.examine(self._workspace.project, self._workspace.entry_points, self._task.dimensions, language)
        visited = Read(result.visited, self._task.dimensions)
        beside = (Read(result.for_secrets, (Dimension.D7,)),) if result.for_secrets else ()
        supply = (Read(result.for_supply, (Dimension.D10,)),) if result.for_supply else ()
        examined = result.examination
        self._ledger += Ledger(
            (visited, *beside, *supply),
            examined.searches,
            examined.traces,
            examined.items,
            examined.comparisons,
            examined.entries,
            examined.endpoints,
        )
        return examined

    def rule_families(self) -> tuple[str, ...]:
        """The rule packages for the task's dimensions."""
        return index_of_rules(self._workspace.project).families(self._task.dimensions)

    def judge(self, finding: Finding, steps: int = 4) -> Judgement:
        """Judge a finding by the checker and the record of flows; record the files behind the judgement."""
        from counterproof.analysis import validation

        with self._workspace.turn:
            judged = validation.judge_finding(self._workspace.project, self._workspace.entry_points, finding, steps)
            shown = safe(self._workspace.project, judged.judgement)
        self._record(judged.files, judged.traces)
        return second_result(finding, shown)

    def judge_hit(self, hit: Hit) -> HitJudgement:
        """Judge a baseline hit the same way."""
        from counterproof.analysis import validation

        with self._workspace.turn:
            judged = validation.judge_hit(self._workspace.project, self._workspace.entry_points, hit)
            shown = safe(self._workspace.project, judged.judgement)
        self._record(judged.files, judged.traces)
        return shown

    def retrace(self) -> bool:
        """Record every sink to which data was followed, and the files on the way. False if time ran out."""
        workspace = self._workspace
        try:
            with workspace.turn:
                flows = families.flows(workspace.project, workspace.entry_points, self._task.dimensions)
        except OutOfTime:
            return False
        code = [each for each in workspace.project.survey.files if each.language in families.FOLLOWED and not each.test]
        self._record(tuple(each.path for each in code) if flows.finished else (), flows.traces)
        return flows.finished

    def follow_leftovers(self, known: tuple[Finding, ...]) -> "Followed":
        """Do the work that a standard audit leaves, kind by kind (A58); `known` findings are not repeated."""
        from counterproof.analysis import leftovers

        workspace = self._workspace
        with workspace.turn:
            reported = families.flows(workspace.project, workspace.entry_points, self._task.dimensions).findings
            every = (*known, *reported)
            followed = leftovers.follow(workspace.project, workspace.entry_points, self._task.dimensions, every)
            return replace(followed, findings=safe(workspace.project, followed.findings))

    def _record(self, files: tuple[str, ...], traces: tuple[Trace, ...]) -> None:
        self._ledger += Ledger((Read(files, self._task.dimensions),) if files else (), traces=traces)

    def checks(self, reply: AgentReply) -> Checks:
        """Empty: an analyst judges by its own analysis and gives no reasons that need checking."""
        del reply
        return UNCHECKED

    def citations(self, reply: AgentReply) -> tuple[Citation, ...]:
        """Re-read every cited line (A29)."""
        with self._workspace.turn:
            found = citing.citations(self._workspace.project, reply)
            settle(self._workspace.project)
            return found
