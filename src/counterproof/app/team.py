"""The team of a run with models or a coding agent, for every job: who plays each seat, on a common budget.

Invariant: keys and servers come from the user's environment, never from the target (X15); every call is reserved before it is
made, and earlier processes' spending in the same run counts (R25). Calling a model belongs to `agents`; dependencies of models
are imported only if one takes part.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from counterproof.agents import roles
from counterproof.agents.models.team import AUDIT_ROLES, HOST, ROLES, Team, parse_team
from counterproof.app import leased
from counterproof.extras import command_for
from counterproof.model.budget import Limit, Usage, dollars
from counterproof.model.errors import UserError
from counterproof.model.plan.contract import PlanRole
from counterproof.ports import Observer, ReplyStore
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Cost, ModelTerms
from counterproof.runtime import crashpoints

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk
    from counterproof.agents.models.agent import Dialogue, ModelAgent
    from counterproof.agents.models.channel import Answer, Channel
    from counterproof.agents.models.live import LiveChannel
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.tuning import Tuning

PRICE_FILE = "prices.toml"
UNPRICED_TOKENS = 2_000_000
"""The token limit for a model without a known price, if the user set no limit."""
ABSENT_HOST = (
    "`host` means a connected coding agent, and none is connected",
    "connect one to `counterproof mcp` and let it start the run",
)


@dataclass(frozen=True, slots=True)
class Seating:
    """A protocol's seats: their names, the word for one, the digest of their players' prompts, and who pays for a task. A
    `fixed` run continues only with the prompts that it began with."""

    names: tuple[str, ...]
    what: str
    prompts: Callable[[], str]
    payer: Callable[[str], str] = str
    fixed: bool = True


NO_SEATS = Seating((), "seat", str)
"""For a protocol without models."""
AUDIT_SEATS = Seating(ROLES, "role", roles.digest, fixed=False)
PLAN_SEATS = Seating(tuple(role.value for role in PlanRole), "role of a plan verification", roles.plan_digest)


def review_seats(codes: Iterable[str]) -> Seating:
    """A specialist's share covers all its tasks, so that the budget applies to each specialist (R25)."""
    return Seating(tuple(codes), "specialist", roles.review_digest, lambda task: task.partition("-")[0])


@dataclass(slots=True)
class Staff:
    """The players, their channels, and the cost so far. `channels` are by player name; `live` are the ones to close; `planned`
    returns the plan's number of agents; `tell` receives progress messages."""

    team: Team = field(default_factory=Team)
    channels: "Mapping[str, Channel]" = field(default_factory=dict[str, "Channel"])
    purse: "Purse | None" = None
    limit: Limit = field(default_factory=Limit)
    desk: "Desk | None" = None
    window: int = 0
    live: "tuple[LiveChannel, ...]" = ()
    planned: Callable[[], int] = lambda: 1
    tell: Callable[[str, str], None] = lambda _who, _text: None
    agents: "dict[str, ModelAgent[Any, Any, Any]]" = field(default_factory=dict[str, Any])

    def agent(
        self, player: str, dialogue: "Callable[[], Dialogue[Any, Any, Any]]", seat: Callable[[Any], str]
    ) -> "ModelAgent[Any, Any, Any]":
        """The agent of a player, made once; `seat` returns the seat of a task."""
        from counterproof.agents.models.agent import Manner, ModelAgent

        if player not in self.agents:
            manner = Manner(lambda task: self._tuning(seat(task)), self.desk, self.watch)
            self.agents[player] = ModelAgent(self.channels[player], dialogue(), manner)
        return self.agents[player]

    def _tuning(self, seat: str) -> "Tuning":
        """The team's tuning, with the user's common window."""
        own = self.team.tuning(seat)
        return replace(own, window=self.window) if self.window else own

    def share_out(self) -> None:
        """Set each agent's budget share, once the plan states the number of agents (R25)."""
        if self.purse is not None and not self.purse.budget.spent and not self.purse.budget.holds:
            self.purse.budget = rules.opened(self.limit, max(1, self.planned()))

    def share(self) -> int | None:
        """The tokens that one agent may use, computed from the plan alone: the same after a restart."""
        return rules.opened(self.limit, max(1, self.planned())).share.tokens

    def watch(self, task: Any, answer: "Answer") -> None:
        """Report an agent's next action and the run's cost so far."""
        from counterproof.agents.models.spoken import doing

        used, total = answer.usage, self.purse.budget.used if self.purse else Cost()
        cached = f", {100 * used.cached // used.input} % cached" if used.cached else ""
        money = f", {dollars(total.micros)}" if total.micros else ""
        self.tell(task.agent_id, f"{doing(answer)} · {used.total:,} tokens{cached} · run: {total.tokens:,} tokens{money}")

    def cost_of(self, task: str) -> Cost:
        """The cost of a task's questions."""
        return self.purse.paid_for(task) if self.purse else Cost()

    async def close(self) -> None:
        for channel in self.live:
            await channel.close()


