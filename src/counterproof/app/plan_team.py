"""The team of a plan verification that models take part in: channels on one purse, the spending on record.

Always: keys and servers come from the user's environment, never from the repository (X15); what earlier processes of the same
run spent counts. How a model is asked stands in `agents.planning`.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from counterproof.agents import roles
from counterproof.agents.models.providers import ModelName
from counterproof.agents.models.team import HOST
from counterproof.agents.planning import PlanAgent, embedded_planners
from counterproof.app.model_team import PRICE_FILE, capped, micros_of
from counterproof.extras import command_for
from counterproof.model.budget import Limit, Usage
from counterproof.model.errors import UserError
from counterproof.model.plan.contract import PlanRole
from counterproof.ports import ReplyStore
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Cost
from counterproof.protocols.plan.events import Event, TaskDone, TaskFailed
from counterproof.protocols.plan.request import PlanTerms
from counterproof.runtime.home import Home

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk
    from counterproof.agents.models.live import LiveChannel
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.tuning import Tuning
    from counterproof.agents.planning.modelled import ModelPlanner

EXPECTED_TASKS = 10
"""Tasks of a model in a usual run; one of them may use one and a half shares of the budget (R25)."""


@dataclass(slots=True)
class Planners:
    """Who plays each role. `models` are those that a model drives."""

    embedded: Mapping[PlanRole, PlanAgent]
    models: "Mapping[PlanRole, ModelPlanner]"
    purse: "Purse | None" = None
    channels: "tuple[LiveChannel, ...]" = ()

    def cost_of(self, task_id: str) -> Cost:
        return self.purse.budget.used_by(task_id) if self.purse else Cost()

    async def close(self) -> None:
        for channel in self.channels:
            await channel.close()


def terms_of(agents: str, budget_tokens: int, budget_usd: str) -> PlanTerms | None:
    """What the user asked for, checked before a run exists. Raises `UserError`."""
    from counterproof.agents.models.opening import installed
    from counterproof.agents.models.prices import read_prices
    from counterproof.agents.planning.team import parse_planners

    if not agents.strip():
        if budget_tokens or budget_usd:
            raise UserError("a budget is for models, and no model takes part", "add --agents PROVIDER:MODEL")
        return None
    prices = read_prices(Home().root / PRICE_FILE)
    team = parse_planners(agents := prices.completed(agents))
    if any(isinstance(each, ModelName) for each, _ in team.values()) and not installed():
        raise UserError("the libraries for models are not installed", f"`{command_for('models')}` installs them")
    unpriced = any(isinstance(each, ModelName) and prices.find(each) is None for each, _ in team.values())
    return PlanTerms(agents, budget_tokens or capped(budget_usd, unpriced), micros_of(budget_usd), roles.plan_digest())


def hosted(terms: PlanTerms | None) -> bool:
    """Whether a coding agent plays a role."""
    from counterproof.agents.planning.team import parse_planners

    return terms is not None and any(each == HOST for each, _ in parse_planners(terms.team).values())


def assemble(
    terms: PlanTerms | None, replies: ReplyStore, home: Path, before: Iterable[Event], desk: "Desk | None" = None
) -> Planners:
    """The team of a run. Channels are opened but nothing is sent. Raises `UserError` for a missing key, price or limit. `desk` is
    where a coding agent takes its tasks; without one the run pauses where it would have to answer."""
    embedded = embedded_planners()
    if terms is None:
        return Planners(embedded, {})
    from counterproof.agents.planning.team import parse_planners

    if terms.prompts != roles.plan_digest():
        raise UserError("the prompts changed since this run began", "start the verification again")
    members = parse_planners(terms.team)
    named = {role: (model, tuning) for role, (model, tuning) in members.items() if isinstance(model, ModelName)}
    team = _modelled(named, terms, embedded, replies, home, before) if named else Planners(embedded, {})
    played = tuple(role for role, (model, _) in members.items() if model == HOST)
    if played:
        from counterproof.agents.host.channel import HostChannel
        from counterproof.agents.host.players import HostPlanner

        channel = HostChannel(desk, replies, lambda: None)
        team.models = {**team.models, **{role: HostPlanner(channel, desk, embedded[role]) for role in played}}
    return team


def absent(terms: PlanTerms | None, why: str) -> Planners:
    """The team of a run whose models and host are asked no more: no key is needed, and each of their tasks fails with `why`."""
    from counterproof.agents.models.scripted import AbsentChannel
    from counterproof.agents.planning.modelled import ModelPlanner
    from counterproof.agents.planning.team import parse_planners

    embedded, named = embedded_planners(), parse_planners(terms.team) if terms else {}
    members = {role: member for role, (member, _) in named.items() if member is not None}
    models = {role: ModelPlanner(AbsentChannel(str(member), why), embedded[role]) for role, member in members.items()}
    return Planners(embedded, models)


def _modelled(
    named: "dict[PlanRole, tuple[ModelName, Tuning]]",
    terms: PlanTerms,
    embedded: Mapping[PlanRole, PlanAgent],
    replies: ReplyStore,
    home: Path,
    before: Iterable[Event],
) -> Planners:
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.opening import open_channel
    from counterproof.agents.models.prices import read_prices
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.planning.modelled import ModelPlanner

    purse = Purse(rules.opened(Limit(terms.budget_tokens, terms.budget_micros), EXPECTED_TASKS))
    for event in before:
        if isinstance(event, TaskDone | TaskFailed) and event.cost.tokens:
            purse.budget = rules.charged(purse.budget, event.answers, purse.phase, event.cost, Usage())
    shared, prices = Terms(replies, purse), read_prices(home / PRICE_FILE)
    channels = {
        model: open_channel(model, os.environ, shared, prices) for model in dict.fromkeys(each for each, _ in named.values())
    }
    models = {role: ModelPlanner(channels[model], embedded[role], tuning) for role, (model, tuning) in named.items()}
    return Planners(embedded, models, purse, tuple(channels.values()))


def without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """What the user's web server may see: everything but the keys of model providers."""
    from counterproof.agents.models.providers import PROVIDERS

    keys = {name for provider in PROVIDERS for name in provider.keys}
    return {name: value for name, value in environment.items() if name not in keys}


def spent(events: Iterable[Event]) -> Cost:
    """What all processes of a run spent together, from its journal."""
    total = Cost()
    for event in events:
        if isinstance(event, TaskDone | TaskFailed):
            total = total.plus(event.cost)
    return total
