"""The errors of talking to a model.

    CounterproofError
    ├── ProviderPause        (model.errors) the user must act or wait: the run pauses and can be resumed
    ├── BudgetExhausted      the next call could exceed the budget: it was not sent
    ├── ChannelFailed        this question got no usable answer; `kind` says why
    └── ModelFailed          the answers had no usable result: the agent that asked has failed

    WireFault                inside the channel only: one try failed; the retry policy decides what follows

Invariant: a message names the provider and the cause and never contains a key. Not handled here: retries, see `retrying`.
"""

from enum import StrEnum

from counterproof.model.errors import CounterproofError


class FaultKind(StrEnum):
    """Causes, as precisely as the provider states them."""

    RATE_LIMITED = "rate limited"
    SPEND_LIMIT = "spend limit reached"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server error"
    UNREACHABLE = "unreachable"
    TIMED_OUT = "timed out"
    CUT = "reply cut off"
    MALFORMED = "reply not readable"
    FOREIGN = "reply to another question"
    TOO_LARGE = "reply too large"
    BAD_REQUEST = "request refused"
    SCHEMA_REFUSED = "schema refused"
    REFUSED = "the model refused"
    NOT_ASKED = "not asked"
    TOO_LONG = "question longer than the model's context"
    UNAUTHORISED = "not authorised"
    NOT_FOUND = "no such model"
    QUESTION_TOO_LARGE = "question too large"


OVERFLOWS = frozenset({FaultKind.TOO_LONG, FaultKind.QUESTION_TOO_LARGE})
"""Faults that a shorter question would fix."""


class ChannelFailed(CounterproofError):
    """One question failed for good. The agent that asked has failed; the run continues (A26)."""

    def __init__(self, kind: FaultKind, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.kind = kind


class BudgetExhausted(CounterproofError):
    """The question, or an answer of the required length, could cost more than is left. `everywhere` is False if only the
    asking agent's share is used up."""

    def __init__(self, message: str, hint: str = "", everywhere: bool = True) -> None:
        super().__init__(message, hint)
        self.everywhere = everywhere


class WireFault(Exception):
    """One try failed. `billed`: the provider may have charged for it. `retry_after`: seconds that it asked us to wait. `took`:
    seconds from sending the request to the failure."""

    def __init__(
        self, kind: FaultKind, message: str, *, billed: bool = False, retry_after: float | None = None, took: float = 0.0
    ) -> None:
        super().__init__(message)
        self.took = took
        self.kind = kind
        self.billed = billed
        self.retry_after = retry_after


class ModelFailed(CounterproofError):
    """The model gave no usable result. `unidentified`: the output did not even identify its agent (A25)."""

    def __init__(self, message: str, unidentified: bool = False) -> None:
        super().__init__(message)
        self.unidentified = unidentified


class TimeIsOver(ModelFailed):
    """The models' share of the time is used up."""

    def __init__(self) -> None:
        super().__init__("the time for models was over; the rest belongs to the analysts")
