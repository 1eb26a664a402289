"""The tools of reviews and plan verifications as models see them, and what becomes of a call (F11, P10, P18, R42).

Always: only tools that the task has an allowance for are offered; none writes or reaches a network. A look at a definition or at
callers counts as a search, as does history where it has no allowance of its own; a trace counts as a read. Arguments are data of
a fixed shape; what does not fit is refused with the reason.
"""

import json
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Protocol, TypeVar

from pydantic import Field, StringConstraints

from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.rendering import ToolAnswer, rendered
from counterproof.agents.models.tool_arguments import Arguments, arguments_of, spec
from counterproof.model.plan.contract import Allowance, Tool
from counterproof.protocols.guard.isolation import Category
from counterproof.toolbox.looking import MAX_LINES, Looking
from counterproof.toolbox.refusal import ToolRefused

T = TypeVar("T")
Word = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Path = Annotated[str, StringConstraints(max_length=1_024)]
Number = Annotated[int, Field(ge=1, le=10_000_000)]


class _Read(Arguments):
    path: Path
    first: Number = 1
    last: Annotated[int, Field(ge=0, le=10_000_000)] = 0


class _Grep(Arguments):
    pattern: Annotated[str, StringConstraints(min_length=1, max_length=1_000)]
    glob: Path = ""


class _Glob(Arguments):
    pattern: Path


class _Query(Arguments):
    query: Word


class _Callers(Arguments):
    name: Annotated[str, StringConstraints(max_length=200)] = ""
    path: Path = ""
    line: Annotated[int, Field(ge=0, le=10_000_000)] = 0


class _Place(Arguments):
    path: Path
    line: Number


class _Log(Arguments):
    path: Path = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class Metered(Protocol):
    """Counts a look and makes it. Raises `ToolRefused`."""

    @property
    def given(self) -> tuple[Allowance, ...]: ...

    def look(self, tool: Tool, act: Callable[[Looking], T]) -> T: ...


_TOOLS: dict[str, tuple[Tool, str, type[Arguments], Callable[[Looking, Any], ToolAnswer]]] = {
    "read": (
        Tool.READ,
        f"Lines of a file, at most {MAX_LINES}, from `first` to `last`.",
        _Read,
        lambda looking, given: looking.read(given.path, given.first, given.last),
    ),
    "grep": (
        Tool.GREP,
        "Lines that match a regular expression, in files that a glob selects; no glob means every file.",
        _Grep,
        lambda looking, given: looking.grep(given.pattern, given.glob),
    ),
    "symbols": (
        Tool.GREP,
        "Where a name is defined, with the bodies of the first definitions. `query` is the whole name.",
        _Query,
        lambda looking, given: looking.symbols(given.query),
    ),
    "callers": (
        Tool.GREP,
        "Who calls a name or hands it on, with the bodies of the first callers. Give the name, or a line of the function.",
        _Callers,
        lambda looking, given: looking.callers(given.name or looking.name_at(given.path, given.line)),
    ),
    "glob": (Tool.GREP, "Files that a glob selects.", _Glob, lambda looking, given: looking.glob(given.pattern)),
    "trace": (
        Tool.READ,
        "Where the data of the known sink at a line comes from; without a known sink, where the line's names are set.",
        _Place,
        lambda looking, given: looking.trace(given.path, given.line),
    ),
    "git_log": (
        Tool.GIT_LOG,
        "The newest commits, of all or of one file.",
        _Log,
        lambda looking, given: looking.git_log(given.path, given.limit),
    ),
}


def specs(given: Iterable[Allowance]) -> tuple[ToolSpec, ...]:
    """The tools that a task with these allowances may use."""
    allowed = tuple(given)
    open_ = {each.tool for each in allowed if each.calls}
    return tuple(spec(name, text, shape) for name, (tool, text, shape, _) in _TOOLS.items() if _meter(tool, allowed) in open_)


def _meter(tool: Tool, given: tuple[Allowance, ...]) -> Tool:
    """What a look is counted as: history is a search for who has no allowance of its own for it."""
    alone = tool is Tool.GIT_LOG and all(each.tool is not Tool.GIT_LOG for each in given)
    return Tool.GREP if alone else tool


def made(metered: Metered, call: ToolCall) -> tuple[Category, str]:
    """The answer to a call, as data. Raises `ToolRefused`."""
    if call.name not in _TOOLS:
        raise ToolRefused(f"there is no such tool; there are {', '.join(_TOOLS)}")
    tool, _, shape, act = _TOOLS[call.name]
    given = arguments_of(call, shape)
    return rendered(metered.look(_meter(tool, metered.given), lambda looking: act(looking, given)))


def repeatable(call: ToolCall) -> ToolCall:
    """The call as it may be sent back to a provider, which wants JSON."""
    try:
        json.loads(call.arguments)
    except ValueError:
        return ToolCall(call.id, call.name, "{}")
    return call
