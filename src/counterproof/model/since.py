"""The changes since a revision, and the cause of findings in it: distinguishes new findings from old ones.

Invariant: values only, in order. Deciding what is new belongs to `protocols.guard.acceptance`, reading history to the
composition root.
"""

from dataclasses import dataclass, replace

from counterproof.model.canonical import canonical, digest
from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.location import Location, checked_path
from counterproof.model.report import ReportedFinding
from counterproof.model.root_cause import fingerprint

MAX_ALIKE = 50
"""The most equal lines of one function that are matched across a rename."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A changed file, with the line ranges that are new or where something was removed."""

    path: str
    lines: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        checked_path(self.path)
        if any(not 1 <= first <= last for first, last in self.lines):
            raise InvalidValue(f"the changed lines of {self.path} are not valid ranges")

    def meets(self, place: Location) -> bool:
        """True if a location overlaps changed lines."""
        return place.path == self.path and any(first <= place.end and place.start <= last for first, last in self.lines)


@dataclass(frozen=True, slots=True)
class Way:
    """How a finding of the earlier revision arose: a digest of its flow, and its severity sum, which a lost guard raises."""

    fingerprint: str
    flow: str
    points: int


@dataclass(frozen=True, slots=True)
class Since:
    """The revision that a run is compared with. `moved` are files with a new name and unchanged contents, as (now, then); `notes`
    say what could not be compared."""

    ref: str
    commit: str
    touched: tuple[Touched, ...] = ()
    ways: tuple[Way, ...] = ()
    notes: tuple[str, ...] = ()
    moved: tuple[tuple[str, str], ...] = ()

    def way(self, name: str) -> Way | None:
        """How the finding with that fingerprint arose, or None if it did not exist."""
        return next((each for each in self.ways if each.fingerprint == name), None)

    def meets(self, finding: Finding) -> bool:
        """True if the change touched a finding's location or its flow."""
        places = [finding.location, *finding.also, *(step.location for step in (finding.flow.steps if finding.flow else ()))]
        named = {place.path for place in places}
        return any(file.meets(place) for file in self.touched if file.path in named for place in places)


def as_then(row: ReportedFinding, moved: tuple[tuple[str, str], ...]) -> ReportedFinding:
    """The finding with the file names and the fingerprint that it had in the earlier revision."""
    names = dict(moved)
    finding = row.finding
    steps = finding.flow.steps if finding.flow else ()
    if not names or not {finding.location.path, *(step.location.path for step in steps)} & set(names):
        return row
    then = replace(
        finding,
        location=_named(finding.location, names),
        flow=replace(finding.flow, steps=tuple(replace(step, location=_named(step.location, names)) for step in steps))
        if finding.flow
        else None,
    )
    nth = next((number for number in range(MAX_ALIKE) if fingerprint(finding, number) == row.fingerprint), None)
    return replace(row, finding=then, fingerprint=row.fingerprint if nth is None else fingerprint(then, nth))


def _named(place: Location, names: dict[str, str]) -> Location:
    return replace(place, path=names.get(place.path, place.path))


def way_of(row: ReportedFinding) -> Way:
    """How a finding arises, in terms that do not change when lines move."""
    finding = row.finding
    steps = finding.flow.steps if finding.flow else ()
    flow = digest(canonical([[step.location.path, step.kind.value, " ".join(step.code.split())] for step in steps]))
    return Way(row.fingerprint, flow[:32], row.calibration.total)
