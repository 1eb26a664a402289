"""How each round looks (A23). An embedded analyst runs again only with a wider method; a model can always look anew."""

ANALYST_METHODS = (
    "forward: from every source through resolved calls",
    "further: through data stores, unguarded entry points and earlier revisions",
)
"""The rounds of an embedded analyst. Past the end it is skipped, and the report says so."""

MODEL_METHODS = (
    "breadth first: search every sink and control of the dimensions, then trace",
    "gaps first: what earlier rounds did not cover, backwards from the sinks",
    "cross-check: attack chains and open questions",
)
"""The rounds of an agent that a model drives. It may use the last one as often as there are rounds."""


def _methods(modelled: bool) -> tuple[str, ...]:
    return MODEL_METHODS if modelled else ANALYST_METHODS


def widest_method(round_number: int, modelled: bool = False) -> str:
    """How to look in this round when it runs anyway, for work that nobody finished or nobody did."""
    methods = _methods(modelled)
    return methods[min(round_number, len(methods)) - 1]


def method_of(round_number: int, modelled: bool = False) -> str:
    """What a hunter does in this round that it did not do before; '' when an analyst has nothing wider left."""
    if modelled or round_number <= len(ANALYST_METHODS):
        return widest_method(round_number, modelled)
    return ""
