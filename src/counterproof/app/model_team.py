"""The team of a run that models take part in: channels opened on one purse, toolboxes by role, the spending on record.

Always holds: keys and servers come from the user's environment, never from the target (X15); an analyst's task is done by an
analyst, whoever else takes part (A52); what earlier processes of the same run spent counts. How a model is asked is the agents'.
What only models need is imported where one takes part.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof.agents import roles
from counterproof.agents.models.team import HOST, Team, parse_team
from counterproof.app import leased
from counterproof.extras import command_for
from counterproof.knowledge import modules
from counterproof.model.budget import Limit, Usage, dollars
from counterproof.model.contract import AgentTask, Role
from counterproof.model.errors import UserError
from counterproof.ports import Agent, Observer, ReplyStore, Toolbox
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, Event
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import ModelTerms
from counterproof.protocols.audit.state import AuditState
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Cost
from counterproof.runtime import crashpoints
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.workspace import Workspace

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk
    from counterproof.agents.models.channel import Answer
    from counterproof.agents.models.live import LiveChannel
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.tuning import Tuning
    from counterproof.toolbox.bench import Bench

PRICE_FILE = "prices.toml"
UNPRICED_TOKENS = 2_000_000
"""The most that a run may use of a model whose price is not known, where the user set no limit."""
ABSENT_HOST = (
    "`host` stands for a coding agent, and none is connected here",
    "connect one to `counterproof mcp` and let it start the run",
)


@dataclass(slots=True)
class Staff:
    """Who does which task, with what, and what it has cost so far. `analysts` play every role; `models` are by name, and each
    plays whatever role its task has. `planned` tells how many agents the plan has; `recorded`, whether recorded runs hunt; `tell`
    hears who does what."""

    analysts: Mapping[Role, Agent]
    workspace: Workspace
    purse: "Purse | None" = None
    limit: Limit = field(default_factory=Limit)
    models: Mapping[str, Agent] = field(default_factory=dict[str, Agent])
    channels: "tuple[LiveChannel, ...]" = ()
    knowledge: tuple[modules.KnowledgeModule, ...] = ()
    planned: Callable[[], int] = lambda: 1
    recorded: bool = False
    tell: Callable[[str, str], None] = lambda _who, _text: None
    _bench: "Bench | None" = None

    def agent(self, task: AgentTask) -> Agent:
        """Who does the task: the model that it names, or the analyst of its role (A52)."""
        return self.models[task.model] if task.model else self.analysts[task.role]

    def toolbox(self, task: AgentTask) -> Toolbox:
        """The toolbox that fits whoever gets the task."""
        if self.recorded and task.role is Role.HUNTER and not task.model:
            from counterproof.toolbox.recorded import RecordedTools

            return RecordedTools(self.workspace, task)
        if not task.model:
            return RecordingToolbox(self.workspace, task)
        from counterproof.toolbox.bench import Bench
        from counterproof.toolbox.witnessed import WitnessedTools

        if self._bench is None:
            self._share_out(self.planned())
            self._bench = Bench(self.workspace.project, self.workspace.entry_points, turn=self.workspace.turn)
        return WitnessedTools(self.workspace, self._bench, task, self.workspace.recon, self.knowledge)

    def _share_out(self, agents: int) -> None:
        """One agent's share of the budget, once the plan says how many there are (R25)."""
        if self.purse is not None and not self.purse.budget.spent and not self.purse.budget.holds:
            self.purse.budget = rules.opened(self.limit, max(1, agents))

    def share(self) -> int | None:
        """Tokens that one agent may use, by the plan alone: the same after a restart."""
        return rules.opened(self.limit, max(1, self.planned())).share.tokens

    def watch(self, task: AgentTask, answer: "Answer") -> None:
        """Tell whoever looks on what an agent does next and what the run has cost so far."""
        from counterproof.agents.models.spoken import doing

        used, total = answer.usage, self.purse.budget.used if self.purse else Cost()
        cached = f", {100 * used.cached // used.input} % cached" if used.cached else ""
        money = f", {dollars(total.micros)}" if total.micros else ""
        self.tell(task.agent_id, f"{doing(answer)} · {used.total:,} tokens{cached} · run: {total.tokens:,} tokens{money}")

    def cost_of(self, task: AgentTask) -> Cost:
        return self.purse.budget.used_by(task.id) if self.purse else Cost()

    async def close(self) -> None:
        for channel in self.channels:
            await channel.close()
        if self._bench:
            self._bench.close()


