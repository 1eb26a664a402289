"""An agent that plays back what a test or a demonstration wrote down for it. Shipped, so that nobody needs a mock.

A script maps a task id to what happens: a reply, or an exception. A task without a line in the script is a loud failure.
"""

from collections.abc import Callable, Mapping
from typing import Any

from counterproof.model.contract import AgentReply, AgentTask
from counterproof.model.errors import CounterproofError

Line = AgentReply | BaseException | Callable[[AgentTask, Any], AgentReply]


class ScriptedAgent:
    """Plays one line per task and remembers the tasks in the order they came."""

    def __init__(self, script: Mapping[str, Line]) -> None:
        self._script = script
        self.asked: list[str] = []

    async def run(self, task: AgentTask, toolbox: Any) -> AgentReply:
        self.asked.append(task.id)
        line = self._script.get(task.id)
        if line is None:
            raise CounterproofError(f"the script has no line for {task.id}")
        if isinstance(line, BaseException):
            raise line
        return line if isinstance(line, AgentReply) else line(task, toolbox)
