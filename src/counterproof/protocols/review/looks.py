"""How often a model specialist may look at the code in one task (R42). The toolbox enforces it; this says what to enforce."""

from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.review.contract import ReviewTask, Work

FINDING: tuple[Allowance, ...] = (Allowance(Tool.READ, 8), Allowance(Tool.GREP, 8), Allowance(Tool.GIT_LOG, 2))
JUDGING: tuple[Allowance, ...] = (Allowance(Tool.READ, 4), Allowance(Tool.GREP, 4), Allowance(Tool.GIT_LOG, 1))
OFFERED = tuple(each.tool for each in FINDING)
UNBOUNDED = 1_000_000
TURNS = 8
"""Turns in which tools are offered, at most."""


def allowances(work: Work) -> tuple[Allowance, ...]:
    """What a task may use."""
    return FINDING if work is Work.REFINE else JUDGING


def room(task: ReviewTask, share: int, spent: int, needed: int) -> int:
    """Tokens that what a task looks up next may have. `spent` is what the specialist's tasks used so far, `needed` what it takes
    to offer tools once more and to finish the task. Looks end when a specialist has used half of its share in its first
    iteration, seven tenths in refinement, and eight tenths in all, so that later tasks have theirs: positions and defences are up
    to four short questions (R25). Without a share there is no such bound."""
    tenths = 8 if task.work is not Work.REFINE else 5 if task.iteration == 1 else 7
    return share * tenths // 10 - spent - needed if share else UNBOUNDED
