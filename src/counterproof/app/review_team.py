"""Who plays the specialists of a review: the embedded one, or models that the user named, all on one purse.

    anthropic:claude-sonnet-4-5                     one model for every specialist
    SEC=openai:gpt-5,CORR=anthropic:claude-opus-4-5,analyst     models by specialist; the embedded one for the rest
    SEC=host,analyst                                a coding agent that takes its tasks over MCP

Always: keys and servers come from the user's environment, never from the target (X15); what earlier processes of the same run
spent counts; every call is reserved before it is made, and a specialist's share is one over all its tasks, so that the budget
holds for each of them (R25).
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from counterproof.agents import roles
from counterproof.agents.models.providers import ModelName
from counterproof.agents.models.team import ANALYST, HOST, Member, seats
from counterproof.app.model_team import PRICE_FILE
from counterproof.extras import command_for
from counterproof.model.budget import Limit, Usage
from counterproof.model.errors import UserError
from counterproof.ports import ReplyStore
from counterproof.protocols.guard import budget as rules
from counterproof.protocols.guard.budget import Cost
from counterproof.protocols.review.events import ReplyFailed, ReplyTaken
from counterproof.protocols.review.request import ReviewRequest
from counterproof.protocols.review.tasks import ADVOCATE
from counterproof.runtime import crashpoints
from counterproof.runtime.home import Home

if TYPE_CHECKING:
    from counterproof.agents.host.desk import Desk
    from counterproof.agents.models.channel import Channel
    from counterproof.agents.models.live import LiveChannel
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.tuning import Tuning
    from counterproof.agents.specialists.model.specialist import Means, ModelSpecialist

Player = ModelName | Literal["host"]


@dataclass(slots=True)
class ReviewStaff:
    """Models by specialist; whoever is not in it is embedded."""

    models: "Mapping[str, ModelSpecialist]" = field(default_factory=dict[str, "ModelSpecialist"])
    purse: "Purse | None" = None
    channels: "tuple[LiveChannel, ...]" = ()
    _shared: bool = False

    def spent(self, task: str) -> Cost:
        """What the questions of a task cost so far."""
        return self.purse.paid_for(task) if self.purse else Cost()

    def rebalance(self) -> None:
        """After the first phase, once: what nobody used is shared among all (R25)."""
        if self.purse and not self._shared:
            self._shared = True
            self.purse.rebalance(max(1, len(self.models)))

    async def close(self) -> None:
        for each in self.channels:
            await each.close()


def team_of(text: str, codes: tuple[str, ...]) -> dict[str, Player]:
    """The models by specialist, from `--agents` as the user wrote it; `HOST` stands for a coding agent."""
    return {code: player for code, (player, _) in _seats(text, codes).items() if player is not None}


def _seats(text: str, codes: tuple[str, ...]) -> "dict[str, tuple[Member, Tuning]]":
    usage = f"write PROVIDER:MODEL, or CODE=PROVIDER:MODEL,… with {', '.join(codes)}; `{ANALYST}` stands for the embedded one"
    return seats(text, codes, "specialist", usage) if text.strip() else {}


def players(request: ReviewRequest) -> tuple[Player, ...]:
    """Who plays specialists beside the embedded one."""
    return tuple(team_of(request.agents, tuple(each.code for each in request.profile.specialists)).values())


def completed(agents: str) -> str:
    """The agents with what the user's price file says of how their models are asked."""
    from counterproof.agents.models.prices import read_prices

    return read_prices(Home().root / PRICE_FILE).completed(agents)


def checked(agents: str, codes: tuple[str, ...]) -> str:
    """The digest of the prompts that the models will get; '' without models. Raises `UserError` before a run exists."""
    from counterproof.agents.models.opening import installed

    models = team_of(agents, codes)
    if any(isinstance(each, ModelName) for each in models.values()) and not installed():
        raise UserError("the libraries for models are not installed", f"`{command_for('models')}` installs them")
    return roles.review_digest() if models else ""


