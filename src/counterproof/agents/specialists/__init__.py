"""The embedded specialists of a review: they file what checks can show, and read others' findings in a second way (R10, R15).

Always: a specialist knows only its task and its bench. It decides nothing; silence where it has no second way is an abstention.
"""

from counterproof.agents.specialists.challenging import challenges
from counterproof.agents.specialists.defending import defences
from counterproof.agents.specialists.refining import refined
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.toolbox.review_bench import ReviewBench

__all__ = ["EmbeddedSpecialist"]


class EmbeddedSpecialist:
    """One instance serves any number of tasks of any profile."""

    def work(self, task: ReviewTask, bench: ReviewBench) -> ReviewReply:
        if task.work is Work.REFINE:
            return refined(task, bench)
        if task.work is Work.DEFEND:
            return defences(task, bench)
        return challenges(task, bench)
