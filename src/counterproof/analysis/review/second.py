"""A second reading of an analyst's finding: the checker's result on the facts of its proof (R15).

Invariant: nothing here uses the check that made the claim. If there is no second way to read it, there is no vote.
"""

from dataclasses import dataclass

from counterproof.analysis.review.checks.security import entry_points
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.nearby import ground
from counterproof.analysis.validation import judge_finding
from counterproof.model.finding import Finding, StepResult
from counterproof.model.judgement import Verdict
from counterproof.model.location import Location
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.severity import Severity

MAX_WHY = 1_900


@dataclass(frozen=True, slots=True)
class Opinion:
    """The result of the second reading, and its line. `agrees` is None if it could check only a part: that is not a vote."""

    agrees: bool | None
    why: str
    at: Location
    severity: Severity


def second_opinion(view: View, finding: ReviewFinding, witness: Finding) -> Opinion:
    """Whether the source supports the audit's finding behind this one."""
    project = ground(view)
    judgement = judge_finding(project, entry_points(project), witness).judgement
    place = judgement.at or witness.location
    if judgement.verdict is Verdict.CONFIRMED:
        reasons = "; ".join(step.reason for step in judgement.validation.steps)
        return Opinion(True, f"Checked in the source: {reasons}"[:MAX_WHY], place, finding.severity)
    doubted = next(step for step in judgement.validation.steps if step.result is not StepResult.PASS)
    why = f"Not confirmed by the source: {doubted.reason}"[:MAX_WHY]
    return Opinion(None if judgement.verdict is Verdict.DOWNGRADED else False, why, place, finding.severity)
