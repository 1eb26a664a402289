"""How often a model specialist may look at the code in one task (R42). The toolbox enforces it; this says what to enforce."""

from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.review.contract import Work

FINDING: tuple[Allowance, ...] = (Allowance(Tool.READ, 8), Allowance(Tool.GREP, 8), Allowance(Tool.GIT_LOG, 2))
JUDGING: tuple[Allowance, ...] = (Allowance(Tool.READ, 4), Allowance(Tool.GREP, 4), Allowance(Tool.GIT_LOG, 1))
TURNS = 8
"""Turns in which tools are offered, at most."""
SHARE = 5
"""Tools end for a task once it has used one in so many of its specialist's tokens, so that later tasks have theirs (R25)."""


def allowances(work: Work) -> tuple[Allowance, ...]:
    """What a task may use."""
    return FINDING if work is Work.REFINE else JUDGING
