"""The search method of each round (A23). An embedded analyst runs again only with a wider method; a model can always run
again."""

ANALYST_METHODS = (
    "forward: from every source through resolved calls",
    "further: through data stores, unguarded entry points and earlier revisions",
)
"""The methods of an embedded analyst by round. After the last it is skipped, and the report says so."""

MODEL_METHODS = (
    "breadth first: search every sink and control of the dimensions, then trace",
    "gaps first: what earlier rounds did not cover, backwards from the sinks",
    "cross-check: attack chains and open questions",
)
"""The methods of a model-driven agent by round. The last one may be repeated for all remaining rounds."""


def _methods(modelled: bool) -> tuple[str, ...]:
    return MODEL_METHODS if modelled else ANALYST_METHODS


def widest_method(round_number: int, modelled: bool = False) -> str:
    """The method for a round that must run, because work is unfinished or was never done."""
    methods = _methods(modelled)
    return methods[min(round_number, len(methods)) - 1]


def method_of(round_number: int, modelled: bool = False) -> str:
    """The new method of a hunter in this round; '' if an analyst has no wider method left."""
    if modelled or round_number <= len(ANALYST_METHODS):
        return widest_method(round_number, modelled)
    return ""
