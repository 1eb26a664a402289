"""The smallest real request of each role, to see before a run whether the provider takes it and what it does with it.

Always: a request has what a run's requests have (tools, the contract's schema, the limit of the answer, the effort) and no word
of any target; keys are never shown; one role's failure does not hide the next one's answer.
"""

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from counterproof.agents import tool_table
from counterproof.agents.context.tokens import tokens
from counterproof.agents.models import opening
from counterproof.agents.models.channel import Answer, Finish, Message, Question
from counterproof.agents.models.contract_text import schema_of
from counterproof.agents.models.prices import PriceList
from counterproof.agents.models.providers import ModelName
from counterproof.agents.models.team import AUDIT_ROLES, Team
from counterproof.agents.models.tuning import Tuning
from counterproof.model.budget import Limit
from counterproof.model.errors import CounterproofError
from counterproof.protocols.guard.budget import opened

if TYPE_CHECKING:
    from counterproof.agents.models.live import Terms

SYSTEM = "A program checks whether you can be reached. There is nothing to look at."
TEXT = "Call no tool. Answer with a JSON object that has as few fields as are accepted, all of them empty."
_MOST_TOKENS = 5_000_000
"""Only what a question could cost at most is held back from it; an answer to `TEXT` is short."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Roles that are asked alike: the same model, the same way, for the same contract."""

    model: ModelName
    roles: tuple[str, ...]
    schema: str
    tuning: Tuning

    @property
    def name(self) -> str:
        return f"{', '.join(self.roles)}: {self.model}"

    @property
    def questions(self) -> tuple[Question, ...]:
        """One, or two for a provider that takes no schema beside tools: with tools, and handing in."""
        turns = (False,) if self.model.provider.schema.beside_tools else (False, True)
        return tuple(
            Question(
                task=f"doctor {self.name}",
                attempt=1,
                step=step,
                system=SYSTEM,
                messages=(Message("user", TEXT),),
                tools=tool_table.audit_specs(),
                output=self.schema,
                max_output=self.tuning.output,
                effort=self.tuning.effort,
                hand_in=hand_in,
            )
            for step, hand_in in enumerate(turns, 1)
        )


@dataclass(frozen=True, slots=True)
class Tried:
    """What came of a shape: `problem` is why it was not accepted, with what to do in `hint`."""

    shape: Shape
    text: str = ""
    problem: str = ""
    hint: str = ""


def shapes(team: Team) -> tuple[Shape, ...]:
    """Every shape of the roles that models play, in the order of the roles."""
    found: dict[tuple[ModelName, str, Tuning], list[str]] = {}
    for seat, member in team.members:
        if isinstance(member, ModelName):
            found.setdefault((member, schema_of(AUDIT_ROLES[seat]), team.tuning(seat)), []).append(AUDIT_ROLES[seat].value)
    return tuple(Shape(model, tuple(roles), schema, tuning) for (model, schema, tuning), roles in found.items())


def announcement(team: Team) -> str:
    """What will be sent, for the user to read before."""
    asked = [question for shape in shapes(team) for question in shape.questions]
    size = sum(tokens(each.output or "") + sum(tokens(tool.schema + tool.description) for tool in each.tools) for each in asked)
    models = ", ".join(str(each) for each in team.models)
    return f"Sending {len(asked)} requests to {models}, about {size:,} tokens together. `--offline` sends nothing."


def tried(team: Team, environment: Mapping[str, str], prices: PriceList) -> Iterator[Tried]:
    """Send each shape's request, one after the other."""
    from counterproof.agents.models.live import Terms
    from counterproof.agents.models.purse import Purse
    from counterproof.agents.models.replies import MemoryReplies
    from counterproof.agents.models.retrying import Patience

    notes: list[str] = []
    purse = Purse(opened(Limit(tokens=_MOST_TOKENS), 1))
    terms = Terms(MemoryReplies(), purse, Patience(longest=5, total=10), notice=notes.append)
    for shape in shapes(team):
        notes.clear()
        try:
            answers, mode = asyncio.run(_ask(shape, environment, prices, terms))
        except CounterproofError as error:
            yield Tried(shape, problem=str(error), hint=error.hint)
        else:
            refused = [note for note in notes if "refused the schema" in note]
            yield Tried(shape, "; ".join([_accepted(answers), f"schema: {mode}", *refused, _cached(answers)]))


async def _ask(shape: Shape, environment: Mapping[str, str], prices: PriceList, terms: "Terms") -> tuple[tuple[Answer, ...], str]:
    channel = opening.open_channel(shape.model, environment, terms, prices)
    try:
        return tuple([await channel.ask(question) for question in shape.questions]), channel.schema_mode
    finally:
        await channel.close()


def _accepted(answers: tuple[Answer, ...]) -> str:
    last = answers[-1].finish
    said = "accepted" if last in (Finish.STOP, Finish.TOOL_CALLS, Finish.LENGTH) else f"accepted, but the answer is {last.value}"
    return f"{said} ({sum(each.usage.total for each in answers):,} tokens)"


def _cached(answers: tuple[Answer, ...]) -> str:
    cached = sum(each.usage.cached for each in answers)
    return (
        f"{cached:,} of {sum(each.usage.input for each in answers):,} input tokens from the cache"
        if cached
        else ("no cached tokens reported")
    )