def terms_of(
    agents: str, budget_tokens: int, budget_usd: str, home: Path, window: int = 0
) -> tuple[tuple[Role, ...], ModelTerms]:
    """What the user asked for on the command line, checked before a run exists. Raises `UserError`."""
    from counterproof.agents.models.opening import installed
    from counterproof.agents.models.prices import read_prices

    listed = read_prices(home / PRICE_FILE)
    team = parse_team(agents := listed.completed(agents))
    if team.models and not installed():
        raise UserError("the libraries for models are not installed", f"`{command_for('models')}` installs them")
    prices = [listed.find(model) for model in team.models]
    known = [tariff for tariff in prices if tariff]
    tokens = budget_tokens or capped(budget_usd, len(known) < len(prices))
    priced = len(known) == len(prices) and not team.hosted  # what a host spends is its own and cannot be seen
    million = 1_000_000
    terms = ModelTerms(
        team=agents,
        budget_tokens=tokens,
        budget_micros=micros_of(budget_usd),
        input_price=max((tariff.at_most(million, 0) for tariff in known), default=0) if priced else None,
        output_price=max((tariff.at_most(0, million) for tariff in known), default=0) if priced else None,
        prompts=roles.digest(),
        players=tuple((role, str(model)) for role, model in team.members if model is not None),
        window=window or (team.tuning(Role.HUNTER).window if team.models else 0),
    )
    return tuple(role for role, model in team.members if model is not None), terms


def capped(budget_usd: str, unpriced: bool) -> int | None:
    """The limit in tokens of a run that was given none. A limit in dollars cannot hold for a model without a price."""
    return UNPRICED_TOKENS if unpriced and not budget_usd else None


def tell_unpriced(channels: "Iterable[LiveChannel]", tokens: int | None, observer: Observer) -> None:
    """Name the models whose price is not known."""
    for channel in channels:
        if not channel.priced:
            observer.narrate(f"The price of {channel.model} is not known; the run may use at most {tokens or 0:,} tokens.")


def refuse_absent_host(terms: ModelTerms | None, desk: "Desk | None") -> None:
    """A new run needs a host to be there if one is to take part."""
    if desk is None and terms and parse_team(terms.team).hosted:
        raise UserError(*ABSENT_HOST)


def micros_of(text: str) -> int | None:
    """Dollars as written, never through a float."""
    if not text:
        return None
    whole, _, fraction = text.partition(".")
    digits = fraction or "0"
    if not (whole.isascii() and whole.isdigit() and digits.isascii() and digits.isdigit()) or len(whole) > 7 or len(digits) > 6:
        raise UserError(f"--budget-usd: {text!r} is no amount of dollars", "write it like 5 or 2.50")
    return int(whole) * 1_000_000 + int(digits.ljust(6, "0"))


