"""How far code is run where only the surroundings of some functions are asked for.

Invariant: what the functions under review call is run as deep as it goes; what else is called on the way to them only a little
way, as far as it may tell what comes back. Beyond that a call is open, as where calls nest too deep. Not handled here: which
functions are under review.
"""

from collections.abc import Iterable, Sequence

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.project import Followed

MAX_ASIDE = 2
"""Functions beside the way to those under review that are run inside one another."""


class Surroundings:
    """The functions to be run for themselves, those under review first: what they call is known before others ask for it."""

    def __init__(self, functions: Iterable[FunctionInfo], followed: Followed) -> None:
        spots = [((each.module.path, each.node.line), each) for each in functions]
        reviewed = [each for spot, each in spots if spot in followed.reviewed]
        leading = [each for spot, each in spots if spot in followed.leading]
        self.functions = [*reviewed, *leading]
        self._reviewed = frozenset(each.id for each in reviewed)
        self._near = frozenset(each.id for each in self.functions)

    def left(self, running: Sequence[int]) -> bool:
        """Whether the functions that are being run have left the way."""
        if len(running) < MAX_ASIDE or not self._near.isdisjoint(running[-MAX_ASIDE:]):
            return False
        return self._reviewed.isdisjoint(running)
