"""The path of a value from its source to the sink, step by step."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location


class StepKind(StrEnum):
    """The operation on the value at a step of a flow."""

    SOURCE = "source"
    ASSIGN = "assign"
    BUILD = "build"
    CALL = "call"
    RETURN = "return"
    GUARD = "guard"
    SINK = "sink"


class Break(StrEnum):
    """Why a flow could not be followed to its end (A24). Any break caps confidence at medium."""

    REFLECTION = "reflection"
    DYNAMIC_DISPATCH = "dynamic dispatch"
    CALLBACK = "callback"
    ASYNC_BOUNDARY = "async boundary"
    EXTERNAL_LIBRARY = "external library"
    DEPTH_LIMIT = "depth limit"

    @property
    def words(self) -> str:
        """Why the flow could not be followed, as reports say it."""
        return f"stops where {_BREAKS[self]}"


_BREAKS = {
    Break.REFLECTION: "the code picks what it calls by a name at run time",
    Break.DYNAMIC_DISPATCH: "several functions could be called",
    Break.CALLBACK: "a function is handed on and called elsewhere",
    Break.ASYNC_BOUNDARY: "the value passes through a queue, task or event",
    Break.EXTERNAL_LIBRARY: "a library takes the value, whose code was not read",
    Break.DEPTH_LIMIT: "more calls follow than are followed",
}


@dataclass(frozen=True, slots=True)
class FlowStep:
    """One step. `code` is the line in the file, `note` explains what happens there."""

    location: Location
    kind: StepKind
    code: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Flow:
    """Source first, sink last. Complete only if no step had to be guessed."""

    steps: tuple[FlowStep, ...]
    broken_by: Break | None = None

    def __post_init__(self) -> None:
        if not self.steps:
            raise InvalidValue("a flow needs at least one step")

    @property
    def complete(self) -> bool:
        return self.broken_by is None and self.steps[0].kind is StepKind.SOURCE and self.steps[-1].kind is StepKind.SINK

    @property
    def depth(self) -> int:
        return len(self.steps)

    @property
    def source(self) -> FlowStep:
        return self.steps[0]

    @property
    def sink(self) -> FlowStep:
        return self.steps[-1]
