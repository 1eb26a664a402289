"""The budget of a run (R25, F18): reserved before a call, settled after it, so that the limit is never exceeded.

Interpretation of R25: the total is fixed at the start. Each agent may use ⌈total / agents × 1.5⌉ of it, in tokens and in
money, whichever are limited. A reservation is the maximum cost of a call and counts as used until it is settled or released.
After the first phase `rebalanced` shares the unused rest among the remaining agents. A provider's charge beyond its own stated
maximum is counted in full and shown; nothing more is then reserved.

Invariant: pure and total; `reserve` never lets used + held exceed a limit; a reservation is settled or released once.
"""

from dataclasses import dataclass, replace

from counterproof.model.budget import Limit, Usage
from counterproof.model.contract import Role
from counterproof.model.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens and micro-dollars. `micros` stays 0 if no price is known."""

    tokens: int = 0
    micros: int = 0

    def plus(self, other: "Cost") -> "Cost":
        return Cost(self.tokens + other.tokens, self.micros + other.micros)

    def within(self, limit: Limit) -> bool:
        return (limit.tokens is None or self.tokens <= limit.tokens) and (limit.micros is None or self.micros <= limit.micros)


FREE = Cost()


@dataclass(frozen=True, slots=True)
class ModelTerms:
    """The terms for using models in a run. `team` is the user's text; prices are micro-dollars per million tokens of the most
    expensive model, if known; `prompts` is the digest of the prompts; `players` an audit's models by role; `window` the tokens
    of one conversation."""

    team: str
    budget_tokens: int | None = None
    budget_micros: int | None = None
    input_price: int | None = None
    output_price: int | None = None
    prompts: str = ""
    players: tuple[tuple[Role, str], ...] = ()
    window: int = 0


@dataclass(frozen=True, slots=True)
class Hold:
    """A reservation: the maximum cost of a call in flight."""

    id: str
    agent: str
    phase: str
    most: Cost


@dataclass(frozen=True, slots=True)
class Spent:
    """The budget that one agent has used in one phase."""

    agent: str
    phase: str
    calls: int
    cost: Cost
    usage: Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget's state. `share` is what one agent may use; `spent` is in order of agent and phase."""

    limit: Limit
    share: Limit
    holds: tuple[Hold, ...] = ()
    spent: tuple[Spent, ...] = ()
    refused: int = 0

    @property
    def used(self) -> Cost:
        return _sum(tuple(each.cost for each in self.spent))

    @property
    def held(self) -> Cost:
        return _sum(tuple(each.most for each in self.holds))

    def used_by(self, agent: str) -> Cost:
        return _sum(tuple(each.cost for each in self.spent if each.agent == agent))

    def held_by(self, agent: str) -> Cost:
        return _sum(tuple(each.most for each in self.holds if each.agent == agent))

    @property
    def left(self) -> Limit:
        """The amount that can still be reserved."""
        taken = self.used.plus(self.held)
        return Limit(_minus(self.limit.tokens, taken.tokens), _minus(self.limit.micros, taken.micros))


@dataclass(frozen=True, slots=True)
class Short:
    """Why a reservation was rejected. `everywhere` is False if only this agent's share is used up."""

    reason: str
    everywhere: bool


def opened(limit: Limit, agents: int) -> Budget:
    """A budget for this many agents. One agent's share never exceeds the total."""
    if agents < 1:
        raise InvalidValue("a budget is for at least one agent")
    return Budget(limit, Limit(_share(limit.tokens, agents), _share(limit.micros, agents)))


def reserve(budget: Budget, hold: Hold) -> Budget | Short:
    """Reserve the maximum cost of a call before it is made."""
    if any(each.id == hold.id for each in budget.holds):
        raise InvalidValue(f"{hold.id} is already reserved")
    if not budget.used.plus(budget.held).plus(hold.most).within(budget.limit):
        return Short("the budget is used up: the next call could exceed it", True)
    if not budget.used_by(hold.agent).plus(budget.held_by(hold.agent)).plus(hold.most).within(budget.share):
        return Short(f"the share of {hold.agent} is used up", False)
    return replace(budget, holds=(*budget.holds, hold))


def settle(budget: Budget, hold_id: str, cost: Cost, usage: Usage) -> Budget:
    """Replace the reservation with the actual cost of the finished call."""
    hold = _held(budget, hold_id)
    return charged(release(budget, hold_id), hold.agent, hold.phase, cost, usage)


def release(budget: Budget, hold_id: str) -> Budget:
    """Release the reservation of a call that was never made, or is known to have cost nothing."""
    hold = _held(budget, hold_id)
    return replace(budget, holds=tuple(each for each in budget.holds if each is not hold))


def charged(budget: Budget, agent: str, phase: str, cost: Cost, usage: Usage) -> Budget:
    """Count the cost of a reply that an earlier process received, without a reservation of this process."""
    rows = {(each.agent, each.phase): each for each in budget.spent}
    before = rows.get((agent, phase), Spent(agent, phase, 0, Cost(), Usage()))
    rows[agent, phase] = Spent(agent, phase, before.calls + 1, before.cost.plus(cost), before.usage.plus(usage))
    return replace(budget, spent=tuple(rows[key] for key in sorted(rows)))


def rebalanced(budget: Budget, agents: int) -> Budget:
    """Share the rest among the remaining agents. No agent's share shrinks, and none exceeds the total."""
    if agents < 1:
        return budget
    fresh = Limit(_share(budget.left.tokens, agents), _share(budget.left.micros, agents))
    return replace(budget, share=Limit(_wider(budget, "tokens", fresh), _wider(budget, "micros", fresh)))


def _wider(budget: Budget, kind: str, fresh: Limit) -> int | None:
    total, before = getattr(budget.limit, kind), getattr(budget.share, kind)
    if total is None or before is None:
        return None
    busiest = max((getattr(budget.used_by(each.agent), kind) for each in budget.spent), default=0)
    return min(total, max(before, busiest + (getattr(fresh, kind) or 0)))


def _share(total: int | None, agents: int) -> int | None:
    """⌈total / agents × 1.5⌉ in whole numbers."""
    return None if total is None else min(total, -(-total * 3 // (agents * 2)))


def _minus(limit: int | None, taken: int) -> int | None:
    return None if limit is None else max(0, limit - taken)


def _held(budget: Budget, hold_id: str) -> Hold:
    found = next((each for each in budget.holds if each.id == hold_id), None)
    if found is None:
        raise InvalidValue(f"{hold_id} is not reserved")
    return found


def _sum(costs: tuple[Cost, ...]) -> Cost:
    return Cost(sum(each.tokens for each in costs), sum(each.micros for each in costs))
