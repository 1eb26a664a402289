"""Answering challenges of analysts' findings. A doubtful one is given up when another analyst's reading speaks against it; to a
model's word it is not: that makes it disputed, and refutes it only where the engine confirmed the defence (R36).
"""

from counterproof.model.review.contract import ReviewReply, ReviewTask
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, Position
from counterproof.model.severity import Confidence
from counterproof.toolbox.review_bench import ReviewBench, read_safely


def defences(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """One answer for each challenged finding."""
    mine = [each for each in task.own if not each.model]
    answers = tuple(_answer(each, [one for one in task.against if one.finding_id == each.id], bench) for each in mine)
    return ReviewReply(task.agent_id, defences=answers)


def _answer(finding: ReviewFinding, against: list[Position], bench: ReviewBench) -> Defence:
    grounded = next((each for each in against if each.grounded and not each.model), None)
    if read_safely(bench, finding.location) != finding.quote:
        return Defence(finding.id, False, "The line does not read as it was quoted", finding.location)
    if grounded and finding.confidence.rank <= Confidence.MEDIUM.rank:
        return Defence(finding.id, False, f"Given up: {grounded.evidence[:300]}", grounded.at)
    return Defence(finding.id, True, f"It stands: {finding.evidence[:300]}", finding.location)
