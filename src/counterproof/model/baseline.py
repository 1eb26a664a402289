"""The baseline scan: hits of a pattern scanner that serve as leads and are archived one by one (A31, A35)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.location import checked_path
from counterproof.model.severity import Severity


class BaselineStatus(StrEnum):
    """Skipped never blocks; the report says why."""

    COMPLETED = "completed"
    PARTIAL = "partial"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Hit:
    """One hit of the scanner. A lead, not a verdict."""

    id: str
    rule: str
    path: str
    start: int
    end: int
    message: str
    cwe: int
    severity: Severity
    dimension: Dimension

    def __post_init__(self) -> None:
        checked_path(self.path)
        if not 1 <= self.start <= self.end:
            raise InvalidValue(f"lines {self.start} to {self.end} make no range")


@dataclass(frozen=True, slots=True)
class Baseline:
    """The outcome of one scan. `unparsed` counts results that could not be read; `reason` says why it is not complete."""

    status: BaselineStatus
    reason: str = ""
    hits: tuple[Hit, ...] = ()
    unparsed: int = 0
    version: str = ""
    rules: int = 0

    def __post_init__(self) -> None:
        if self.status is not BaselineStatus.COMPLETED and not self.reason:
            raise InvalidValue("a scan that is not complete says why")
        if self.status is BaselineStatus.SKIPPED and (self.hits or self.unparsed):
            raise InvalidValue("a skipped scan has no hits")