def team_of(seating: Seating, terms: ModelTerms | None) -> Team:
    """The team named by the user. Raises `UserError` if it is invalid."""
    return parse_team(terms.team, seating.names, seating.what) if terms and terms.team.strip() else Team()


def terms_of(
    seating: Seating, agents: str, budget_tokens: int, budget_usd: str, home: Path, window: int = 0
) -> ModelTerms | None:
    """The user's terms, checked before a run exists; None if no model was named. Raises `UserError`."""
    from counterproof.agents.models.opening import installed
    from counterproof.agents.models.prices import read_prices

    if not agents.strip():
        if budget_tokens or budget_usd or window:
            raise UserError("a budget and --window apply to models, and no model is configured", "add --agents PROVIDER:MODEL")
        return None
    listed = read_prices(home / PRICE_FILE)
    team = parse_team(agents := listed.completed(agents), seating.names, seating.what)
    if team.models and not installed():
        raise UserError("the libraries for models are not installed", f"`{command_for('models')}` installs them")
    prices = [listed.find(model) for model in team.models]
    known = [tariff for tariff in prices if tariff]
    priced = len(known) == len(prices) and not team.hosted  # a host's own spending is unknown
    million = 1_000_000
    return ModelTerms(
        team=agents,
        budget_tokens=budget_tokens or capped(budget_usd, len(known) < len(prices)),
        budget_micros=micros_of(budget_usd),
        input_price=max((tariff.at_most(million, 0) for tariff in known), default=0) if priced else None,
        output_price=max((tariff.at_most(0, million) for tariff in known), default=0) if priced else None,
        prompts=seating.prompts() if team.players else "",
        players=tuple((AUDIT_ROLES[seat], str(each)) for seat, each in team.players.items() if seat in AUDIT_ROLES),
        window=window or (team.tuning(team.members[0][0]).window if team.models and not seating.fixed else 0),
    )


def capped(budget_usd: str, unpriced: bool) -> int | None:
    """The default token limit of a run without limits. A limit in dollars cannot be enforced for a model without a price."""
    return UNPRICED_TOKENS if unpriced and not budget_usd else None


def micros_of(text: str) -> int | None:
    """Parse dollars as decimal text, never through a float."""
    if not text:
        return None
    whole, _, fraction = text.partition(".")
    digits = fraction or "0"
    if not (whole.isascii() and whole.isdigit() and digits.isascii() and digits.isdigit()) or len(whole) > 7 or len(digits) > 6:
        raise UserError(f"--budget-usd: {text!r} is not an amount in dollars", "use a number such as 5 or 2.50")
    return int(whole) * 1_000_000 + int(digits.ljust(6, "0"))


def refuse_absent_host(seating: Seating, terms: ModelTerms | None, desk: "Desk | None") -> None:
    """Reject a new run that needs a host if none is connected."""
    if desk is None and team_of(seating, terms).hosted:
        raise UserError(*ABSENT_HOST)


