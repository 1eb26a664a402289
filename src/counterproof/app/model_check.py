"""Sends the smallest real request of each role of the three protocols, to check before a run that the provider accepts it.

Invariant: a request has the parts of a run's requests (tools, the contract's schema, the effort) and no text from any target;
keys are never shown; a failing role does not hide the next role's result; nothing is sent twice, and each result is reported
at once.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterproof.agents import tool_table
from counterproof.agents.context.tokens import tokens
from counterproof.agents.models import opening
from counterproof.agents.models.channel import Answer, Finish, Message, Question, ToolSpec
from counterproof.agents.models.contract_text import schema_of
from counterproof.agents.models.prices import PriceList, is_own
from counterproof.agents.models.providers import ModelName
from counterproof.agents.models.schemas import schema_text
from counterproof.agents.models.talk import FIRST_TOOLS
from counterproof.agents.models.team import AUDIT_ROLES, Team, parse_team
from counterproof.agents.models.tuning import Tuning
from counterproof.agents.planning.contract_text import shape_of
from counterproof.agents.planning.modelled import TOOLS as PLAN_TOOLS
from counterproof.agents.specialists.model.specialist import TOOLS as REVIEW_TOOLS
from counterproof.agents.specialists.model.wire import schema_of as review_schema_of
from counterproof.app.team import AUDIT_SEATS, PLAN_SEATS, Seating, review_seats
from counterproof.knowledge.profiles import load_profile
from counterproof.model.budget import Limit
from counterproof.model.errors import CounterproofError, UserError
from counterproof.model.plan.contract import PlanRole, PlanTask
from counterproof.model.plan.research import ResearchMode
from counterproof.model.review.contract import ReviewTask, Work
from counterproof.protocols.guard.budget import opened

if TYPE_CHECKING:
    from counterproof.agents.models.live import Terms

SYSTEM = "This is a connection test. There is no code to review."
TEXT = "Call no tool. Answer with a JSON object that has as few fields as are accepted, all of them empty."
LEAST_ANSWER = 16
"""In tokens: some providers reject fewer. A truncated answer shows just as well that the request was accepted."""
_MOST_TOKENS = 5_000_000
"""Bounds the reserved cost of a request; an answer to `TEXT` is short."""


@dataclass(frozen=True, slots=True)
class Contract:
    """The contract of one role's results. `seat` is the role's seat, `name` its display name."""

    seat: str
    name: str
    schema: str
    tools: tuple[ToolSpec, ...]


@dataclass(frozen=True, slots=True)
class Cast:
    """The models of one protocol's seats, and the contracts of these seats."""

    team: Team
    contracts: tuple[Contract, ...]


def casts(text: str) -> tuple[Cast, ...]:
    """The protocols whose seats this list of agents names; all three if it names no seat. Raises `UserError` if it fits none."""
    profile, found, refusals = load_profile("code"), list[Cast](), list[UserError]()
    seatings = (
        (AUDIT_SEATS, _audit_contracts),
        (review_seats(each.code for each in profile.specialists), _review_contracts),
        (PLAN_SEATS, _plan_contracts),
    )
    for seating, contracts in seatings:
        try:
            found.append(Cast(parse_team(text, seating.names, seating.what), contracts(seating)))
        except UserError as error:
            refusals.append(error)
    if not found:
        raise refusals[0]
    return tuple(found)


def _audit_contracts(seating: Seating) -> tuple[Contract, ...]:
    tools = tool_table.audit_specs()
    return tuple(Contract(seat, AUDIT_ROLES[seat].value, schema_of(AUDIT_ROLES[seat]), tools) for seat in seating.names)


def _review_contracts(seating: Seating) -> tuple[Contract, ...]:
    """The contracts, which are the same for every specialist."""
    profile = load_profile("code")
    asked = [ReviewTask("", "", work, profile.specialists[0], 1, 1) for work in Work]
    schemas = [(f"review {task.work.value}", review_schema_of(task, profile)) for task in asked]
    return tuple(Contract(seat, name, schema, REVIEW_TOOLS) for name, schema in schemas for seat in seating.names)


def _plan_contracts(_: Seating) -> tuple[Contract, ...]:
    asked = {f"plan {role.value}": PlanTask("", "", role, 1, 1) for role in PlanRole if role is not PlanRole.RESEARCHER}
    asked |= {f"plan {mode.value}": PlanTask("", "", PlanRole.RESEARCHER, 1, 1, mode) for mode in ResearchMode}
    asked["plan score"] = PlanTask("", "", PlanRole.SYNTHESIZER, 1, 1, scoring=True)
    schemas = {name: schema_text(shape_of(task).model_json_schema()) for name, task in asked.items()}
    return tuple(Contract(asked[name].role.value, name, schema, PLAN_TOOLS) for name, schema in schemas.items())


