"""The coverage status of a dimension (A15) and the reasons for it."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue


class Status(StrEnum):
    """The values are the labels that reports show."""

    COVERED = "✅"
    SHALLOW = "⚠️"
    UNCOVERED = "❌"
    NOT_APPLICABLE = "N/A"

    @property
    def rank(self) -> int:
        """Order by evidence: uncovered, shallow, covered. N/A ranks as covered."""
        return _RANK[self]


_RANK = {Status.UNCOVERED: 0, Status.SHALLOW: 1, Status.COVERED: 2, Status.NOT_APPLICABLE: 2}


@dataclass(frozen=True, slots=True)
class DimensionCoverage:
    """One row of the coverage matrix. `excluded` rows are not counted, because their missing input is outside the run."""

    dimension: Dimension
    status: Status
    reason: str
    limitation: str = ""
    excluded: bool = False
    searches: int = 0
    files_hit: int = 0
    files_traced: int = 0
    traces: int = 0
    complete_traces: int = 0
    items: int = 0
    items_judged: int = 0

    def __post_init__(self) -> None:
        if not self.reason:
            raise InvalidValue("a coverage status needs its reason")
        if self.excluded and self.status is not Status.SHALLOW:
            raise InvalidValue("only a shallow dimension can be left out of the count")
