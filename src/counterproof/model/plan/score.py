"""The quality score: six judged dimensions, weighted by the engine. For information only; it decides nothing (P3, P12)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.text import checked_text


class Aspect(StrEnum):
    """The scored dimensions of a plan."""

    APPROACH = "approach"
    RISK = "risk"
    ASSUMPTIONS = "assumptions"
    INTEGRATION = "integration"
    UNKNOWNS = "unknowns"
    CONSTRAINTS = "constraints"


WEIGHTS: dict[Aspect, int] = {
    Aspect.APPROACH: 25,
    Aspect.RISK: 20,
    Aspect.ASSUMPTIONS: 15,
    Aspect.INTEGRATION: 15,
    Aspect.UNKNOWNS: 15,
    Aspect.CONSTRAINTS: 10,
}
"""Weights in per cent."""

DISPUTE = 2
"""From this difference in points on one aspect, both marks are shown."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One aspect's points, 1 to 10, and the reason for them. `source` is the line that a model's reason quotes, or the id of an
    item on record."""

    aspect: Aspect
    points: int
    evidence: str
    source: str = ""

    @property
    def reason(self) -> str:
        """The evidence with its source."""
        return f"{self.evidence} ({self.source})" if self.source else self.evidence

    def __post_init__(self) -> None:
        if not 1 <= self.points <= 10:
            raise InvalidValue(f"{self.aspect} has {self.points} points; a mark is between 1 and 10")
        checked_text(self.evidence, "evidence")


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """All six marks, each once."""

    marks: tuple[Mark, ...]

    def __post_init__(self) -> None:
        if sorted(mark.aspect for mark in self.marks) != sorted(Aspect):
            raise InvalidValue("a score card has each of the six aspects once")

    @property
    def total(self) -> int:
        """The weighted mean, rounded half up."""
        weighed = sum(WEIGHTS[mark.aspect] * mark.points for mark in self.marks)
        return (weighed + 50) // 100


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two marks of one aspect that are too far apart to average."""

    synthesizer: Mark
    challenger: Mark


def disputes(card: ScoreCard, audit: ScoreCard) -> tuple[Dispute, ...]:
    """The aspects on which the auditor's mark differs by two points or more."""
    theirs = {mark.aspect: mark for mark in audit.marks}
    pairs = (Dispute(mark, theirs[mark.aspect]) for mark in card.marks)
    return tuple(pair for pair in pairs if abs(pair.synthesizer.points - pair.challenger.points) >= DISPUTE)
