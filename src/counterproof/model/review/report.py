"""The report of a review as data. It contains no time and no run id: the same evidence gives the same bytes."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.review.comment import Ruled
from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Agreement, DocumentVerdict, Resolved
from counterproof.model.review.profile import Profile
from counterproof.model.review.scope import Scope


class Change(StrEnum):
    """How a finding compares with the previous review (R29)."""

    NEW = "new"
    PERSISTS = "persists"
    REGRESSED = "regressed"
    RESOLVED = "resolved"


@dataclass(frozen=True, slots=True)
class Event:
    """One event in a finding's history (R33)."""

    finding_id: str
    what: str
    who: str
    iteration: int


@dataclass(frozen=True, slots=True)
class Spending:
    """The tokens that one agent used in one phase."""

    agent: str
    phase: str
    tokens: int


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """All content of the report."""

    profile: Profile
    preset: str
    scope: Scope
    resolved: tuple[Resolved, ...]
    agreement: Agreement
    disclaimer: str
    verdicts: tuple[tuple[str, DocumentVerdict], ...] = ()
    changes: tuple[tuple[str, Change], ...] = ()
    carried: tuple[ReviewFinding, ...] = ()
    fixed: tuple[ReviewFinding, ...] = ()
    together: tuple[tuple[str, ...], ...] = ()
    trips: tuple[tuple[str, str, str], ...] = ()
    life: tuple[Event, ...] = ()
    spending: tuple[Spending, ...] = ()
    planned_tokens: int = 0
    routed_tokens: int = 0
    broadcast_tokens: int = 0
    truncated: str = ""
    unreviewed: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    """Source that was not read, with the reason (R40)."""
    accepted: tuple[str, ...] = ()
    """The unread source that the user accepted on the command line."""
    target: str = ""
    """The name of the folder that was reviewed."""
    comments: tuple[Ruled, ...] = ()
    """External comments, each with its ruling (R31)."""
    source_url: str = ""
    """The web address of a line, with `{path}` and `{line}` as placeholders; '' if unknown."""
    readers: tuple[str, ...] = ()
    """The specialists whose model submitted something."""
    agents: str = ""
    """The models as the user named them."""
    older: tuple[ReviewFinding, ...] = ()
    """Defects that existed before the change: not voted on, and ignored for the exit code (R46)."""
