"""Parses the arguments of tool calls: data of a fixed shape, or a rejection that says what is wrong (F11).

Invariant: no part of a call is used before it was validated against its shape. Not handled here: which tools exist.
"""

from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.hand_in import problems_of
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.agents.models.schemas import schema_text
from counterproof.toolbox.refusal import ToolRefused

MAX_ARGUMENTS = 20_000


class Arguments(BaseModel):
    """The shape of one tool's arguments."""

    model_config = ConfigDict(extra="forbid", strict=True)


Shape = TypeVar("Shape", bound=Arguments)


def spec(name: str, text: str, shape: type[Arguments]) -> ToolSpec:
    """A tool as it is offered."""
    return ToolSpec(name, text, schema_text(shape.model_json_schema()))


def arguments_of(call: ToolCall, shape: type[Shape]) -> Shape:
    """The validated arguments of a call. Raises `ToolRefused`."""
    if len(call.arguments) > MAX_ARGUMENTS:
        raise ToolRefused(f"the arguments have more than {MAX_ARGUMENTS:,} characters")
    try:
        parsed = parse(call.arguments or "{}")
        if not parsed.complete:
            raise Malformed("the arguments are cut off")
        return shape.model_validate(parsed.fields)
    except Malformed as error:
        raise ToolRefused(f"the arguments cannot be read: {error}") from error
    except ValidationError as error:
        raise ToolRefused(f"the arguments do not fit: {'; '.join(problems_of(error))}"[:300]) from error
