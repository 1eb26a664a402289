"""The data passed from one round to the next (A46), in the protocol's shapes. Validated before it is shown to an agent."""

from dataclasses import dataclass

from counterproof.model.coverage import Status
from counterproof.model.dimension import ALL_DIMENSIONS, Dimension
from counterproof.model.location import checked_path
from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class FalsePositive:
    """A location that an agent examined and excluded. It is settled for the given dimensions; none means all."""

    file: str
    line: int
    reason: str
    dimensions: tuple[Dimension, ...] = ()

    def __post_init__(self) -> None:
        checked_path(self.file)


@dataclass(frozen=True, slots=True)
class Hotspot:
    file: str
    lines: str
    reason: str


@dataclass(frozen=True, slots=True)
class GrepDone:
    pattern: str
    scope: str


@dataclass(frozen=True, slots=True)
class FindingSummary:
    id: str
    severity: Severity
    cwe: int
    file: str
    status: str


@dataclass(frozen=True, slots=True)
class Transfer:
    """All data passed on; agents are shown a shorter form. `read_for` records who read which file for which dimension, to enforce
    the ban on re-reading."""

    files_read: tuple[str, ...]
    covered: tuple[tuple[Dimension, Status], ...]
    gaps: tuple[Dimension, ...]
    clean: tuple[str, ...] = ()
    false_positives: tuple[FalsePositive, ...] = ()
    hotspots: tuple[Hotspot, ...] = ()
    grep_done: tuple[GrepDone, ...] = ()
    findings: tuple[FindingSummary, ...] = ()
    read_for: tuple[tuple[Dimension, tuple[str, ...]], ...] = ()

    def problems(self) -> tuple[str, ...]:
        """Reasons why this must not be passed on; empty if it may."""
        found: list[str] = []
        if not self.files_read:
            found.append("FILES_READ is empty")
        statuses = dict(self.covered)
        missing = [dimension.value for dimension in ALL_DIMENSIONS if dimension not in statuses]
        if missing:
            found.append(f"COVERED lacks {', '.join(missing)}")
        open_ = {dimension for dimension, status in self.covered if status in (Status.SHALLOW, Status.UNCOVERED)}
        if set(self.gaps) != open_ or len(set(self.gaps)) != len(self.gaps):
            found.append("GAPS does not agree with COVERED")
        return tuple(found)


@dataclass(frozen=True, slots=True)
class RoundContext:
    """The context of one round."""

    current_round: int
    previous_rounds: tuple[int, ...]
    transfer: Transfer
