"""How a run ended, for machines: every reason, and the one exit code that wins (A51)."""

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
"""When several hold, the first of these is the process's exit code."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One cause for an exit code."""

    code: Exit
    text: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """All reasons of a run. No reason at all means clean."""

    reasons: tuple[Reason, ...]

    @property
    def exit(self) -> Exit:
        present = {reason.code for reason in self.reasons}
        return next((code for code in PRECEDENCE if code in present), Exit.CLEAN)
