"""How many tokens a text takes, for deciding what fits. Pure, and the same in every process.

Budgets reserve by the bound of `models.sizing`, which no provider exceeds. What is shown is chosen by this estimate instead,
which lies nearer to what providers count and still above it: `SHARE` of the bound. The share is fixed and not learnt in a run,
since a restart must ask the very same question.
"""

from counterproof.agents.models.sizing import tokens_at_most

SHARE = 0.6
"""Measured with a tokeniser of 49,000 pieces, which counts more than the large ones: 0.39 of the bound for prose, 0.43 for
Python, 0.51 for a whole opening, 0.53 for JavaScript."""


def tokens(text: str) -> int:
    """Tokens of a text, rather too many than too few."""
    return int(tokens_at_most(text) * SHARE) + 1
