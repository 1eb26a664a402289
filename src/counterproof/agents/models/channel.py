"""The channel to a model as the agents see it: a question goes in, an answer comes out, or a named failure.

Invariant: a question is plain data with one canonical form, so that its digest names the same question in every process; an
answer says how it ended, and only `STOP` and `TOOL_CALLS` mean that the model finished. What a channel raises stands in
`faults`. How bytes travel, what they cost and where they are kept does not belong here.
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
    """A call that a model wants. `arguments` is the text as the model wrote it: unparsed, possibly no JSON at all."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a message that stands by itself: where it begins in the text, and the lines of files that it shows. An `inner`
    one is a piece of the last that is not."""

    start: int
    shows: tuple[tuple[str, int, int], ...] = ()
    inner: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """One turn. `calls` only from the assistant; `call_id` and `tool` say which call a tool message answers. `thoughts` is what
    the provider wants to have back of the model's thinking, in the provider library's own JSON; nobody else reads it. `parts`:
    where the text can be divided for a reader who knows some of it already."""

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
    """A tool as it is offered to the model. `schema` is the JSON schema of its arguments, as text."""

    name: str
    description: str
    schema: str


@dataclass(frozen=True, slots=True)
class Question:
    """Everything that is asked. `attempt` and `step` tell a retry and the next turn from a restart.

    `system` holds our instructions and stays the same through a conversation, so that providers can cache it. The first `stable`
    messages are the same for every task of a run and role. `output` is the JSON schema of the final answer, as text; it is
    enforced by providers that can do so. `hand_in`: tools are listed and may not be called any more. `effort` says how hard to
    think; '' leaves that to the model.
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
        """What was said before the model's first word: what the role's tasks share, and the task."""
        return "\n".join(each.text for each in self._before_answers())

    @property
    def task_text(self) -> str:
        """The part of the opening that is this task's own: the last message before the model's first word."""
        return self._before_answers()[-1].text

    def _before_answers(self) -> tuple[Message, ...]:
        return tuple(takewhile(lambda each: each.role == "user", self.messages))

    def text(self) -> str:
        """The canonical form."""
        return canonical(asdict(self))

    def digest(self, model: str) -> str:
        """What `ReplyKey.request` holds: another model is another question."""
        return digest(f"{model}\n{self.text()}")


class Finish(StrEnum):
    """How an answer ended. Only the first two are the model's own, complete word."""

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
    """What came back. `usage` is what was charged; `replayed` says that nothing was sent for it."""

    text: str
    calls: tuple[ToolCall, ...]
    finish: Finish
    usage: Usage
    model: str
    replayed: bool = False
    thoughts: str = ""


class Channel(Protocol):
    """Asks one model. Safe to use from many tasks at once."""

    @property
    def model(self) -> str: ...

    async def ask(self, question: Question) -> Answer:
        """Raises `ChannelFailed`, `BudgetExhausted` or `ProviderPause` (see `faults`); never returns half a reply as whole."""
        ...
