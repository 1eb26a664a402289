"""The complete state of a review, rebuilt from the journal and never edited in place."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.receipt import Outcome
from counterproof.model.review.contract import ReviewTask
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, DocumentVerdict, Position
from counterproof.model.review.profile import Profile
from counterproof.model.review.report import Event as LifeEvent
from counterproof.model.review.report import Spending
from counterproof.model.review.scope import Scope
from counterproof.protocols.review.events import ReplyTaken
from counterproof.protocols.review.guardrails import Trip
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.routing import Routed


class Stage(StrEnum):
    """The five phases and the preparation (R1). Resolution has no stage: it calls no agent and takes no time."""

    NEW = "new"
    SCOPING = "scope"
    CONFIRMATION = "confirmation"
    REFINEMENT = "1 self-refinement"
    CHALLENGE = "2 challenge"
    DEFENCE = "2 defence"
    REPORTING = "4 report"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class History:
    """One specialist's iterations. `done`: it converged, reached the cap or was excluded; `lost`: why its model dropped out
    while the analysts of the seat continue (R39); `answers`: the engine's changes to its last findings."""

    code: str
    iterations: tuple[tuple[ReviewFinding, ...], ...] = ()
    done: bool = False
    excluded: str = ""
    lost: str = ""
    answers: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[ReviewFinding, ...]:
        """The findings of the last iteration; for an excluded specialist only the analysts'."""
        last = self.iterations[-1] if self.iterations else ()
        return tuple(each for each in last if not each.model) if self.excluded else last


@dataclass(frozen=True, slots=True)
class ReviewState:
    """`findings` are those in the challenge round; `opened` the (specialist, finding) pairs shown in full; `readers` the
    specialists whose model submitted something; `fresh` are unanswered challenges; `cut`: the run had to stop early.
    `verdicts` are (specialist, model, document, verdict); `read` the files shown to models."""

    stage: Stage = Stage.NEW
    request: ReviewRequest | None = None
    version: str = ""
    profile: Profile | None = None
    scope: Scope | None = None
    tasks: tuple[ReviewTask, ...] = ()
    outstanding: tuple[str, ...] = ()
    collected: tuple[ReplyTaken, ...] = ()
    histories: tuple[History, ...] = ()
    round: int = 0
    findings: tuple[ReviewFinding, ...] = ()
    positions: tuple[Position, ...] = ()
    defences: tuple[Defence, ...] = ()
    opened: tuple[tuple[str, str], ...] = ()
    views: tuple[Routed, ...] = ()
    readers: tuple[str, ...] = ()
    fresh: tuple[Position, ...] = ()
    moved: bool = False
    cut: bool = False
    verdicts: tuple[tuple[str, str, str, DocumentVerdict], ...] = ()
    addressed: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    accepted: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    trips: tuple[Trip, ...] = ()
    older: tuple[ReviewFinding, ...] = ()
    life: tuple[LifeEvent, ...] = ()
    spending: tuple[Spending, ...] = ()
    truncated: str = ""
    limitations: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    markers: tuple[str, ...] = ()
    outcome: Outcome | None = None

    @property
    def wanted(self) -> ReviewRequest:
        """The request, which is set by the first event."""
        assert self.request is not None
        return self.request

    @property
    def used(self) -> int:
        return sum(each.tokens for each in self.spending)
