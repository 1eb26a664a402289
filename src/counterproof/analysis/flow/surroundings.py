"""How deep code is run if only some functions and their callers are requested.

Invariant: calls of the functions under review are followed without this limit; other calls on the way to them only a few levels
deep, enough for their results. Beyond that a call is open, as if it nested too deep. Not handled here: which functions are under
review.
"""

from collections.abc import Iterable, Sequence

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.project import Followed

MAX_ASIDE = 2
"""Nesting limit for functions that are not on the way to those under review."""


class Surroundings:
    """The functions to run, those under review first, so that their callees are known before others need them."""

    def __init__(self, functions: Iterable[FunctionInfo], followed: Followed) -> None:
        spots = [((each.module.path, each.node.line), each) for each in functions]
        reviewed = [each for spot, each in spots if spot in followed.reviewed]
        leading = [each for spot, each in spots if spot in followed.leading]
        self.functions = [*reviewed, *leading]
        self._reviewed = frozenset(each.id for each in reviewed)
        self._near = frozenset(each.id for each in self.functions)

    def left(self, running: Sequence[int]) -> bool:
        """Return True if the functions being run have left the way to those under review."""
        if len(running) < MAX_ASIDE or not self._near.isdisjoint(running[-MAX_ASIDE:]):
            return False
        return self._reviewed.isdisjoint(running)
