"""The circuit breaker of a provider: while it is open, questions fail at once and nothing is sent (F21).

Invariant: an open circuit names its cause; a provider counts as down only if it answered nothing in the meantime; one answer
closes the circuit, and every `Patience.probe` seconds one question is let through as a probe. `retrying` defines outages and
refusals.
"""

from counterproof.agents.models.faults import ChannelFailed

REPEATED = 2
"""Consecutive refusals with the same text; the next question would be refused too."""


class Circuit:
    """A circuit breaker: failures open it, an answer closes it. Times are the event loop's."""

    def __init__(self, probe: float) -> None:
        self._probe = probe
        self._cause: ChannelFailed | None = None
        self._probe_at = 0.0
        self._answered_at = float("-inf")
        self._refusal = ""
        self._refusals = 0

    def admit(self, now: float) -> None:
        """Let a question through. Raises `ChannelFailed` while the circuit is open and no probe is due."""
        if self._cause is None:
            return
        if now < self._probe_at:
            cause = self._cause
            raise ChannelFailed(cause.kind, f"not asked after an earlier failure: {cause}", cause.hint)
        self._probe_at = now + self._probe

    def record_answer(self, now: float) -> None:
        self._answered_at = now
        self._cause, self._refusals = None, 0

    def record_try(self, now: float) -> None:
        """Record a try that met an outage. If it was the probe, the next probe waits the full interval."""
        self._probe_at = now + self._probe

    def record_outage(self, failure: ChannelFailed, since: float, now: float) -> None:
        """Record a question that used up its tries. `since` is when it was first asked: if others were answered after that,
        the provider is up."""
        if self._answered_at < since:
            self._open(failure, now)

    def record_refusal(self, failure: ChannelFailed, now: float) -> None:
        """Record that the provider refused a question, or the model refused to answer it."""
        same = str(failure) == self._refusal
        self._refusal, self._refusals = str(failure), self._refusals + 1 if same else 1
        if self._refusals >= REPEATED:
            self._open(failure, now)

    def _open(self, failure: ChannelFailed, now: float) -> None:
        self._cause, self._probe_at = failure, now + self._probe
