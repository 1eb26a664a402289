"""Reconnaissance judged by substance (A6 to A11): a claim without handlers or versions behind it is partial."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.recon import NETWORK_KINDS, Recon
from counterproof.model.survey import Survey
from counterproof.protocols.audit.modes import Mode

MAX_ATTEMPTS = 3
LIBRARY_FUNCTIONS = 5

METHODS = (
    "framework models, manifests and main scripts",
    "public functions as entry points",
    "top-level statements of every module as entry points",
)
"""What each attempt does that the one before did not. An attempt past the end would repeat one, so it is refused (A8)."""


class Checklist(StrEnum):
    """How far phase 0 got."""

    QUICK_PASSED = "quick_passed"
    ALL_PASSED = "all_passed"
    PARTIAL = "partial"
    PARTIAL_ACCEPTED = "partial_accepted"


@dataclass(frozen=True, slots=True)
class Inventories:
    """The four inventories; True means completed, False partial."""

    modules: bool
    entry_points: bool
    content_types: bool
    dependencies: bool

    def missing(self) -> tuple[str, ...]:
        pairs = zip(
            ("modules", "entry_points", "content_types", "dependencies"),
            (self.modules, self.entry_points, self.content_types, self.dependencies),
            strict=True,
        )
        return tuple(name for name, completed in pairs if not completed)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One recorded attempt: what it did, what it was after, and what was still missing afterwards."""

    number: int
    method: str
    targets: tuple[str, ...]
    missing: tuple[str, ...]


def judge(recon: Recon, survey: Survey) -> Inventories:
    """Completed only with substance (A7): a handler line that exists, a dependency with a version or the fact of none."""
    lines = {file.path: file.lines for file in survey.files}
    handlers = any(entry.handler.end <= lines.get(entry.handler.path, 0) for entry in recon.entry_points)
    versions = any(dependency.name and dependency.version for dependency in recon.dependencies)
    return Inventories(
        modules=bool(recon.modules),
        entry_points=handlers,
        content_types=bool(recon.content_types),
        dependencies=versions or not recon.dependencies,
    )


def checklist(inventories: Inventories) -> Checklist:
    """The best gate that these inventories pass (A6)."""
    if not inventories.missing():
        return Checklist.ALL_PASSED
    if inventories.entry_points and inventories.dependencies:
        return Checklist.QUICK_PASSED
    return Checklist.PARTIAL


def sufficient(mode: Mode, reached: Checklist) -> bool:
    """Whether recon meets the mode: quick needs the first gate, the others the second or an accepted partial (A6)."""
    if reached in (Checklist.ALL_PASSED, Checklist.PARTIAL_ACCEPTED):
        return True
    return mode is Mode.QUICK and reached is Checklist.QUICK_PASSED


def next_method(attempts: tuple[Attempt, ...]) -> str:
    """What the next attempt would change; '' when none is left or it would repeat an earlier one (A8)."""
    if len(attempts) >= MAX_ATTEMPTS:
        return ""
    done = {attempt.method for attempt in attempts}
    return next((method for method in METHODS if method not in done), "")


def is_library(recon: Recon) -> bool:
    """No network entry point of any kind and at least five exported functions (A10)."""
    network = any(entry.kind in NETWORK_KINDS for entry in recon.entry_points)
    return not network and recon.public_functions >= LIBRARY_FUNCTIONS


def library_exemptions(recon: Recon) -> tuple[Dimension, ...]:
    """Dimensions that do not apply to a library (A10)."""
    if not is_library(recon):
        return ()
    exempt = (Dimension.D2, Dimension.D3)
    return exempt if recon.outbound_from_arguments else (*exempt, Dimension.D6)
