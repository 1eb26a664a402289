"""The record of one agent's calls: each is charged first, then made, then written down, whether it was allowed or not.

Invariant: safe under many calls at once; a call that cannot be charged is not made; nothing enters the ledger for a call that
was refused, except the refusal. Only the toolbox writes here.
"""

import threading
from collections.abc import Generator
from contextlib import contextmanager

from counterproof.analysis.git import HistoryError
from counterproof.analysis.project import OutOfTime
from counterproof.analysis.source.reading import TargetChanged
from counterproof.model.contract import Limits
from counterproof.model.errors import InvalidValue
from counterproof.model.ledger import Call, Ledger
from counterproof.protocols.guard.metering import Meter, Refusal, Use, begin_turn, charge
from counterproof.toolbox.refusal import ToolRefused

MAX_RECORDED = 1_000
"""Calls that are written down one by one. Budgets end long before; after that an agent is only shouting."""
_MAX_TEXT = 1_000

REFUSALS = (ToolRefused, TargetChanged, HistoryError, InvalidValue)
"""Errors that are the answer to a call and not a fault of ours."""


class Account:
    """One agent's meter and ledger."""

    def __init__(self, limits: Limits) -> None:
        self._lock = threading.Lock()
        self._meter = Meter(limits)
        self._ledger = Ledger()

    @property
    def meter(self) -> Meter:
        return self._meter

    @property
    def ledger(self) -> Ledger:
        return self._ledger

    def begin_turn(self) -> None:
        with self._lock:
            begun = begin_turn(self._meter)
            if isinstance(begun, Refusal):
                raise ToolRefused(begun.reason)
            self._meter = begun

    @contextmanager
    def call(self, use: Use, subject: str, scope: str = "") -> Generator[None]:
        """A call, from its charge to its record."""
        call = Call(use.tool.value, _plain(subject), _plain(scope))
        self._charge(use, call)
        try:
            yield
        except REFUSALS as error:
            self._refused(call, str(error))
            if isinstance(error, ToolRefused):
                raise
            raise ToolRefused(str(error), error.hint) from error
        except OutOfTime as error:
            self._refused(call, str(error))
            raise
        self.add(Ledger(calls=(call,)))

    def add(self, records: Ledger) -> None:
        with self._lock:
            self._ledger += records

    def _charge(self, use: Use, call: Call) -> None:
        with self._lock:
            charged = charge(self._meter, use)
            if not isinstance(charged, Refusal):
                self._meter = charged
                return
        self._refused(call, charged.reason)
        raise ToolRefused(charged.reason)

    def _refused(self, call: Call, reason: str) -> None:
        if len(self._ledger.calls) < MAX_RECORDED:
            self.add(Ledger(calls=(Call(call.tool, call.subject, call.scope, _plain(reason)),)))


def _plain(text: str) -> str:
    """Text that can stand in any record, whatever the agent sent."""
    return text[:_MAX_TEXT].encode("utf-8", "backslashreplace").decode("utf-8")
