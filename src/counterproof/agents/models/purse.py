"""The run's budget as channels use it: one purse for all agents of a run, by the rules of `protocols.guard.budget`.

A question belongs to a task and is paid by the account that `payer` returns: the task, or its specialist, whose share then
covers all its tasks (R25).

Invariant: every change is one assignment without an await in between, so that agents in one event loop cannot spend the same
token twice; usage that the provider does not report is charged at our own upper bound (F10). If runs share a budget, every
request is reserved there too (F18).
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from counterproof.agents.models.faults import BudgetExhausted
from counterproof.model.budget import Tariff, Usage
from counterproof.model.errors import UserError
from counterproof.ports import CommonBudget
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Budget, Cost, Hold, Short

LEAST_OUTPUT = 2_048
"""A question is not sent if the answer would have to be shorter than this."""


class Purse:
    """The budget of one run. `phase` is the report's category for calls; the run updates it."""

    def __init__(
        self, budget: Budget, phase: str = "run", payer: Callable[[str], str] = str, common: CommonBudget | None = None
    ) -> None:
        self.budget = budget
        self.phase = phase
        self._payer = payer
        self._common = common
        self._holds: dict[str, tuple[str, str]] = {}
        self._spent: dict[str, Cost] = {}
        self._settled = asyncio.Event()

    def spent_by(self, task: str) -> int:
        """The tokens used so far by the payer of a task, over all its tasks."""
        return self.budget.used_by(self._payer(task)).tokens

    def paid_for(self, task: str) -> Cost:
        """The cost of a task's questions."""
        return self._spent.get(task, Cost())

    def admit(self, model: str, tariff: Tariff | None) -> None:
        """Reject a model whose calls would be unbounded: no known price and no token limit."""
        if tariff is None and self.budget.limit.tokens is None:
            raise UserError(
                f"the price of {model} is not known, so it needs a limit in tokens",
                "give a token budget, or add the model to your price file",
            )

    async def reserved(
        self, task: str, tokens_in: int, tokens_out: int, tariff: Tariff | None, mark: str = ""
    ) -> tuple[str, int]:
        """Like `reserve`, and returns the maximum length of the answer. A reservation is the maximum cost of a call, several
        times its real cost: so the unused rest of calls in flight is waited for, and when nothing more will be returned a
        shorter answer is allowed. Waiting ends, because a waiting call reserves nothing."""
        while True:
            try:
                return self.reserve(task, tokens_in, tokens_out, tariff, mark), tokens_out
            except BudgetExhausted:
                if self.budget.holds and self._fits_alone(task, tokens_in, tokens_out, tariff):
                    self._settled.clear()
                    await self._settled.wait()
                elif tokens_out // 2 >= LEAST_OUTPUT:
                    tokens_out //= 2
                else:
                    raise

    def _fits_alone(self, task: str, tokens_in: int, tokens_out: int, tariff: Tariff | None) -> bool:
        most = _most(tokens_in, tokens_out, tariff)
        return isinstance(rules.reserve(replace(self.budget, holds=()), Hold("", self._payer(task), self.phase, most)), Budget)

    def reserve(self, task: str, tokens_in: int, tokens_out: int, tariff: Tariff | None, mark: str = "") -> str:
        """Reserve the maximum cost of a call. `mark` identifies the question. Raises `BudgetExhausted` if it might not fit."""
        name = f"hold-{len(self._holds) + 1}"
        most = _most(tokens_in, tokens_out, tariff)
        result = rules.reserve(self.budget, Hold(name, self._payer(task), self.phase, most))
        if not isinstance(result, Short) and self._common and not self._common.reserve(mark or name, most):
            result = Short("the budget of the fleet is used up: the next call could exceed it", True)
        if isinstance(result, Short):
            raise BudgetExhausted(result.reason, "raise the budget and resume, or read what is there", result.everywhere)
        self._holds[name] = task, mark or name
        self.budget = result
        return name

    def settle(self, hold: str, usage: Usage, tariff: Tariff | None) -> None:
        task, mark = self._holds[hold]
        self.budget = rules.settle(self.budget, hold, _cost(usage, tariff), usage)
        self._settled.set()
        self._spent[task] = self.paid_for(task).plus(_cost(usage, tariff))
        self._settle_common(mark, _cost(usage, tariff))

    def release(self, hold: str) -> None:
        self.budget = rules.release(self.budget, hold)
        self._settled.set()
        self._settle_common(self._holds[hold][1], Cost())

    def _settle_common(self, mark: str, cost: Cost) -> None:
        if self._common and mark:
            self._common.settle(mark, cost)

    def wait(self) -> float:
        """Seconds until a request may be sent, given others who share the rate limit."""
        return self._common.wait() if self._common else 0.0

    def charge(self, task: str, usage: Usage, tariff: Tariff | None, mark: str = "") -> None:
        """Count a reply that was paid for before this process began."""
        self._settle_common(mark, _cost(usage, tariff))
        self.budget = rules.charged(self.budget, self._payer(task), self.phase, _cost(usage, tariff), usage)
        self._spent[task] = self.paid_for(task).plus(_cost(usage, tariff))

    def rebalance(self, agents: int) -> None:
        """After the first phase: redistribute the unused budget (R25)."""
        self.budget = rules.rebalanced(self.budget, agents)


def _most(tokens_in: int, tokens_out: int, tariff: Tariff | None) -> Cost:
    return Cost(tokens_in + tokens_out, tariff.at_most(tokens_in, tokens_out) if tariff else 0)


def _cost(usage: Usage, tariff: Tariff | None) -> Cost:
    return Cost(usage.total, tariff.of(usage) if tariff else 0)


def charged_usage(reported: Usage | None, tokens_in: int, tokens_out: int) -> Usage:
    """The usage to charge: the provider's figures if they are possible, otherwise our upper bound (F10)."""
    if reported is None or reported.input < 1 or reported.output < 1:
        return Usage(tokens_in, tokens_out, ours=True)
    return reported
