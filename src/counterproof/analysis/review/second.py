"""A second reading of what an analyst found: backwards from the sink (R15).

Always: nothing here asks the check that made the claim. Where there is no second way to read it, nobody votes.
"""

from dataclasses import dataclass

from counterproof.analysis import backward
from counterproof.analysis.review.checks.security import entry_points
from counterproof.analysis.review.claims import View
from counterproof.analysis.review.nearby import ground
from counterproof.model.finding import Finding, StepResult
from counterproof.model.judgement import Verdict
from counterproof.model.location import Location
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class Opinion:
    """What the second reading says, and at which line. `agrees` is None where it could follow only a part: that is no vote."""

    agrees: bool | None
    why: str
    at: Location
    severity: Severity


def second_opinion(view: View, finding: ReviewFinding, witness: Finding) -> Opinion:
    """Whether the sink, followed backwards, leads to the source of the audit's finding behind this one."""
    project = ground(view)
    judgement = backward.judge(project, entry_points(project), witness).judgement
    place = judgement.at or witness.location
    steps = judgement.validation.steps
    if judgement.verdict is Verdict.CONFIRMED:
        reasons = "; ".join(step.reason for step in steps if step.result is StepResult.PASS)
        return Opinion(True, f"Followed from the sink backwards, it holds: {reasons}"[:1_900], place, finding.severity)
    failed = next((step for step in steps if step.result in (StepResult.FAIL, StepResult.PARTIAL)), None)
    why = f"Followed from the sink backwards, it does not hold in full: {failed.reason if failed else 'no path was found'}"[
        :1_900
    ]
    return Opinion(None if judgement.verdict is Verdict.DOWNGRADED else False, why, place, finding.severity)
