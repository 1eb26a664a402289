"""The run's budget where channels can reach it: one purse for all agents of a run, on the rules of `protocols.guard.budget`.

A question is asked for a task, and paid by whoever `payer` says: the task itself, or the specialist that it belongs to, whose
share is then one over all its tasks (R25).

Always: every change is one assignment without an await in between, so that agents in one loop cannot spend the same token
twice; what cannot be told from usage is charged at our own upper bound (F10).
"""

from collections import Counter
from collections.abc import Callable

from counterproof.agents.models.faults import BudgetExhausted
from counterproof.model.budget import Tariff, Usage
from counterproof.model.errors import UserError
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Budget, Cost, Hold, Short


class Purse:
    """Holds the budget of one run. `phase` is what the report books calls under; the run sets it as it goes."""

    def __init__(self, budget: Budget, phase: str = "run", payer: Callable[[str], str] = str) -> None:
        self.budget = budget
        self.phase = phase
        self._payer = payer
        self._holds: dict[str, str] = {}
        self._spent: Counter[str] = Counter()

    def spent_on(self, task: str) -> int:
        """Tokens that the questions of a task cost."""
        return self._spent[task]

    def admit(self, model: str, tariff: Tariff | None) -> None:
        """Refuse a model whose calls nothing would bound: no known price and no limit in tokens."""
        if tariff is None and self.budget.limit.tokens is None:
            raise UserError(
                f"the price of {model} is not known, so it needs a limit in tokens",
                "give a token budget, or add the model to your price file",
            )

    def reserve(self, task: str, tokens_in: int, tokens_out: int, tariff: Tariff | None) -> str:
        """Set the most that a call can cost aside. Raises `BudgetExhausted` when it might not fit."""
        name = f"hold-{len(self._holds) + 1}"
        micros = tariff.at_most(tokens_in, tokens_out) if tariff else 0
        result = rules.reserve(self.budget, Hold(name, self._payer(task), self.phase, Cost(tokens_in + tokens_out, micros)))
        if isinstance(result, Short):
            raise BudgetExhausted(result.reason, "raise the budget and resume, or read what is there", result.everywhere)
        self._holds[name] = task
        self.budget = result
        return name

    def settle(self, hold: str, usage: Usage, tariff: Tariff | None) -> None:
        self.budget = rules.settle(self.budget, hold, _cost(usage, tariff), usage)
        self._spent[self._holds[hold]] += usage.total

    def release(self, hold: str) -> None:
        self.budget = rules.release(self.budget, hold)

    def charge(self, task: str, usage: Usage, tariff: Tariff | None) -> None:
        """Count a reply that was paid for before this process began."""
        self.budget = rules.charged(self.budget, self._payer(task), self.phase, _cost(usage, tariff), usage)
        self._spent[task] += usage.total

    def rebalance(self, agents: int) -> None:
        """After the first phase: share what nobody used (R25)."""
        self.budget = rules.rebalanced(self.budget, agents)


def _cost(usage: Usage, tariff: Tariff | None) -> Cost:
    return Cost(usage.total, tariff.of(usage) if tariff else 0)


def charged_usage(reported: Usage | None, tokens_in: int, tokens_out: int) -> Usage:
    """What to charge: the provider's figures if they can be true, our upper bound otherwise (F10)."""
    if reported is None or reported.input < 1 or reported.output < 1:
        return Usage(tokens_in, tokens_out, ours=True)
    return reported
