"""Compares a plan with the change that implements it: what each step asks for, what was done, and what was done beyond it.

Invariant: only what files can show is judged; a mere mention in the plan is not a request. `firm` means that the plan clearly
asks for it; only firm requests that are missing count against the change.
"""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.plan.outline import Intent, Mention


class Carried(StrEnum):
    """The outcome of one request of a plan's step in the change."""

    DONE = "done"
    OTHERWISE = "done otherwise"
    MISSING = "missing"


_LEFT = {
    Intent.CREATES: "not created",
    Intent.CHANGES: "not changed",
    Intent.REMOVES: "still there",
    Intent.RENAMES: "not renamed",
    Intent.MOVES: "not moved",
    Intent.KEEPS: "changed, though the plan keeps it",
}


@dataclass(frozen=True, slots=True)
class Asked:
    """One thing that the plan asks for, and what the change shows of it. `where` is a location in the code or a path."""

    step: int
    line: int
    kind: Mention
    intent: Intent
    text: str
    firm: bool
    status: Carried
    where: str = ""

    @property
    def counts(self) -> bool:
        return self.firm and self.status is Carried.MISSING

    @property
    def became(self) -> str:
        """The outcome in words."""
        return _LEFT.get(self.intent, "missing") if self.status is Carried.MISSING else self.status.value


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """A step with the things it asks for. Number 0 holds everything outside of steps."""

    number: int
    title: str
    asked: tuple[Asked, ...]

    @property
    def status(self) -> str:
        """The outcome of the step. Requests that are not firm make a step neither undone nor partly done."""
        left = [each.status is Carried.MISSING for each in self.asked]
        if not left:
            return "nothing that files could show"
        if not any(each.counts for each in self.asked):
            return "nothing asked for outright" if all(left) else "done"
        return "not done" if all(left) else "partly done"


@dataclass(frozen=True, slots=True)
class Beyond:
    """Something that the change does without the plan asking for it."""

    path: str
    what: str


@dataclass(frozen=True, slots=True)
class CarriedOut:
    """The whole comparison. `change` is the range as the user gave it, `base` and `head` its commits ('' is the work tree);
    `followed` are changed files that usually accompany others: lock files, and tests of what the plan names."""

    change: str
    base: str
    head: str
    steps: tuple[StepOutcome, ...]
    beyond: tuple[Beyond, ...] = ()
    followed: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[Asked, ...]:
        return tuple(each for step in self.steps for each in step.asked if each.counts)

    @property
    def asked(self) -> int:
        return sum(len(step.asked) for step in self.steps)
