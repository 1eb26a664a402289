"""How many tokens a text takes, for deciding what fits. Pure, and the same in every process.

Budgets reserve by the bound of `models.sizing`, which no provider exceeds. What is shown is chosen by this estimate instead,
which lies nearer to what providers count and still above it: `SHARE` of the bound. The share is fixed and not learnt in a run,
since a restart must ask the very same question.
"""

from functools import lru_cache

from counterproof.agents.models.sizing import tokens_at_most

SHARE = 0.75


@lru_cache(maxsize=4_096)
def tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few."""
    return int(tokens_at_most(text) * SHARE) + 1
