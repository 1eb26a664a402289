"""Tools for a coding agent that plays a role: take a task, read code through the metered toolbox, submit the result.

Invariant: nothing is decided here; every call goes to the desk of its run, where the models' loop meters, records, verifies or
rejects it. A task is named by its run and its own id, so no call can reach another run by mistake.
"""

import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from counterproof.agents.host.desk import Said
from counterproof.agents.models.channel import ToolCall
from counterproof.agents.models.tool_arguments import Arguments
from counterproof.agents.tool_shapes import audit_tools
from counterproof.app.host_process import RemoteDesk
from counterproof.app.host_runs import HostRuns
from counterproof.mcp import words
from counterproof.mcp.run_tools import Run, status_of
from counterproof.model.errors import UserError

MAX_RESULT = 400_000
MAX_BATCH = 8
WAIT = 45.0

TaskId = Annotated[str, Field(max_length=300, description="The task id from next_task.")]
OwnTask = Annotated[str, Field(max_length=300, description="The id of a task you already have; leave it out to take a new one.")]
Page = Annotated[int, Field(ge=1, le=1_000, description="The page of a task you already have.")]
Wait = Annotated[int, Field(ge=0, le=50, description="How long to wait for a task.")]
Reply = Annotated[
    str | dict[str, Any], Field(description="The JSON object that the task's contract asks for, or text containing it.")
]
Context = Annotated[
    str, Field(max_length=40, description="A name for the conversation working on the task; each sub-agent gives its own name.")
]


class Call(BaseModel):
    """One call of a batch."""

    model_config = ConfigDict(extra="forbid")

    tool: Literal[
        "read", "grep", "glob", "git_log", "symbols", "callers", "trace", "knowledge", "memory_search", "finding"
    ]  # fmt: skip
    arguments: Annotated[dict[str, Any], Field(max_length=10)] = {}


class TaskTools:
    """Each public method is one tool; its docstring is what the coding agent reads."""

    def __init__(self, host_runs: HostRuns) -> None:
        self._runs = host_runs

    def next_task(
        self, run: Run = "latest", task_id: OwnTask = "", page: Page = 1, wait_seconds: Wait = 20, context: Context = ""
    ) -> list[str]:
        """Take the next task of a run that you take part in, or read on in one that you hold (give its task_id).

        The first line says what came: `task_id: …` for a task, else `state:` with `wait` (none waits now), `apart` (one waits
        that another context should take), `held` (the run waits for another context's result), `busy`
        (the engine works on this one), `ended` (this one has) or `over` (the run has). A task that you hold comes again.

        A long task comes in pages: give its task_id and `page` for the rest. Texts are shown once per context: what an earlier
        task of the same `context` showed is only referred to. A sub-agent, or a conversation that lost earlier texts, gives a
        `context` of its own (any new name) and is shown everything. Validation counts only from a context that did not find what
        it judges: let a sub-agent take such a task.
        """
        if task_id:
            desk, name = self._desk(task_id)
            shown = desk.again(name, float(wait_seconds))
            return words.task(shown, task_id, bool(shown.messages) and shown.messages[0].role == "user", page)
        found = self._runs.find(run)
        live = self._runs.live(found)
        if live is None:
            raise UserError(f"run {found.id} is not in progress here", "call start_audit or resume_audit first")
        taken = live.desk.take(float(wait_seconds), context)
        if taken is not None and taken.elsewhere:
            return ["state: apart", words.ELSEWHERE]
        if taken is not None and taken.held:
            return ["state: held", words.HELD.format(f"{found.id}:{taken.task}")]
        if taken is not None:
            return words.task(taken, f"{found.id}:{taken.task}", anew=True)
        told = status_of(self._runs, found)
        waits = ["state: wait", *told, "No task is ready now. Call next_task again, or wait with audit_status."]
        return waits if live.going else ["state: over", *told]

    def submit_result(self, task_id: TaskId, reply: Reply) -> list[str]:
        """Hand in the result of a task. What breaks the contract comes back with the reasons, to be fixed in the turns left."""
        text = reply if isinstance(reply, str) else json.dumps(reply)
        if len(text) > MAX_RESULT:
            raise UserError(f"the result has more than {MAX_RESULT:,} characters", "submit the most important results")
        return self._answered(task_id, Said(text))

    def use_tools(self, task_id: TaskId, calls: Annotated[list[Call], Field(min_length=1, max_length=MAX_BATCH)]) -> list[str]:
        """Make several calls of the task tools in one turn, each with the name of a tool and its arguments."""
        return self._called(task_id, *((each.tool, each.arguments) for each in calls))

    def _called(self, task_id: str, *calls: tuple[str, dict[str, Any]]) -> list[str]:
        return self._answered(task_id, Said(calls=tuple(ToolCall("", name, json.dumps(given)) for name, given in calls)))

    def _answered(self, task_id: str, said: Said) -> list[str]:
        desk, name = self._desk(task_id)
        shown = desk.answer(name, said, WAIT)
        if shown.opens:  # a task too large for one conversation continues with its next part
            return [
                "That part is finished. This task continues with another part:",
                *words.task(shown, task_id, anew=True),
            ]
        own = replace(shown, messages=tuple(each for each in shown.messages if each.role != "assistant"))
        return words.task(own, task_id, anew=False)

    def _desk(self, task_id: str) -> tuple[RemoteDesk, str]:
        run, colon, name = task_id.partition(":")
        live = self._runs.live(self._runs.find(run)) if colon and run else None
        if live is None:
            raise UserError(f"there is no task {task_id[:120]!r} here", "next_task returns tasks with their ids")
        return live.desk, name


def look_ups(use: Callable[[str, list[Call]], list[str]]) -> dict[str, Callable[..., list[str]]]:
    """The tools that look at the code, from the table of the models' tools. `use` makes the calls."""
    return {f"task_{name}": _look_up(use, name, text, shape) for name, text, shape in audit_tools()}


def _look_up(
    use: Callable[[str, list[Call]], list[str]], name: str, text: str, shape: type[Arguments]
) -> Callable[..., list[str]]:
    def look_up(task_id: str, **given: Any) -> list[str]:
        arguments = shape(**given).model_dump(exclude_defaults=True)
        return use(task_id, [Call.model_validate({"tool": name, "arguments": arguments})])

    task = inspect.Parameter("task_id", inspect.Parameter.KEYWORD_ONLY, annotation=TaskId)
    setattr(look_up, "__signature__", inspect.Signature([task, *inspect.signature(shape).parameters.values()]))  # noqa: B010
    look_up.__doc__ = text
    return look_up
