"""Challenges and the events that change them. A challenge is a reason why a plan may fail; the engine decides its status."""

import re
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.text import checked_text

USERS_DECISION = "The user's decision"
"""The prefix of a resolution that rests on the user's decision instead of evidence."""
_DECISION = re.compile(
    r"(?:(?P<accept>accept(?:ed)?)(?:\s*:\s*(?P<why>\S.{0,1500}))?|change\s*:\s*(?P<what>\S.{0,1500}))\Z",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERED = re.compile(r"[CUSP][1-9][0-9]{0,5}\Z")


class Raiser(StrEnum):
    """The role that raised a challenge."""

    CHALLENGER = "challenger"
    DOMAIN_EXPERT = "domain-expert"
    DEVILS_ADVOCATE = "devils-advocate"
    SURFACED = "surfaced"
    PROBED = "probed"


class Weight(StrEnum):
    """How severe a challenge is, the most severe first."""

    BLOCKING = "BLOCKING"
    SIGNIFICANT = "SIGNIFICANT"
    MINOR = "MINOR"

    @property
    def rank(self) -> int:
        """0 for the most severe."""
        return list(Weight).index(self)


class Confidence(StrEnum):
    """How sure the author of a challenge is."""

    HIGH = "HIGH"
    MED = "MED"
    LOW = "LOW"


class Standing(StrEnum):
    """The status of a challenge. OPEN and UNRESOLVED block convergence."""

    OPEN = "OPEN"
    RESOLVED = "RESOLVED"
    UNRESOLVED = "UNRESOLVED"
    DEFERRED = "DEFERRED"
    WITHDRAWN = "WITHDRAWN"


def checked_id(text: str, letter: str) -> str:
    """Return the id if it is the letter followed by a number from 1."""
    if not _NUMBERED.match(text) or text[0] != letter:
        raise InvalidValue(f"{text[:40]!r} is not an id of the form {letter}1, {letter}2, …")
    return text


@dataclass(frozen=True, slots=True)
class Challenge:
    """One reason why the plan may fail. Ids are numbered across all iterations."""

    id: str
    origin: Raiser
    claim: str
    concern: str
    failure_scenario: str
    alternative: str
    severity: Weight
    confidence: Confidence
    iteration_introduced: int
    status: Standing = Standing.OPEN
    resolution: str = ""

    def __post_init__(self) -> None:
        checked_id(self.id, "C")
        checked_text(self.claim, "claim")
        checked_text(self.concern, "concern")
        checked_text(self.failure_scenario, "failure_scenario")
        checked_text(self.alternative, "alternative", needed=False)
        checked_text(self.resolution, "resolution", needed=False)
        if self.iteration_introduced < 1:
            raise InvalidValue("iterations are counted from 1")
        if self.status is Standing.DEFERRED and self.severity is not Weight.MINOR:
            raise InvalidValue(f"{self.id} is {self.severity}; only MINOR challenges are deferred")

    @property
    def counts(self) -> bool:
        """True if the challenge blocks convergence."""
        return self.status in (Standing.OPEN, Standing.UNRESOLVED)

    @property
    def is_open_question(self) -> bool:
        """True if this is a question that blocks nothing and has no answer yet."""
        return self.severity is Weight.MINOR and self.status not in (Standing.RESOLVED, Standing.WITHDRAWN)

    @property
    def active(self) -> bool:
        """True if the challenge counts towards the limit of active challenges (P9)."""
        return self.status not in (Standing.WITHDRAWN, Standing.DEFERRED)


class Basis(StrEnum):
    """The grounds on which a challenge was resolved."""

    EVIDENCE = "evidence"
    DEBATE = "debate"
    USER = "user"


@dataclass(frozen=True, slots=True)
class Proposal:
    """An agent's proposal to change a challenge's status. The engine decides (P5). `evidence` names what was checked: ids of
    unknowns and contexts, or locations as `file:line`."""

    challenge_id: str
    status: Standing
    resolution: str
    basis: Basis = Basis.DEBATE
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """A question that only the user can answer, and why it is asked (P13)."""

    challenge_id: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Response:
    """The user's response to a challenge."""

    challenge_id: str
    text: str
    iteration: int

    @property
    def decision(self) -> str:
        """The user's decision in words; '' for any text that is not an explicit `accept` or `change: …` (P19)."""
        match = _DECISION.match(self.text.strip())
        if match is None:
            return ""
        if match["accept"]:
            said = f": {match['why'].strip()}" if match["why"] else ""
            return f"{USERS_DECISION}, accepted as it is{said}"
        return f"{USERS_DECISION}, the plan changes: {match['what'].strip()}"
