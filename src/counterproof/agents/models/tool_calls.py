"""The tools as models see them, and what becomes of a call (F11): parsed, checked, made, or refused with a reason.

Always holds: only the tools listed here exist, none of them writes or reaches a network; arguments are data of a fixed shape; a
call never raises into the loop, except when the run's own time is over. Metering and confinement are the toolbox's.
"""

from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from counterproof.agents.models import tool_arguments
from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.contract_text import DimensionName, OperationName
from counterproof.agents.models.rendering import ToolAnswer
from counterproof.agents.models.tool_arguments import Arguments, spec
from counterproof.model.dimension import Dimension
from counterproof.protocols.guard.metering import MAX_LINES
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.statements import Cited
from counterproof.toolbox.witnessed import WitnessedTools

_Text = Annotated[str, StringConstraints(max_length=1_024)]
_Number = Annotated[int, Field(ge=0, le=10_000_000)]


class _Read(Arguments):
    path: _Text
    first: _Number = 1
    last: _Number = MAX_LINES
    because: _Text = ""


class _Grep(Arguments):
    pattern: _Text
    glob: _Text = ""
    kind: _Text = ""
    dimension: DimensionName | Literal[""] = ""


class _Glob(Arguments):
    pattern: _Text


class _GitLog(Arguments):
    path: _Text = ""
    limit: _Number = 20


class _Symbols(Arguments):
    query: _Text


class _Place(Arguments):
    path: _Text
    line: _Number


class _Guard(_Place):
    dimension: Literal["D3", "D9"]
    guard_path: _Text = ""
    guard_line: _Number = 0
    operation: OperationName | None = None
    symbol: _Text = ""


class _Setting(_Place):
    dimension: Literal["D2", "D7", "D8", "D10"]
    kind: _Text
    operation: OperationName
    symbol: _Text
    verdict: Literal["sound", "weak", "unclear"]


class _Knowledge(Arguments):
    name: _Text


def _grep(tools: WitnessedTools, given: Any) -> ToolAnswer:
    return tools.grep(given.pattern, given.glob, given.kind, Dimension(given.dimension) if given.dimension else None)


def _guard(tools: WitnessedTools, given: Any) -> ToolAnswer:
    by = Cited(given.guard_path or given.path, given.guard_line, given.operation, given.symbol) if given.operation else None
    return tools.guard(given.path, given.line, by, Dimension(given.dimension))


def _setting(tools: WitnessedTools, given: Any) -> ToolAnswer:
    cited = Cited(given.path, given.line, given.operation, given.symbol)
    return tools.setting(cited, given.kind, given.verdict, Dimension(given.dimension))


_GREP = (
    "Lines that match a regular expression in files that a glob selects; no glob means every file. `kind` is what you look for "
    "(sql, shell, path, …), `dimension` which dimension it is for."
)
_GUARD = (
    "Put on record what guards an entry point: the handler's place, and the line that checks the caller or the operation, with "
    "what it does (`operation`) and the name it does it with (`symbol`); without them, that nothing does. The program looks the "
    "line up. Coverage of D3 and D9 is earned this way."
)
_SETTING = (
    "Put on record what you made of a core item (key, algorithm, cookie, token check, setting, manifest): its line, what the "
    "line does with which name, and whether its value is sound. Coverage of D2, D7, D8 and D10 is earned this way, too."
)
_TOOLS: dict[str, tuple[str, type[Arguments], Callable[[WitnessedTools, Any], ToolAnswer]]] = {
    "read": (
        f"Lines of a file, at most {MAX_LINES} a call. `because` names a hit as file:line where a round before settled the file.",
        _Read,
        lambda tools, given: tools.read(given.path, given.first, given.last, given.because),
    ),
    "grep": (
        _GREP,
        _Grep,
        _grep,
    ),
    "glob": ("Files that a glob selects.", _Glob, lambda tools, given: tools.glob(given.pattern)),
    "git_log": (
        "The newest commits, of all or of one file.",
        _GitLog,
        lambda tools, given: tools.git_log(given.path, given.limit),
    ),
    "symbols": ("Definitions whose name holds a text.", _Symbols, lambda tools, given: tools.symbols(given.query)),
    "callers": (
        "Who calls the function that a line stands in, by name, each with the lines of its own function, to be read next.",
        _Place,
        lambda tools, given: tools.callers(given.path, given.line),
    ),
    "trace": (
        "Where the data of the known sink at a line comes from, as the program's own analysis follows it.",
        _Place,
        lambda tools, given: tools.trace(given.path, given.line),
    ),
    "guard": (
        _GUARD,
        _Guard,
        _guard,
    ),
    "setting": (
        _SETTING,
        _Setting,
        _setting,
    ),
    "knowledge": ("A knowledge module by its name.", _Knowledge, lambda tools, given: tools.knowledge(given.name)),
}
NAMES = tuple(_TOOLS)


@cache
def specs() -> tuple[ToolSpec, ...]:
    """The tools as they are offered."""
    return tuple(spec(name, text, shape) for name, (text, shape, _) in _TOOLS.items())


def arguments_of(call: ToolCall) -> Arguments:
    """The arguments of a call, as the tool wants them. Raises `ToolRefused`."""
    if call.name not in _TOOLS:
        raise ToolRefused(f"there is no such tool; there are {', '.join(NAMES)}")
    return tool_arguments.arguments_of(call, _TOOLS[call.name][1])


def made(tools: WitnessedTools, call: ToolCall) -> ToolAnswer:
    """The answer to a call. Raises `ToolRefused`."""
    given = arguments_of(call)
    return _TOOLS[call.name][2](tools, given)
