"""Decides whether and when to try again (F1 to F9). The only place where a failed try becomes a wait or a final failure.

Invariant: tries and waits are bounded; never earlier than the provider stated; problems for the user (money, keys, a name) are
not retried but pause the run; an outage, or a problem of this question alone, fails the question.
"""

from dataclasses import dataclass
from random import Random

from counterproof.agents.models.faults import ChannelFailed, FaultKind, WireFault
from counterproof.model.errors import CounterproofError, ProviderPause


@dataclass(frozen=True, slots=True)
class Rule:
    """How often one kind of fault may happen to one question, and its final effect on the run."""

    tries: int
    pauses: bool
    hint: str = ""


_WAIT = "wait a while"
_RULES = {
    FaultKind.RATE_LIMITED: Rule(12, True, _WAIT),
    FaultKind.OVERLOADED: Rule(6, False, _WAIT),
    FaultKind.SERVER_ERROR: Rule(6, False, _WAIT),
    FaultKind.UNREACHABLE: Rule(6, False, "check the network, the proxy and the address"),
    FaultKind.TIMED_OUT: Rule(3, False),
    FaultKind.CUT: Rule(4, False),
    FaultKind.MALFORMED: Rule(3, False),
    FaultKind.FOREIGN: Rule(3, False),
    FaultKind.TOO_LARGE: Rule(1, False),
    FaultKind.BAD_REQUEST: Rule(1, False),
    FaultKind.SCHEMA_REFUSED: Rule(1, False),
    FaultKind.TOO_LONG: Rule(1, False, "set #window=TOKENS behind the model's name"),
    FaultKind.QUESTION_TOO_LARGE: Rule(1, False),
    FaultKind.SPEND_LIMIT: Rule(1, True, "raise the limit or add credit with the provider"),
    FaultKind.UNAUTHORISED: Rule(1, True, "correct the key (`counterproof doctor` shows which one is used)"),
    FaultKind.NOT_FOUND: Rule(1, True, "correct the model's name or address, or start again with another"),
}
OUTAGES = frozenset({FaultKind.OVERLOADED, FaultKind.SERVER_ERROR, FaultKind.UNREACHABLE, FaultKind.TIMED_OUT, FaultKind.CUT})
"""Faults that mean the provider is down, independent of the question."""
REFUSALS = frozenset({FaultKind.BAD_REQUEST, FaultKind.SCHEMA_REFUSED, FaultKind.REFUSED})
"""Faults that will also hit the next question, if the provider's text is the same."""


@dataclass(frozen=True, slots=True)
class Patience:
    """In seconds. `longest` is the maximum wait for one try, `total` for one question; after failed tries of `trying` seconds
    a question is not asked again; `probe` is the interval of probes while a provider is down or refuses."""

    first: float = 1.0
    longest: float = 120.0
    total: float = 1800.0
    trying: float = 900.0
    probe: float = 60.0


class Tries:
    """The failed tries of one question."""

    def __init__(self, model: str, patience: Patience, chance: Random, key_hint: str = "") -> None:
        """`key_hint` says what to do if the key was rejected."""
        self._model = model
        self._key_hint = key_hint
        self._patience = patience
        self._chance = chance
        self._counts: dict[FaultKind, int] = {}
        self._waited = 0.0
        self._tried = 0.0

    def after(self, fault: WireFault) -> float:
        """Seconds to wait before the next try. Raises the final error if there is none."""
        rule = _RULES[fault.kind]
        count = self._counts[fault.kind] = self._counts.get(fault.kind, 0) + 1
        self._tried += fault.took
        if count >= rule.tries or self._tried >= self._patience.trying:
            raise self._end(fault, rule, f" ({count} tries)" if count > 1 else "")
        delay = self._delay(sum(self._counts.values()), fault.retry_after)
        if fault.retry_after is not None and fault.retry_after > self._patience.longest:
            raise self._end(fault, rule, f"; the next try is due in {fault.retry_after:.0f} seconds", pauses=True)
        if self._waited + delay > self._patience.total:
            raise self._end(fault, rule, f" after {self._waited:.0f} seconds of waiting", pauses=True)
        self._waited += delay
        return delay

    def _delay(self, failures: int, told: float | None) -> float:
        """Doubling, with jitter that only adds to the provider's stated time."""
        backoff = min(self._patience.first * 2 ** (failures - 1), self._patience.longest / 2)
        own = backoff * self._chance.uniform(0.5, 1.0)
        if told is None:
            return own
        return max(told * self._chance.uniform(1.0, 1.1), min(own, self._patience.longest)) if told > 0 else own

    def _end(self, fault: WireFault, rule: Rule, how: str, *, pauses: bool = False) -> CounterproofError:
        message = f"{self._model}: {fault.kind}: {fault}{how}"
        hint = self._key_hint if fault.kind is FaultKind.UNAUTHORISED and self._key_hint else rule.hint
        if rule.pauses or (pauses and fault.kind not in OUTAGES):
            return ProviderPause(message, hint or _WAIT)
        return ChannelFailed(fault.kind, message, hint)
