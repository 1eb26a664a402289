"""A channel that answers from a function. Shipped, so that tests and demonstrations need no provider and no mock."""

from collections.abc import Callable

from counterproof.agents.models.channel import Answer, Finish, Question, ToolCall
from counterproof.model.budget import Usage

Script = Callable[[Question], Answer]


class ScriptedChannel:
    """Answers every question with what the script says, and remembers the questions in the order they came."""

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


def says(text: str, finish: Finish = Finish.STOP) -> Answer:
    """An answer in words."""
    return Answer(text, (), finish, Usage(output=max(1, len(text) // 4)), "scripted")


def calls(*wanted: ToolCall, text: str = "") -> Answer:
    """An answer that asks for tools."""
    return Answer(text, wanted, Finish.TOOL_CALLS, Usage(output=max(1, len(wanted) * 8)), "scripted")
