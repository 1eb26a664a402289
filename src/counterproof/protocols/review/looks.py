"""How often a model specialist may use tools in one task (R42). The toolbox enforces these limits."""

from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.review.contract import ReviewTask, Work

FINDING: tuple[Allowance, ...] = (Allowance(Tool.READ, 8), Allowance(Tool.GREP, 8), Allowance(Tool.GIT_LOG, 2))
JUDGING: tuple[Allowance, ...] = (Allowance(Tool.READ, 4), Allowance(Tool.GREP, 4), Allowance(Tool.GIT_LOG, 1))
OFFERED = tuple(each.tool for each in FINDING)
UNBOUNDED = 1_000_000
TURNS = 8
"""The most turns in which tools are offered."""


def allowances(work: Work) -> tuple[Allowance, ...]:
    """The tool allowances of a task."""
    return FINDING if work is Work.REFINE else JUDGING


def room(task: ReviewTask, share: int, spent: int, needed: int) -> int:
    """The tokens left for a task's next tool results. `spent` is what the specialist's tasks used so far, `needed` the cost of
    offering tools once more and finishing the task. Tool use ends when a specialist has used half of its share in its first
    iteration, seven tenths in refinement, and eight tenths overall, so that enough is left for later tasks: positions and
    defences are up to four short questions (R25). Without a share there is no such limit."""
    tenths = 8 if task.work is not Work.REFINE else 5 if task.iteration == 1 else 7
    return share * tenths // 10 - spent - needed if share else UNBOUNDED
