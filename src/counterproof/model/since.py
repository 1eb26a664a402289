"""What changed since a revision, and how findings came about there: the terms on which a run tells new findings from old ones.

Always holds: values only, in order. Deciding what is new belongs to `protocols.guard.acceptance`, reading history to
the composition root.
"""

import re
from dataclasses import dataclass

from counterproof.model.canonical import canonical, digest
from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.location import Location, checked_path
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity

_LINES = re.compile(r":\d+(?:-\d+)?")


@dataclass(frozen=True, slots=True)
class Touched:
    """A file of the change, with the ranges of its lines that are new or stand where something was taken away."""

    path: str
    lines: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        checked_path(self.path)
        if any(not 1 <= first <= last for first, last in self.lines):
            raise InvalidValue(f"the changed lines of {self.path} make no ranges")

    def meets(self, place: Location) -> bool:
        """Whether a place lies, at least in part, on changed lines."""
        return place.path == self.path and any(first <= place.end and place.start <= last for first, last in self.lines)


@dataclass(frozen=True, slots=True)
class Way:
    """How a finding of the earlier revision came about: a digest of its flow, the guards on the way, and the severity that its
    own terms give. A report may show a higher one, because the worst of a kind raises the others; that changes nothing here."""

    fingerprint: str
    flow: str
    guards: tuple[str, ...]
    level: Severity


@dataclass(frozen=True, slots=True)
class Since:
    """The revision that a run is held against. `notes` say what could not be compared."""

    ref: str
    commit: str
    touched: tuple[Touched, ...] = ()
    ways: tuple[Way, ...] = ()
    notes: tuple[str, ...] = ()

    def way(self, fingerprint: str) -> Way | None:
        return next((each for each in self.ways if each.fingerprint == fingerprint), None)

    def meets(self, finding: Finding) -> bool:
        """Whether the change touched a finding's place, or its flow."""
        places = [finding.location, *finding.also, *(step.location for step in (finding.flow.steps if finding.flow else ()))]
        named = {place.path for place in places}
        return any(file.meets(place) for file in self.touched if file.path in named for place in places)


def way_of(row: ReportedFinding) -> Way:
    """How a finding comes about, in terms that stay when lines move."""
    finding = row.finding
    steps = finding.flow.steps if finding.flow else ()
    flow = digest(canonical([[step.location.path, step.kind.value, " ".join(step.code.split())] for step in steps]))
    guards = tuple(sorted({_LINES.sub("", guard) for guard in finding.guards}))
    return Way(row.fingerprint, flow[:32], guards, row.calibration.level)