def assemble(
    terms: ModelTerms | None,
    analysts: Mapping[Role, Agent],
    workspace: Workspace,
    replies: ReplyStore,
    home: Path,
    before: Iterable[Event],
    desk: "Desk | None" = None,
) -> Staff:
    """The staff of a run. Channels are opened but nothing is sent. Raises `UserError` for a missing key, price or limit.

    `desk` is where a host takes its tasks; without one the run pauses where a host would have to answer.
    """
    team = parse_team(terms.team) if terms else Team(())
    tuning = _tuning(team, terms)
    hosted: dict[str, Agent] = {HOST: _host(workspace, replies, desk, tuning)} if team.hosted else {}
    if terms is None or not team.models:
        return Staff(analysts, workspace, models=hosted, knowledge=_knowledge() if team.hosted else ())
    from counterproof.agents.models.agent import ModelAgent
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.opening import open_channel
    from counterproof.agents.models.prices import read_prices
    from counterproof.agents.models.purse import Purse

    limit = Limit(terms.budget_tokens, terms.budget_micros)
    purse = Purse(rules.opened(limit, 1), common=leased.common_budget())
    for event in before:
        if isinstance(event, AgentFinished | AgentFailed) and event.cost.tokens:
            purse.budget = rules.charged(purse.budget, event.answers, purse.phase, event.cost, Usage())
    shared = Terms(replies, purse, notice=crashpoints.notice)
    prices = read_prices(home / PRICE_FILE)
    channels = {model: open_channel(model, os.environ, shared, prices) for model in team.models}
    staff = Staff(analysts, workspace, purse, limit, channels=tuple(channels.values()), knowledge=_knowledge())
    agents = {str(model): ModelAgent(channel, tuning, staff.share, staff.watch) for model, channel in channels.items()}
    staff.models = {**hosted, **agents}
    return staff


def absent(terms: ModelTerms | None, analysts: Mapping[Role, Agent], workspace: Workspace, why: str) -> Staff:
    """The staff of a run whose models and host are asked no more: no key is needed, and each of their tasks fails with `why`."""
    from counterproof.agents.models.agent import ModelAgent
    from counterproof.agents.models.scripted import AbsentChannel

    team = parse_team(terms.team) if terms else Team(())
    names = {str(member) for _, member in team.members if member is not None}
    return Staff(analysts, workspace, models={name: ModelAgent(AbsentChannel(name, why), team.tuning) for name in sorted(names)})


def _tuning(team: Team, terms: ModelTerms | None) -> "Callable[[Role], Tuning]":
    """How each role is asked: as the team says, in the window that the user gave for all."""
    own = team.tuning(Role.HUNTER).window if team.models else 0
    given = terms.window if terms and terms.window != own else 0
    return lambda role: replace(team.tuning(role), window=given) if given else team.tuning(role)


def _host(workspace: Workspace, replies: ReplyStore, desk: "Desk | None", tuning: "Callable[[Role], Tuning]") -> Agent:
    """The roles that a coding agent plays, by the same loop as a model's."""
    from counterproof.agents.host.agent import HostAgent
    from counterproof.agents.host.channel import HostChannel

    return HostAgent(HostChannel(desk, replies, workspace.ceiling.checkpoint), desk, tuning)


def _knowledge() -> tuple[modules.KnowledgeModule, ...]:
    return (*modules.shipped(), *modules.of_user())


def planned_agents(state: AuditState) -> int:
    """Hunters of the plan and, where phases 3 and 4 run, a diver and a validator."""
    hunters = sum(bool(task.model) for task in state.plan.tasks) if state.plan else 1
    return hunters + (2 if state.mode is not Mode.QUICK else 0)


def spent(events: Iterable[Event]) -> Cost:
    """What all processes of a run spent together, from its journal."""
    total = Cost()
    for event in events:
        if isinstance(event, AgentFinished | AgentFailed):
            total = total.plus(event.cost)
    return total


def receipt(cost: Cost, terms: ModelTerms | None) -> dict[str, Any]:
    """The receipt's lines on models and money."""
    lines: dict[str, Any] = {"tokens": cost.tokens, "cost_usd": dollars(cost.micros).removeprefix("$")}
    if terms:
        lines["models"] = {
            "team": terms.team,
            "prompts": terms.prompts,
            "budget_tokens": terms.budget_tokens,
            "budget_usd": dollars(terms.budget_micros).removeprefix("$") if terms.budget_micros is not None else None,
        }
    return lines
