"""The outcome of a run for machines: every reason, and the single exit code chosen from them (A51)."""

from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """Process exit codes."""

    CLEAN = 0
    FINDINGS = 1
    USAGE = 2
    INCOMPLETE = 3
    REFUSED = 4
    OVER_BUDGET = 5
    PAUSED = 6
    INTERNAL = 70


PRECEDENCE = (
    Exit.INTERNAL,
    Exit.USAGE,
    Exit.REFUSED,
    Exit.PAUSED,
    Exit.FINDINGS,
    Exit.OVER_BUDGET,
    Exit.INCOMPLETE,
    Exit.CLEAN,
)
"""If several codes apply, the first in this list is the exit code of the process."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for an exit code."""

    code: Exit
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """All reasons of a run. An empty list means clean."""

    reasons: tuple[Reason, ...]

    @property
    def exit(self) -> Exit:
        present = {reason.code for reason in self.reasons}
        return next((code for code in PRECEDENCE if code in present), Exit.CLEAN)