def tell_unpriced(staff: Staff, observer: Observer) -> None:
    """Name the models without a known price."""
    for channel in staff.live:
        if not channel.priced:
            most = f"{staff.limit.tokens or 0:,}"
            observer.narrate(f"The price of {channel.model} is not known; the run will stop at {most} tokens.")


def assemble(
    seating: Seating,
    terms: ModelTerms | None,
    replies: ReplyStore,
    home: Path,
    before: Callable[[], Iterable[Any]],
    desk: "Desk | None" = None,
    checkpoint: Callable[[], None] = lambda: None,
    agents: int = 1,
) -> Staff:
    """The staff of a run for about this many agents. Channels are opened but nothing is sent. Raises `UserError` for a missing
    key, price or limit. `desk` is where a host takes its tasks; without one the run pauses when a host must answer; `before`
    reads the run's events so far."""
    team = team_of(seating, terms)
    if terms is None or not team.players:
        return Staff(team)
    if seating.fixed and terms.prompts != seating.prompts():
        raise UserError("the prompts changed since this run began", "start it again")
    channels: dict[str, Channel] = {}
    if team.hosted:
        from counterproof.agents.host.channel import HostChannel

        channels[HOST] = HostChannel(desk, replies, checkpoint)
    staff = Staff(team, channels, desk=desk, window=_own_window(team, terms, seating))
    if team.models:
        _open_channels(staff, seating, terms, replies, home, before(), agents)
    return staff


def _own_window(team: Team, terms: ModelTerms, seating: Seating) -> int:
    """The user's common window; 0 if each model has its own."""
    usual = team.tuning(team.members[0][0]).window if team.models and not seating.fixed else 0
    return terms.window if terms.window != usual else 0


def _open_channels(
    staff: Staff, seating: Seating, terms: ModelTerms, replies: ReplyStore, home: Path, before: Iterable[Any], agents: int
) -> None:
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.opening import open_channel
    from counterproof.agents.models.prices import read_prices

    staff.purse = purse_of(seating, terms, before, agents)
    staff.limit = staff.purse.budget.limit
    shared, prices = Terms(replies, staff.purse, notice=crashpoints.notice), read_prices(home / PRICE_FILE)
    opened = {str(model): open_channel(model, os.environ, shared, prices) for model in staff.team.models}
    staff.channels, staff.live = {**staff.channels, **opened}, tuple(opened.values())


def purse_of(seating: Seating, terms: ModelTerms, before: Iterable[Any], agents: int) -> "Purse":
    """The budget, less what was already spent according to the journal."""
    from counterproof.agents.models.purse import Purse

    limit = Limit(terms.budget_tokens, terms.budget_micros)
    purse = Purse(rules.opened(limit, max(1, agents)), payer=seating.payer, common=leased.common_budget())
    for event in before:
        if (cost := paid_in(event)).tokens:
            purse.budget = rules.charged(purse.budget, seating.payer(event.answers), purse.phase, cost, Usage())
    return purse


def absent(seating: Seating, terms: ModelTerms | None, why: str) -> Staff:
    """The staff of a run that continues without its models and host: no key is needed, and their tasks fail with `why`."""
    from counterproof.agents.models.scripted import AbsentChannel

    team = team_of(seating, terms)
    return Staff(team, {str(name): AbsentChannel(str(name), why) for name in team.players.values()})


def paid_in(event: Any) -> Cost:
    """The cost of the task that ended with this event; a review's events state it in two numbers."""
    cost = getattr(event, "cost", None)
    return cost if isinstance(cost, Cost) else Cost(getattr(event, "tokens", 0), getattr(event, "micros", 0))


def spent(events: Iterable[Any]) -> Cost:
    """The total cost of all processes of a run, from its journal."""
    total = Cost()
    for event in events:
        total = total.plus(paid_in(event))
    return total


def without_keys(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for the user's own servers: without the keys of model providers."""
    from counterproof.agents.models.providers import PROVIDERS

    keys = {name for provider in PROVIDERS for name in provider.keys}
    return {name: value for name, value in environment.items() if name not in keys}


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
