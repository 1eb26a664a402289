"""How each round looks (A23). An embedded analyst runs again only with a wider method; a model can always look anew."""

ANALYST_METHODS = (
    "forward: from every source through resolved calls",
    "backward: from every sink through its callers to its origins",
)
"""The rounds of an embedded analyst. Past the end it is skipped, and the report says so."""


def widest_method(round_number: int) -> str:
    """How to look in this round when it runs anyway, for work that nobody finished or nobody did."""
    return ANALYST_METHODS[min(round_number, len(ANALYST_METHODS)) - 1]


def method_of(round_number: int) -> str:
    """What an analyst does in this round; '' when it has nothing wider left."""
    return ANALYST_METHODS[round_number - 1] if round_number <= len(ANALYST_METHODS) else ""