def models_of(asked: tuple[Cast, ...]) -> tuple[ModelName, ...]:
    """Every model once."""
    return tuple(dict.fromkeys(model for each in asked for model in each.team.models))


@dataclass(frozen=True, slots=True)
class Shape:
    """Roles with the same kind of request: the same model, tuning and contract. `first`: its model's first request with these
    tools."""

    model: ModelName
    roles: tuple[str, ...]
    schema: str
    tools: tuple[ToolSpec, ...]
    tuning: Tuning
    first: bool

    @property
    def name(self) -> str:
        return f"{', '.join(self.roles)}: {self.model}"

    @property
    def questions(self) -> tuple[Question, ...]:
        """One question. A provider that accepts no schema together with tools gets one with tools, and one per shape for the
        result."""
        apart = (False, True) if self.first else (True,)
        turns = (False,) if self.model.provider.schema.beside_tools else apart
        return tuple(self._question(step, hand_in) for step, hand_in in enumerate(turns, 1))

    def _question(self, step: int, hand_in: bool) -> Question:
        """The first question to a provider allows an answer as long as in a run, to check that limit."""
        whole = self.first and step == 1 and not is_own(self.model)
        return Question(
            task=f"doctor {self.name}",
            attempt=1,
            step=step,
            system=SYSTEM,
            messages=(Message("user", TEXT),),
            tools=self.tools[: FIRST_TOOLS if self.tuning.small else None],
            output=self.schema or None,
            max_output=self.tuning.output if whole else LEAST_ANSWER,
            effort=self.tuning.effort,
            hand_in=hand_in,
        )


def shapes(asked: tuple[Cast, ...]) -> tuple[Shape, ...]:
    """Every request shape of the roles that models play, in role order."""
    found: dict[tuple[ModelName, str, Tuning, tuple[ToolSpec, ...]], dict[str, None]] = {}
    for team, each in ((part.team, contract) for part in asked for contract in part.contracts):
        member = team.model(each.seat)
        if isinstance(member, ModelName):
            schema = each.schema if member.provider.schema.native else ""
            found.setdefault((member, schema, team.tuning(each.seat), each.tools), {})[each.name] = None
    known: list[Shape] = []
    for (model, schema, tuning, tools), roles in found.items():
        first = all((each.model, each.tools) != (model, tools) for each in known)
        known.append(Shape(model, tuple(roles), schema, tools, tuning, first))
    return tuple(known)


def announcement(asked_of: tuple[Cast, ...]) -> str:
    """The announcement of what will be sent."""
    asked = [question for shape in shapes(asked_of) for question in shape.questions]
    size = sum(tokens(each.output or "") + sum(tokens(tool.schema + tool.description) for tool in each.tools) for each in asked)
    models = ", ".join(str(each) for each in models_of(asked_of))
    return f"Sending {len(asked)} requests to {models}, about {size:,} tokens together. `--offline` sends nothing."


def tried(
    asked: tuple[Cast, ...], environment: Mapping[str, str], prices: PriceList
) -> Iterator[tuple[str, str | CounterproofError]]:
    """Send each shape's request, one after the other. Yields each result, or the error."""
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.replies import MemoryReplies
    from counterproof.agents.models.retrying import Patience

    notes: list[str] = []
    purse = Purse(opened(Limit(tokens=_MOST_TOKENS), 1))
    terms = Terms(MemoryReplies(), purse, Patience(longest=5, total=10), notice=notes.append)
    for shape in shapes(asked):
        notes.clear()
        try:
            answers, mode = asyncio.run(_ask(shape, environment, prices, terms))
        except CounterproofError as error:
            yield shape.name, error
        else:
            refused = [note for note in notes if "refused the schema" in note]
            yield shape.name, "; ".join([_accepted(answers), f"schema: {mode}", *refused, _cached(answers)])


async def _ask(shape: Shape, environment: Mapping[str, str], prices: PriceList, terms: "Terms") -> tuple[tuple[Answer, ...], str]:
    from counterproof.agents.models.transport import Deadlines

    channel = opening.open_channel(shape.model, environment, terms, prices, Deadlines(first=120, total=180))
    try:
        return tuple([await channel.ask(question) for question in shape.questions]), channel.schema_mode
    finally:
        await channel.close()


def _accepted(answers: tuple[Answer, ...]) -> str:
    last = answers[-1].finish
    said = (
        "accepted" if last in (Finish.STOP, Finish.TOOL_CALLS, Finish.LENGTH) else f"accepted, but the response is {last.value}"
    )
    return f"{said} ({sum(each.usage.total for each in answers):,} tokens)"


def _cached(answers: tuple[Answer, ...]) -> str:
    cached, whole = (sum(figures) for figures in zip(*((each.usage.cached, each.usage.input) for each in answers), strict=True))
    return f"{cached:,} of {whole:,} input tokens from the cache" if cached else "no cached tokens reported"
