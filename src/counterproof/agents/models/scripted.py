"""Channels without a provider: one that answers from a function, shipped so that tests and demonstrations need no mock, and
one for a run that ends without its models."""

from collections.abc import Callable

from counterproof.agents.models.channel import Answer, Finish, Question, ToolCall
from counterproof.agents.models.faults import ChannelFailed, FaultKind
from counterproof.model.budget import Usage

Script = Callable[[Question], Answer]


class ScriptedChannel:
    """Answers every question from the script, and records the questions in order."""

    def __init__(self, script: Script, model: str = "scripted") -> None:
        self._script = script
        self._model = model
        self.asked: list[Question] = []

    @property
    def model(self) -> str:
        return self._model

    async def ask(self, question: Question) -> Answer:
        self.asked.append(question)
        return self._script(question)


class AbsentChannel:
    """Fails every question with the given reason, as if the model were down."""

    def __init__(self, model: str, reason: str) -> None:
        self.model = model
        self._reason = reason

    async def ask(self, question: Question) -> Answer:
        raise ChannelFailed(FaultKind.NOT_ASKED, self._reason)


def says(text: str, finish: Finish = Finish.STOP) -> Answer:
    """A text answer."""
    return Answer(text, (), finish, Usage(output=max(1, len(text) // 4)), "scripted")


def calls(*wanted: ToolCall, text: str = "") -> Answer:
    """An answer with tool calls."""
    return Answer(text, wanted, Finish.TOOL_CALLS, Usage(output=max(1, len(wanted) * 8)), "scripted")
