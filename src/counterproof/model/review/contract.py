"""The tasks and replies of specialists. Specialists see each other's texts only through the engine (R9)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, DocumentVerdict, Position
from counterproof.model.review.profile import Specialist


class Work(StrEnum):
    """The kind of a task."""

    REFINE = "refine"
    CHALLENGE = "challenge"
    DEFEND = "defend"
    ADVOCATE = "devil's advocate"


@dataclass(frozen=True, slots=True)
class ReviewTask:
    """One task for one specialist. `own` are its findings so far; `lines` and `shown` those of others (R14), `others` those it
    may open; `against` are challenges that its findings have to answer, or its own challenges where `defences` answer them (R38);
    `warnings` are guardrail warnings about the displayed findings (R28); `alone`: its model failed, and the analysts of the seat
    continue without it (R39); `answers` the engine's response to its last result (R38)."""

    id: str
    agent_id: str
    work: Work
    specialist: Specialist
    iteration: int
    attempt: int
    last: bool = False
    files: tuple[str, ...] = ()
    own: tuple[ReviewFinding, ...] = ()
    lines: tuple[str, ...] = ()
    shown: tuple[ReviewFinding, ...] = ()
    others: tuple[ReviewFinding, ...] = ()
    against: tuple[Position, ...] = ()
    defences: tuple[Defence, ...] = ()
    warnings: tuple[str, ...] = ()
    alone: bool = False
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewReply:
    """A specialist's reply. Finding nothing is stated explicitly (R10). `read` are the files that its model was shown and
    `opened` the findings that it opened, as recorded by the engine."""

    agent_id: str
    findings: tuple[ReviewFinding, ...] = ()
    no_findings: bool = False
    checked_twice: bool = False
    positions: tuple[Position, ...] = ()
    opened: tuple[str, ...] = ()
    defences: tuple[Defence, ...] = ()
    verdicts: tuple[tuple[str, DocumentVerdict], ...] = ()
    notes: tuple[str, ...] = ()
    ended: bool = True
    read: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.agent_id:
            raise InvalidValue("a reply names its agent")
        ids = [each.id for each in self.findings]
        if len(ids) != len(set(ids)):
            raise InvalidValue("a reply uses an id twice")
