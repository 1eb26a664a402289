"""The budget of a run (R25, F18): reserved before a call, settled after it, so that the cap is never overshot.

How R25 is read here. The total is fixed at the start. Each agent may use ⌈total / agents × 1.5⌉ of it, counted like the total in
tokens and in money, whichever are limited. A reservation is the most that a call can cost; it counts as used until it is settled
or given back. After the first phase `rebalanced` shares what nobody used among the agents that are left. What a provider charges
beyond its own stated maximum is counted as it is and shown; nothing more is then reserved.

Invariant: pure and total; used + held never exceeds a limit through `reserve`; a reservation is settled or released once.
"""

from dataclasses import dataclass, replace

from counterproof.model.budget import Limit, Usage
from counterproof.model.contract import Role
from counterproof.model.errors import InvalidValue


@dataclass(frozen=True, slots=True)
class Cost:
    """Tokens and micro-dollars. `micros` stays 0 where no price is known."""

    tokens: int = 0
    micros: int = 0

    def plus(self, other: "Cost") -> "Cost":
        return Cost(self.tokens + other.tokens, self.micros + other.micros)

    def within(self, limit: Limit) -> bool:
        return (limit.tokens is None or self.tokens <= limit.tokens) and (limit.micros is None or self.micros <= limit.micros)


FREE = Cost()


@dataclass(frozen=True, slots=True)
class ModelTerms:
    """What models may do for a run. `team` is the user's text; prices are micro-dollars for a million tokens of the dearest
    model, if known; `prompts` the prompts' digest; `players` an audit's models by role; `window` one conversation's tokens."""

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
    """A reservation: what a call in flight can cost at most."""

    id: str
    agent: str
    phase: str
    most: Cost


@dataclass(frozen=True, slots=True)
class Spent:
    """What one agent used in one phase."""

    agent: str
    phase: str
    calls: int
    cost: Cost
    usage: Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """The state. `share` is what one agent may use; `spent` is in order of agent and phase."""

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
        """What can still be reserved."""
        taken = self.used.plus(self.held)
        return Limit(_minus(self.limit.tokens, taken.tokens), _minus(self.limit.micros, taken.micros))


@dataclass(frozen=True, slots=True)
class Short:
    """Why a reservation was refused. `everywhere` is False when only this agent's share is used up."""

    reason: str
    everywhere: bool


def opened(limit: Limit, agents: int) -> Budget:
    """A budget for so many agents. One agent's share never exceeds the total."""
    if agents < 1:
        raise InvalidValue("a budget is for at least one agent")
    return Budget(limit, Limit(_share(limit.tokens, agents), _share(limit.micros, agents)))


def reserve(budget: Budget, hold: Hold) -> Budget | Short:
    """Set the most that a call can cost aside before it is made."""
    if any(each.id == hold.id for each in budget.holds):
        raise InvalidValue(f"{hold.id} is already reserved")
    if not budget.used.plus(budget.held).plus(hold.most).within(budget.limit):
        return Short("the budget is used up: the next call could exceed it", True)
    if not budget.used_by(hold.agent).plus(budget.held_by(hold.agent)).plus(hold.most).within(budget.share):
        return Short(f"the share of {hold.agent} is used up", False)
    return replace(budget, holds=(*budget.holds, hold))


def settle(budget: Budget, hold_id: str, cost: Cost, usage: Usage) -> Budget:
    """A call came back: what it cost takes the reservation's place."""
    hold = _held(budget, hold_id)
    return charged(release(budget, hold_id), hold.agent, hold.phase, cost, usage)


def release(budget: Budget, hold_id: str) -> Budget:
    """A call was never made, or is known to have cost nothing."""
    hold = _held(budget, hold_id)
    return replace(budget, holds=tuple(each for each in budget.holds if each is not hold))


def charged(budget: Budget, agent: str, phase: str, cost: Cost, usage: Usage) -> Budget:
    """Count what was paid without a reservation of this process: a reply that an earlier process received."""
    rows = {(each.agent, each.phase): each for each in budget.spent}
    before = rows.get((agent, phase), Spent(agent, phase, 0, Cost(), Usage()))
    rows[agent, phase] = Spent(agent, phase, before.calls + 1, before.cost.plus(cost), before.usage.plus(usage))
    return replace(budget, spent=tuple(rows[key] for key in sorted(rows)))


def rebalanced(budget: Budget, agents: int) -> Budget:
    """Share what is left among the agents that are left. No agent's share shrinks, and none exceeds the total."""
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