def assemble(
    request: ReviewRequest, replies: ReplyStore, home: Path, before: Iterable[Any], desk: "Desk | None" = None
) -> ReviewStaff:
    """The staff of a run. Channels are opened but nothing is sent. Raises `UserError` for a missing key, price or limit. `desk`
    is where a coding agent takes its tasks; without one the run pauses where it would have to answer."""
    codes = tuple(each.code for each in request.profile.specialists)
    players = team_of(request.agents, codes)
    if not players:
        return ReviewStaff()
    if request.prompts != roles.review_digest():
        raise UserError("the prompts of this version are not those that the run began with", "start the review again")
    models = {code: player for code, player in players.items() if isinstance(player, ModelName)}
    purse = purse_of(request, len(players), before)
    opened = _opened(tuple(dict.fromkeys(models.values())), replies, purse, home)
    staff = staffed({code: opened[model] for code, model in models.items()}, purse, tuple(opened.values()), len(players))
    for code, (_, tuning) in _seats(request.agents, codes).items():
        if code in models:
            staff.models[code].tuned(tuning)
    hosted = tuple(code for code, player in players.items() if player == HOST)
    if hosted:
        from counterproof.agents.context.pack import Room
        from counterproof.agents.context.review import HOST_ROOM, TASK_ROOM
        from counterproof.agents.host.channel import HostChannel
        from counterproof.agents.host.players import HostSpecialist
        from counterproof.agents.specialists.model.specialist import Means

        host = HostSpecialist(HostChannel(desk, replies, lambda: None), desk, Means(Room(HOST_ROOM, TASK_ROOM)))
        staff.models = {**staff.models, **dict.fromkeys(hosted, host)}
        if len(players) == 1:
            staff.models = {**staff.models, ADVOCATE.code: host}
    return staff


def absent(request: ReviewRequest, why: str) -> ReviewStaff:
    """The staff of a run whose models and host are asked no more: no key is needed, and each of their tasks fails with `why`."""
    from counterproof.agents.models.scripted import AbsentChannel

    players = team_of(request.agents, tuple(each.code for each in request.profile.specialists))
    return staffed({code: AbsentChannel(str(player), why) for code, player in players.items()}, None)


def _opened(models: tuple[ModelName, ...], replies: ReplyStore, purse: "Purse", home: Path) -> "dict[ModelName, LiveChannel]":
    if not models:
        return {}
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.opening import open_channel
    from counterproof.agents.models.prices import read_prices

    terms = Terms(replies, purse, notice=crashpoints.notice)
    prices = read_prices(home / PRICE_FILE)
    return {model: open_channel(model, os.environ, terms, prices) for model in models}


def staffed(
    channels: "Mapping[str, Channel]", purse: "Purse | None", opened: "tuple[LiveChannel, ...]" = (), players: int = 0
) -> ReviewStaff:
    """A staff on these channels, of so many players in all. A team of one meets its own model as the devil's advocate (R17)."""
    from counterproof.agents.specialists.model.specialist import ModelSpecialist

    means = means_of(purse, players or len(channels))
    models = {code: ModelSpecialist(channel, means) for code, channel in channels.items()}
    if len(models) == 1 and players <= 1:
        models[ADVOCATE.code] = next(iter(models.values()))
    return ReviewStaff(models, purse, opened)


def means_of(purse: "Purse | None", specialists: int) -> "Means":
    """What each specialist may be shown and look up, from the tokens of the whole run (R25, R42)."""
    from counterproof.agents.context.review import room_of
    from counterproof.agents.specialists.model.specialist import Means

    total = purse.budget.limit.tokens if purse else None
    share = total // max(1, specialists) if total else 0
    return Means(room_of(total, specialists), share, purse.spent_by if purse else lambda _: 0)


def purse_of(request: ReviewRequest, agents: int, before: Iterable[Any]) -> "Purse":
    """The budget, with what the journal says was spent already."""
    from counterproof.agents.models.purse import Purse

    limit = Limit(None if request.unlimited else request.tokens, request.budget_micros)
    purse = Purse(rules.opened(limit, max(1, agents)), payer=specialist_of)
    for answers, cost in _paid(before):
        purse.budget = rules.charged(purse.budget, specialist_of(answers), purse.phase, cost, Usage())
    return purse


def spent(events: Iterable[Any]) -> Cost:
    """What all processes of a run spent together, from its journal."""
    return reduce(Cost.plus, (cost for _, cost in _paid(events)), Cost())


def _paid(events: Iterable[Any]) -> Iterator[tuple[str, Cost]]:
    for event in events:
        if isinstance(event, ReplyTaken | ReplyFailed) and event.tokens:
            yield event.answers, Cost(event.tokens, event.micros)


def specialist_of(task: str) -> str:
    """Whose task it is: the code before the first dash."""
    return task.partition("-")[0]
