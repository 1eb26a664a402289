"""The events and commands of a review. Each event is journalled before the machine processes it."""

from dataclasses import dataclass
from typing import Literal

from counterproof.model.review.contract import ReviewReply, ReviewTask
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import Scope
from counterproof.protocols.review.request import ReviewRequest


@dataclass(frozen=True, slots=True)
class ReviewStarted:
    request: ReviewRequest
    version: str
    kind: Literal["review_started"] = "review_started"


@dataclass(frozen=True, slots=True)
class ScopeResolved:
    """`refused` says why it is not reviewed, `empty` why a change has nothing to review; `prior_verified`: the earlier
    report's hashes match. `addressed` are files whose text gives orders to its readers; `remarks` mention them and other facts
    about the snapshot (R40, R41); `unread` is source that no analyst reads, `accepted` the part of it that the user accepts;
    `nowhere` are external comments without a location in the snapshot (R31)."""

    answers: str
    scope: Scope
    refused: str = ""
    prior_verified: bool = False
    empty: str = ""
    addressed: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    accepted: tuple[str, ...] = ()
    nowhere: tuple[str, ...] = ()
    kind: Literal["scope_resolved"] = "scope_resolved"


@dataclass(frozen=True, slots=True)
class ScopeAnswered:
    answers: str
    confirmed: bool
    kind: Literal["scope_answered"] = "scope_answered"


@dataclass(frozen=True, slots=True)
class ReplyTaken:
    """A reply with the engine's checks: `problems` of the output scan (R7), failed citations, tokens and `micros`, millionths
    of a dollar. If a model played, `beside` is the submission of the same seat's analysts. `edited` are files changed since
    the snapshot, `unread` those that could not be read completely, `accepted` those of them that the user accepts (R40)."""

    answers: str
    reply: ReviewReply
    tokens: int = 0
    problems: tuple[str, ...] = ()
    refused: tuple[tuple[str, str], ...] = ()
    beside: ReviewReply | None = None
    edited: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    accepted: tuple[str, ...] = ()
    micros: int = 0
    kind: Literal["reply_taken"] = "reply_taken"


@dataclass(frozen=True, slots=True)
class ReplyFailed:
    """No usable reply. `over_budget`: of the whole run; `exhausted`: only this specialist's share is used up. `beside` is the
    submission of the seat's analysts (R39)."""

    answers: str
    reason: str
    tokens: int = 0
    over_budget: bool = False
    exhausted: bool = False
    beside: ReviewReply | None = None
    micros: int = 0
    kind: Literal["reply_failed"] = "reply_failed"


@dataclass(frozen=True, slots=True)
class ReviewTimeUp:
    seconds: int
    limit: str = ""
    kind: Literal["review_time_up"] = "review_time_up"


@dataclass(frozen=True, slots=True)
class ReviewReportWritten:
    answers: str
    files: tuple[tuple[str, str], ...]
    kind: Literal["review_report_written"] = "review_report_written"


Event = ReviewStarted | ScopeResolved | ScopeAnswered | ReplyTaken | ReplyFailed | ReviewTimeUp | ReviewReportWritten


@dataclass(frozen=True, slots=True)
class ResolveScope:
    id: str
    request: ReviewRequest


@dataclass(frozen=True, slots=True)
class ConfirmScope:
    """Shown with file count, tokens and cost. Without a terminal and without `--yes` the run pauses here (R4)."""

    id: str
    scope: Scope
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskSpecialist:
    id: str
    task: ReviewTask


@dataclass(frozen=True, slots=True)
class WriteReviewReport:
    id: str
    report: ReviewReport


Command = ResolveScope | ConfirmScope | AskSpecialist | WriteReviewReport
