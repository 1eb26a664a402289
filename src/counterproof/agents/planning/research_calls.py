"""The tools of plan agents as models see them: looks at the code, and for researchers history, memory and the web (P10, P18).

Always: only tools that the task has an allowance for are offered; none writes or reaches a network. The web is there only where
the user named a server for it.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from counterproof.agents import looking_calls
from counterproof.agents.looking_calls import Word
from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.tool_arguments import Arguments, arguments_of, spec
from counterproof.model.plan.contract import PlanTask, Tool
from counterproof.model.plan.research import UnknownType
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.plan_tools import PlanTools
from counterproof.toolbox.refusal import ToolRefused


class _Words(Arguments):
    words: Annotated[list[Word], Field(min_length=1, max_length=10)]


class _Search(Arguments):
    query: Word
    type: Literal["FILE_MISSING", "API_BEHAVIOR", "PRIOR_DECISION", "STALE_KNOWLEDGE", "INTEGRATION_UNKNOWN"] = "API_BEHAVIOR"
    temporal: bool = False


class _Fetch(Arguments):
    url: Annotated[str, StringConstraints(min_length=8, max_length=500)]


Answer = tuple[Category, str]


def _recall(tools: PlanTools, given: Any) -> Answer:
    notes = tools.recall(tuple(given.words))
    if notes is None:
        raise ToolRefused("the budget is used up, or there is no memory")
    return Category.CONTEXT, "\n".join(f"{each.key} ({each.plan}) {each.claim}: {each.text}" for each in notes) or "no notes"


def _search(tools: PlanTools, given: Any) -> Answer:
    return Category.REFERENCE, tools.web_search(given.query, UnknownType(given.type), given.temporal)


def _fetch(tools: PlanTools, given: Any) -> Answer:
    return Category.REFERENCE, tools.web_fetch(given.url)


_MORE: dict[str, tuple[Tool, str, type[Arguments], Callable[[PlanTools, Any], Answer]]] = {
    "memory_search": (Tool.MEMORY, "What the user decided on earlier plans about these words.", _Words, _recall),
    "web_search": (
        Tool.WEB_SEARCH,
        "Search the web for what the code cannot answer; `type` is the unknown's.",
        _Search,
        _search,
    ),
    "web_fetch": (Tool.WEB_FETCH, "A page that a search returned.", _Fetch, _fetch),
}


def specs(task: PlanTask) -> tuple[ToolSpec, ...]:
    """The tools that this task may use."""
    given = {each.tool for each in task.allowances if each.calls}
    more = (spec(name, text, shape) for name, (tool, text, shape, _) in _MORE.items() if tool in given)
    return (*looking_calls.specs(task.allowances), *more)


def made(tools: PlanTools, call: ToolCall) -> Answer:
    """The answer to a call. Raises `ToolRefused`."""
    if call.name in _MORE:
        _, _, shape, act = _MORE[call.name]
        return act(tools, arguments_of(call, shape))
    return looking_calls.made(tools, call)
