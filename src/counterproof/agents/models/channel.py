"""The channel to a model as agents see it: takes a question, returns an answer or raises a named failure.

Invariant: a question is plain data with one canonical form, so that its digest is the same in every process; an answer states
how it ended, and only `STOP` and `TOOL_CALLS` mean that the model finished. `faults` lists what a channel raises. Not handled
here: transport, costs, storage.
"""

from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import takewhile
from typing import Literal, Protocol

from counterproof.model.budget import Usage
from counterproof.model.canonical import canonical, digest
from counterproof.model.errors import InvalidValue

Speaker = Literal["user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call requested by a model. `arguments` is the model's text: unparsed, possibly not JSON."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Part:
    """An independent part of a message: its offset in the text, and the lines of files that it shows. An `inner` part belongs
    to the last part that is not."""

    start: int
    shows: tuple[tuple[str, int, int], ...] = ()
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. Only the assistant has `calls`; `call_id` and `tool` identify the call that a tool message answers. `thoughts`
    is provider data about the model's thinking that must be sent back, in the provider library's JSON; nothing else reads it.
    `parts`: where the text can be split for a reader who already knows some of it."""

    role: Speaker
    text: str
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    tool: str = ""
    thoughts: str = ""
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        if self.calls and self.role != "assistant":
            raise InvalidValue("only the assistant calls tools")
        if (self.role == "tool") != bool(self.call_id and self.tool):
            raise InvalidValue("a tool message, and no other, names the call and the tool that it answers")


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as offered to the model. `schema` is the JSON schema of its arguments, as text."""

    name: str
    description: str
    schema: str


@dataclass(frozen=True, slots=True)
class Question:
    """A complete question. `attempt` and `step` distinguish a retry and the next turn from a restart.

    `system` holds our instructions and is constant through a conversation, so that providers can cache it. The first `stable`
    messages are the same for every task of a run and role. `output` is the JSON schema of the final answer, as text; providers
    that can do so enforce it. `hand_in`: tools are listed but must no longer be called. `effort` is the thinking effort; ''
    leaves it to the model.
    """

    task: str
    attempt: int
    step: int
    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    output: str | None = None
    max_output: int = 8_192
    effort: str = ""
    stable: int = 0
    hand_in: bool = False

    def __post_init__(self) -> None:
        if not self.task or not self.messages:
            raise InvalidValue("a question names its task and says something")
        if self.max_output < 1:
            raise InvalidValue("a question allows for at least one token of answer")

    @property
    def may_call(self) -> bool:
        """True if the model may still call tools."""
        return bool(self.tools) and not self.hand_in

    @property
    def opening(self) -> str:
        """All text before the model's first reply: the part shared by the role's tasks, and the task."""
        return "\n".join(each.text for each in self._before_answers())

    @property
    def task_text(self) -> str:
        """The task's own part of the opening: the last message before the model's first reply."""
        return self._before_answers()[-1].text

    def _before_answers(self) -> tuple[Message, ...]:
        return tuple(takewhile(lambda each: each.role == "user", self.messages))

    def text(self) -> str:
        """The canonical form of the question."""
        return canonical(asdict(self))

    def digest(self, model: str) -> str:
        """The value of `ReplyKey.request`: a different model makes a different question."""
        return digest(f"{model}\n{self.text()}")


class Finish(StrEnum):
    """How an answer ended. Only the first two are complete answers by the model."""

    STOP = "stop"
    TOOL_CALLS = "tool calls"
    LENGTH = "length"
    REFUSED = "refused"
    FILTERED = "filtered"
    EMPTY = "empty"
    CUT = "cut"

    @property
    def complete(self) -> bool:
        return self in (Finish.STOP, Finish.TOOL_CALLS)


UNREVIEWED = {
    Finish.REFUSED: "the model refused to answer",
    Finish.FILTERED: "the provider's filter withheld the answer",
    Finish.EMPTY: "the model answered nothing",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer. `usage` is what was charged; `replayed`: a stored reply was used, nothing was sent."""

    text: str
    calls: tuple[ToolCall, ...]
    finish: Finish
    usage: Usage
    model: str
    replayed: bool = False
    thoughts: str = ""


class Channel(Protocol):
    """Asks one model. Safe for concurrent use by many tasks."""

    @property
    def model(self) -> str: ...

    async def ask(self, question: Question) -> Answer:
        """Raises `ChannelFailed`, `BudgetExhausted` or `ProviderPause` (see `faults`); never returns a truncated reply as
        complete."""
        ...
