"""The workbench: the answer to a question is a search, and the line that it names is read again before it counts."""

from typing import Any

from counterproof.analysis.project import Project
from counterproof.app.driving import Failed, attempted
from counterproof.app.executor import Shift
from counterproof.app.team import Staff
from counterproof.ports import Emit
from counterproof.toolbox.bench import Bench
from counterproof.toolbox.looking import Looking
from counterproof.toolbox.threads import in_daemon_thread

from . import protocol
from .protocol import Answered, Row, Task


class ChecklistWorkbench:
    concurrent = 4

    def __init__(self, project: Project) -> None:
        self._looking = Looking(Bench(project))

    def close(self) -> None:
        self._looking.close()

    async def act(self, command: Any, emit: Emit, shift: Shift) -> None:
        raise TypeError(f"no such command: {type(command).__name__}")

    def describe(self, task: Task) -> tuple[str, str]:
        return task.agent_id, task.question.text

    def is_modelled(self, task: Task, staff: Staff) -> bool:
        return False

    async def work(self, task: Task, emit: Emit, shift: Shift) -> None:
        async with shift.turn:
            done = await attempted(in_daemon_thread(lambda: self._answer(task)), shift.again)
        await emit(protocol.Failed(task.id, done.reason) if isinstance(done, Failed) else Answered(task.id, done))

    def _answer(self, task: Task) -> Row:
        question = task.question
        found = self._looking.grep(question.pattern, question.glob)
        if not found.shown:
            return Row(question, searched=self._looking.glob(question.glob or "**").total)
        first = found.shown[0]
        read = self._looking.read(first.path, first.line, first.line).lines[0]
        return Row(question, first.path, first.line, read.text)
