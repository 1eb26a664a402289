"""The researcher's tools as models see them, and what becomes of a call: metered by the toolbox, or refused in words (P10, F11).

Always: only tools that the task has an allowance for are offered; none writes or reaches a network. The web is there only where
the user named a server for it.
"""

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.parsing import Malformed, parse
from counterproof.model.plan.contract import PlanTask, Tool
from counterproof.model.plan.research import UnknownType
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.plan_tools import PlanTools

MAX_ARGUMENTS = 5_000
MAX_CALLS = 8
MAX_LINES = 300
MAX_SHOWN = 60

_Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _Read(_Arguments):
    path: Annotated[str, StringConstraints(max_length=1_024)]
    first: Annotated[int, Field(ge=1, le=10_000_000)] = 1


class _Words(_Arguments):
    words: Annotated[list[_Word], Field(min_length=1, max_length=10)]


class _Search(_Arguments):
    query: _Word
    type: Literal["FILE_MISSING", "API_BEHAVIOR", "PRIOR_DECISION", "STALE_KNOWLEDGE", "INTEGRATION_UNKNOWN"] = "API_BEHAVIOR"
    temporal: bool = False


class _Fetch(_Arguments):
    url: Annotated[str, StringConstraints(min_length=8, max_length=500)]


class _Nothing(_Arguments):
    pass


Answer = tuple[Category, str]


def _read(tools: PlanTools, given: Any) -> Answer:
    text = tools.read(given.path)
    if text is None:
        return Category.REFERENCE, "refused: the budget is used up, or there is no such file in scope"
    lines = text.split("\n")
    rows = [
        f"{number:>6}  {line[:500]}" for number, line in enumerate(lines, 1) if given.first <= number < given.first + MAX_LINES
    ]
    return Category.CODE, "\n".join([f"{given.path}, {len(lines)} lines", *rows])


def _grep(tools: PlanTools, given: Any) -> Answer:
    hits = tools.grep(tuple(given.words))
    if hits is None:
        return Category.REFERENCE, "refused: the budget is used up"
    rows = [f"{hit.place}: {hit.text.strip()[:300]}" for hit in hits[:MAX_SHOWN]]
    return Category.SEARCH, "\n".join([f"{len(hits)} lines hold one of these words", *rows])


def _log(tools: PlanTools, given: Any) -> Answer:
    commits = tools.git_log()
    if commits is None:
        return Category.REFERENCE, "refused: the budget is used up"
    return Category.HISTORY, "\n".join(f"{each.id[:12]} {each.subject}" for each in commits[:MAX_SHOWN]) or "no commits"


def _recall(tools: PlanTools, given: Any) -> Answer:
    notes = tools.recall(tuple(given.words))
    if notes is None:
        return Category.REFERENCE, "refused: the budget is used up, or there is no memory"
    return Category.CONTEXT, "\n".join(f"{each.key} ({each.plan}) {each.claim}: {each.text}" for each in notes) or "no notes"


def _search(tools: PlanTools, given: Any) -> Answer:
    return Category.REFERENCE, tools.web_search(given.query, UnknownType(given.type), given.temporal)


def _fetch(tools: PlanTools, given: Any) -> Answer:
    return Category.REFERENCE, tools.web_fetch(given.url)


_TOOLS: dict[Tool, tuple[str, str, type[_Arguments], Callable[[PlanTools, Any], Answer]]] = {
    Tool.READ: ("read", f"Lines of a file, at most {MAX_LINES} from `first`.", _Read, _read),
    Tool.GREP: ("grep", "Lines of all files that hold one of these words, as whole words.", _Words, _grep),
    Tool.GIT_LOG: ("git_log", "The newest commits.", _Nothing, _log),
    Tool.MEMORY: ("memory_search", "What the user decided on earlier plans about these words.", _Words, _recall),
    Tool.WEB_SEARCH: (
        "web_search",
        "Search the web for what the code cannot answer; `type` is the unknown's.",
        _Search,
        _search,
    ),
    Tool.WEB_FETCH: ("web_fetch", "A page that a search returned.", _Fetch, _fetch),
}


def specs(task: PlanTask) -> tuple[ToolSpec, ...]:
    """The tools that this task may use."""
    given = {each.tool for each in task.allowances if each.calls}
    return tuple(
        ToolSpec(name, text, json.dumps(arguments.model_json_schema(), sort_keys=True, separators=(",", ":")))
        for tool, (name, text, arguments, _) in _TOOLS.items()
        if tool in given
    )


def made(tools: PlanTools, call: ToolCall) -> Answer:
    """The answer to a call; a refusal is an answer too."""
    found = next(((arguments, act) for name, _, arguments, act in _TOOLS.values() if name == call.name), None)
    if found is None:
        return Category.REFERENCE, "refused: there is no such tool"
    try:
        parsed = parse(call.arguments[:MAX_ARGUMENTS] or "{}")
        given = found[0].model_validate(parsed.fields)
    except (Malformed, ValidationError) as error:
        return Category.REFERENCE, f"refused: the arguments do not fit: {str(error)[:200]}"
    return found[1](tools, given)


def repeatable(call: ToolCall) -> ToolCall:
    """The call as it may be sent back to a provider, which wants JSON."""
    try:
        json.loads(call.arguments)
    except ValueError:
        return ToolCall(call.id, call.name, "{}")
    return call
