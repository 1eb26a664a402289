"""Judges reconnaissance by its content (A6 to A11): an inventory without handlers or versions is partial."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.dimension import Dimension
from counterproof.model.recon import NETWORK_KINDS, Recon
from counterproof.model.survey import Survey
from counterproof.protocols.audit.modes import Mode

MAX_ATTEMPTS = 3
LIBRARY_FUNCTIONS = 5

FIRST_METHOD = "framework conventions, manifests, public functions and scripts"
"""The method of the first attempt. Each later attempt does what the previous one said it could do differently (A8)."""


class Checklist(StrEnum):
    """The gate that phase 0 reached."""

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
    """One recorded attempt: its method, its targets, and what was still missing afterwards."""

    number: int
    method: str
    targets: tuple[str, ...]
    missing: tuple[str, ...]


def judge(recon: Recon, survey: Survey) -> Inventories:
    """An inventory is complete only with content (A7): a handler line that exists, a dependency with a version, or the
    established fact that there is none."""
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
    """The highest gate that these inventories pass (A6)."""
    if not inventories.missing():
        return Checklist.ALL_PASSED
    if inventories.entry_points and inventories.dependencies:
        return Checklist.QUICK_PASSED
    return Checklist.PARTIAL


def sufficient(mode: Mode, reached: Checklist) -> bool:
    """True if recon is sufficient for the mode: quick needs the first gate, the others the second or an accepted partial (A6)."""
    if reached in (Checklist.ALL_PASSED, Checklist.PARTIAL_ACCEPTED):
        return True
    return mode is Mode.QUICK and reached is Checklist.QUICK_PASSED


@dataclass(frozen=True, slots=True)
class Retry:
    """A further attempt with its method and targets, or the reason why it is rejected."""

    method: str = ""
    targets: tuple[str, ...] = ()
    refused: str = ""


def retry(attempts: tuple[Attempt, ...], recon: Recon) -> Retry:
    """The attempt that the last one proposes, or the reason why there is none (A8).

    It must change something, name its target inventories, and target a missing one. Repeating an earlier attempt's method is
    rejected.
    """
    missing = attempts[-1].missing
    method = " ".join(recon.wider.split())
    targets = tuple(name for name in missing if name in recon.wider_for)
    if len(attempts) >= MAX_ATTEMPTS:
        return Retry(refused=f"all {MAX_ATTEMPTS} attempts are used")
    if not method:
        return Retry(refused="another attempt would not change the result")
    if any(attempt.method.casefold() == method.casefold() for attempt in attempts):
        return Retry(refused="another attempt would repeat an earlier one")
    if not targets:
        return Retry(refused=f"another attempt would not come after {', '.join(missing)}")
    return Retry(method, targets)


def is_library(recon: Recon) -> bool:
    """True if there are no network entry points, no application whose entry points were not understood, and at least five
    exported functions (A10)."""
    network = any(entry.kind in NETWORK_KINDS for entry in recon.entry_points) or bool(recon.not_understood)
    return not network and recon.public_functions >= LIBRARY_FUNCTIONS


def library_exemptions(recon: Recon) -> tuple[Dimension, ...]:
    """Dimensions that do not apply to a library (A10)."""
    if not is_library(recon):
        return ()
    exempt = (Dimension.D2, Dimension.D3)
    return exempt if recon.outbound_from_arguments else (*exempt, Dimension.D6)
