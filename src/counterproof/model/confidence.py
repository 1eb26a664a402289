"""How sure we are that a finding is true (A60). Independent of severity, which says how bad it is if it is true.

Invariant: the levels are ordered by `rank`; a level depends on who found or confirmed the finding and on what was checked, never
on its severity. Not handled here: assigning levels to findings; each protocol does that in one module.
"""

from enum import StrEnum


class Confidence(StrEnum):
    """DEMONSTRATED: the engine ran the code and observed the effect. PROVED: every part of the proof was checked and no point is
    open. VALIDATED: a context other than the finder's, which had not seen the claim, confirmed it with a line that the engine
    checked. CLAIMED: one witness, whose evidence is in the code. SUSPECTED: a pattern or a name; no known sender."""

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
        """True if something beyond the finder's own claim supports the finding."""
        return self.rank >= _RANK[Confidence.VALIDATED]


_RANK = {each: rank for rank, each in enumerate(reversed(Confidence))}
