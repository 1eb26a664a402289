"""How sure we are of a finding (A60): the second axis beside severity, which says how bad the finding is if it is true.

Invariant: the levels are ordered by `rank`; a finding has a level because of who saw it and what was checked, never because of
its severity. Not handled here: which finding has which level; each protocol decides that in one module.
"""

from enum import StrEnum


class Confidence(StrEnum):
    """DEMONSTRATED: the engine ran the code and saw the effect. PROVED: every part of the proof was checked and nothing is open.
    VALIDATED: somebody other than the finder, who had not seen the claim, confirmed it with a line that the engine checked.
    CLAIMED: one witness, whose evidence is in the code. SUSPECTED: a pattern or a name."""

    DEMONSTRATED = "demonstrated"
    PROVED = "proved"
    VALIDATED = "validated"
    CLAIMED = "claimed"
    SUSPECTED = "suspected"

    @property
    def rank(self) -> int:
        return _RANK[self]

    @property
    def confirmed(self) -> bool:
        """True if more than the finder's own word supports the finding."""
        return self.rank >= _RANK[Confidence.VALIDATED]


_RANK = {each: rank for rank, each in enumerate(reversed(Confidence))}
