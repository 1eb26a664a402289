"""The positions of specialists on each other's findings (R15), and the engine's resolution (R18 to R20)."""

from dataclasses import dataclass, field
from enum import StrEnum

from counterproof.model.backing import Backing
from counterproof.model.errors import InvalidValue
from counterproof.model.fact import Fact
from counterproof.model.location import Location
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.severity import Severity


class Stance(StrEnum):
    """For, against, or abstaining as outside one's domain."""

    AGREE = "agree"
    CHALLENGE = "challenge"
    ABSTAIN = "abstain"


@dataclass(frozen=True, slots=True)
class Position:
    """One specialist's position on one finding. An agreement names a severity, a challenge its evidence. `reason` is what the
    line does, as a checkable fact; `model` the model behind it, '' for an analyst; `context` that of a coding agent which played
    the model; `backing` what the engine verified (R37)."""

    specialist: str
    finding_id: str
    stance: Stance
    severity: Severity | None = None
    evidence: str = ""
    at: Location | None = None
    quote: str = ""
    reason: Fact | None = None
    model: str = ""
    context: str = ""
    backing: Backing = field(default_factory=Backing)

    def __post_init__(self) -> None:
        if self.stance is Stance.AGREE and self.severity is None:
            raise InvalidValue(f"{self.specialist} agrees with {self.finding_id} without a severity")
        if self.stance is Stance.CHALLENGE and not self.evidence.strip():
            raise InvalidValue(f"{self.specialist} challenges {self.finding_id} without evidence")
        if len(self.evidence) > 2_000 or len(self.quote) > 1_000:
            raise InvalidValue("a position's evidence is longer than 2000 characters")

    @property
    def grounded(self) -> bool:
        """True if it names a location or quotes a passage."""
        return self.at is not None or bool(self.quote.strip())


@dataclass(frozen=True, slots=True)
class Defence:
    """The originator's response to challenges: it defends the finding or withdraws it. `model` as in a position."""

    finding_id: str
    stands: bool
    text: str
    at: Location | None = None
    model: str = ""


class Resolution(StrEnum):
    """The outcome for a finding. DISPUTED: an analyst's finding that somebody challenges but could not refute (R36)."""

    CONSENSUS = "Consensus"
    MAJORITY = "Majority"
    DISMISSED = "Dismissed"
    ESCALATED = "Escalated"
    DISPUTED = "Disputed"
    SINGLE = "Single specialist"


@dataclass(frozen=True, slots=True)
class Resolved:
    """A finding after the vote. `pool` are the voters, the originator first; `team` is how many could vote. `same_model`: all
    supporters are the model that found it; `validated`: another context opened it with its code and gave evidence for it
    (R45)."""

    finding: ReviewFinding
    resolution: Resolution
    severity: Severity
    pool: tuple[str, ...]
    team: int
    positions: tuple[Position, ...] = ()
    defence: Defence | None = None
    severities_differ: bool = False
    withdrawn: bool = False
    notes: tuple[str, ...] = ()
    same_model: bool = False
    validated: bool = False

    @property
    def label(self) -> str:
        """Does not overstate the agreement: it states the pool's size if members did not vote (R19) or only one model did
        (R45)."""
        size = len(self.pool)
        word = "Validated" if self.resolution is Resolution.SINGLE and self.validated else self.resolution.value
        return f"{word}{'' if size == self.team else f' ({size}/{self.team})'}{', same model' if self.same_model else ''}"

    @property
    def kept(self) -> bool:
        """True if it is among the report's findings; dismissed ones are listed separately."""
        return self.resolution is not Resolution.DISMISSED


class Agreement(StrEnum):
    """How far the run as a whole agreed. EMPTY and UNREAD are no agreement: there was nothing to vote on, or nobody voted."""

    EMPTY = "No findings"
    UNREAD = "No second reading"
    FULL = "Full Consensus"
    NONE = "No Agreement"
    SPLIT = "Split Decision"
    STRONG = "Strong Agreement"
    PARTIAL = "Partial Agreement"


class DocumentVerdict(StrEnum):
    """The verdict of a specialist or of the run on a strategy document, the most conservative last."""

    APPROVE = "Approve"
    REVISE = "Revise"
    REJECT = "Reject"

    @property
    def rank(self) -> int:
        return list(DocumentVerdict).index(self)
