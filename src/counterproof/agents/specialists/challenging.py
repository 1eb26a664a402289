"""Reading others' findings. A specialist speaks where it is the second reader and has a second way; else it abstains."""

from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Position, Stance
from counterproof.toolbox.review_bench import ReviewBench


def challenges(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """Positions on what is shown whole and is its to read a second time."""
    me = task.specialist.code
    advocate = task.work is Work.ADVOCATE
    mine = [each for each in task.shown if advocate or bench.second_reader(each.specialist) == me]
    positions = tuple(_position(me, each, bench) for each in mine)
    others = tuple(Position(me, each.id, Stance.ABSTAIN) for each in task.shown if each not in mine)
    return ReviewReply(task.agent_id, positions=positions + others)


def _position(me: str, finding: ReviewFinding, bench: ReviewBench) -> Position:
    opinion = bench.opinion(finding)
    if opinion is None:
        return Position(me, finding.id, Stance.ABSTAIN)
    if opinion.agrees is None:
        return Position(me, finding.id, Stance.ABSTAIN, None, opinion.why, opinion.at)
    if opinion.agrees:
        return Position(me, finding.id, Stance.AGREE, opinion.severity, opinion.why, opinion.at)
    return Position(me, finding.id, Stance.CHALLENGE, None, opinion.why, opinion.at)
