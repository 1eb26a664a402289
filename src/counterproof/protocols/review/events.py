"""Facts that happened, and what the machine wants done. Each event is journalled before the machine sees it."""

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
    """`refused` says why it is not reviewed, `empty` why a change holds nothing to review; `prior_verified` whether the earlier
    report's hashes hold. `addressed` are files whose text gives orders to its readers, and `remarks` say so and what else is to
    be known of the snapshot (R40, R41); `unread` is source that no analyst reads, `accepted` what of it the user lets pass;
    `nowhere` are comments of others that name no place of the snapshot (R31)."""

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
    """A reply with what the engine's own checks say: `problems` of the output scan (R7), citations that do not hold, tokens
    and `micros`, millionths of a dollar.
    Where a model played, `beside` is what the analysts of the same seat hand in. `edited` are files that changed since the
    snapshot, `unread` those that could not be read to their end, `accepted` what of them the user lets pass (R40)."""

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
    """Nothing usable came. `over_budget`: of the whole run; `exhausted`: only this specialist's share is used up. `beside` is
    what the analysts of the seat have all the same (R39)."""

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
    """Shown with file count, tokens and cost. Without a terminal and without a yes the run pauses here (R4)."""

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
