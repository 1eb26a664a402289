"""The result of the baseline scan as the protocol uses it (A31, A35): its hits, the files that it could not read, and its status.

A hit is a lead, never a verdict. The result contains no timestamps and no paths of this machine, so the same code gives the same
baseline. Running the scan is not handled here.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location, checked_path
from counterproof.model.severity import Confidence, Severity

MAX_MESSAGE = 500


class BaselineStatus(StrEnum):
    """How the scan ended."""

    COMPLETED = "completed"
    PARTIAL = "partial"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Hit:
    """One match of one rule. `cwe` and `dimension` are None if the rule does not state them."""

    id: str
    rule: str
    path: str
    start: int
    end: int
    message: str
    cwe: int | None
    severity: Severity
    dimension: Dimension | None
    confidence: Confidence = Confidence.PATTERN

    def __post_init__(self) -> None:
        Location(self.path, self.start, self.end)
        if not self.id or not self.rule:
            raise InvalidValue("a baseline hit has an id and names its rule")
        if self.cwe is not None and not 1 <= self.cwe <= 9999:
            raise InvalidValue(f"CWE-{self.cwe} is not a CWE id")
        if len(self.message) > MAX_MESSAGE:
            raise InvalidValue(f"the message of a hit has at most {MAX_MESSAGE} characters")

    @property
    def location(self) -> Location:
        return Location(self.path, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Unparsed:
    """A file that was not scanned, or only in part; `path` is '' for an error that belongs to no file."""

    path: str
    reason: str

    def __post_init__(self) -> None:
        if self.path:
            checked_path(self.path)
        if not self.reason:
            raise InvalidValue("an unparsed file says why")


@dataclass(frozen=True, slots=True)
class Baseline:
    """The result of one scan. `rules` is the number of rules that ran; `in_tests` that of the hits left out in test files
    (A29)."""

    status: BaselineStatus
    reason: str = ""
    hits: tuple[Hit, ...] = ()
    unparsed: tuple[Unparsed, ...] = ()
    version: str = ""
    rules: int = 0
    in_tests: int = 0

    def __post_init__(self) -> None:
        if (self.status is BaselineStatus.COMPLETED) == bool(self.reason):
            raise InvalidValue("a baseline gives its reason exactly when it did not complete")
        if self.status is BaselineStatus.COMPLETED and self.unparsed:
            raise InvalidValue("a completed baseline leaves nothing unparsed")
        if self.status is BaselineStatus.SKIPPED and self.hits:
            raise InvalidValue("a skipped baseline has no hits")
        if len({hit.id for hit in self.hits}) != len(self.hits):
            raise InvalidValue("baseline hits have ids of their own")


def skipped(reason: str) -> Baseline:
    """The result of a scan that did not run."""
    return Baseline(BaselineStatus.SKIPPED, reason)
