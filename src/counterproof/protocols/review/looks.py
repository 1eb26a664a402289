"""How often a model specialist may look at the code in one task (R42). The toolbox enforces it; this says what to enforce."""

from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.review.contract import Work

FINDING: tuple[Allowance, ...] = (Allowance(Tool.READ, 8), Allowance(Tool.GREP, 8), Allowance(Tool.GIT_LOG, 2))
JUDGING: tuple[Allowance, ...] = (Allowance(Tool.READ, 4), Allowance(Tool.GREP, 4), Allowance(Tool.GIT_LOG, 1))
TURNS = 8
"""Turns in which tools are offered, at most."""


def allowances(work: Work) -> tuple[Allowance, ...]:
    """What a task may use."""
    return FINDING if work is Work.REFINE else JUDGING


def affordable(work: Work, share: int, spent: int, question: int) -> bool:
    """Whether a task may still look something up: the question that offers tools and the one that takes the result must fit into
    its part of the specialist's tokens, three tenths for finding and a fifth for judging, so that later tasks have theirs (R25).
    Without a share there is no such bound."""
    part = share * 3 // 10 if work is Work.REFINE else share // 5
    return not share or spent + 2 * question <= part
