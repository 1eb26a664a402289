"""The tools offered to models, in one table: purpose, arguments, and the function that makes the call (F11, P10, P18, R42).

Audits, reviews and plan verifications have the same tools with the same texts; an audit adds what its record needs.

Invariant: only the tools listed here exist; none writes, and none uses the network except the search servers that the user
named. Arguments are data of a fixed shape and otherwise rejected with the reason. In reviews and plans `meter` is the
allowance that a call uses; history counts as a search for agents without their own allowance for it. Not handled here:
metering and confinement, which belong to the toolbox.
"""

import json
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar

from counterproof.agents import tool_shapes as shapes
from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.rendering import ToolAnswer, rendered
from counterproof.agents.models.tool_arguments import MAX_ARGUMENTS, Arguments, arguments_of, spec
from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.plan.research import UnknownType
from counterproof.protocols.guard.isolation import Category
from counterproof.protocols.guard.metering import MAX_LINES
from counterproof.toolbox.looking import Looking
from counterproof.toolbox.plan_tools import PlanTools
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.witnessed import WitnessedTools

T = TypeVar("T")


class Metered(Protocol):
    """Counts a call and makes it. Raises `ToolRefused`."""

    @property
    def given(self) -> tuple[Allowance, ...]: ...

    def look(self, tool: Tool, act: Callable[[Looking], T]) -> T: ...


@dataclass(frozen=True, slots=True)
class Row:
    """A tool. `look` makes the call with the look-ups of an agent in an audit, a review or a plan, `research` with those of a
    researcher; without a `meter` only agents of audits have it. `more` is additional text and arguments for audits."""

    text: str
    shape: type[Arguments]
    meter: Tool | None = None
    look: Callable[[Any, Any], ToolAnswer] | None = None
    research: Callable[[PlanTools, Any], tuple[Category, str]] | None = None
    more: tuple[str, type[Arguments]] | None = None


def _recall(tools: PlanTools, given: Any) -> tuple[Category, str]:
    notes = tools.recall(tuple(given.words))
    if notes is None:
        raise ToolRefused("the budget is used up, or there is no memory")
    return Category.CONTEXT, "\n".join(f"{each.key} ({each.plan}) {each.claim}: {each.text}" for each in notes) or "no notes"


TOOLS: dict[str, Row] = {
    "read": Row(
        f"Lines of a file, at most {MAX_LINES}, from `first` to `last`.", shapes.Read, Tool.READ,
        look=lambda tools, given: tools.read(**given.model_dump()),
        more=("`because` names a hit as file:line where a round before settled the file.", shapes.AuditRead),
    ),
    "grep": Row(
        "Lines that match a regular expression, in files that a glob selects; no glob means every file.", shapes.Grep, Tool.GREP,
        look=lambda tools, given: tools.grep(given.pattern, given.glob),
    ),
    "symbols": Row(
        "Where a name is defined, with the bodies of the first definitions; where none is called so, names that hold `query`.",
        shapes.Symbols, Tool.GREP,
        look=lambda tools, given: tools.symbols(given.query),
    ),
    "callers": Row(
        "Who calls a name or hands it on, with the bodies of the first callers. Give the name, or a line of the function.",
        shapes.Callers, Tool.GREP,
        look=lambda tools, given: tools.callers(given.name, given.path, given.line),
    ),
    "glob": Row(
        "Files that a glob selects.", shapes.Glob, Tool.GREP,
        look=lambda tools, given: tools.glob(given.pattern),
    ),
    "trace": Row(
        "Where the data of the known sink at a line comes from; without a known sink, where the line's names are set.",
        shapes.Place, Tool.READ,
        look=lambda tools, given: tools.trace(given.path, given.line),
    ),
    "git_log": Row(
        "The newest commits, of all or of one file.", shapes.Log, Tool.GIT_LOG,
        look=lambda tools, given: tools.git_log(given.path, given.limit),
    ),
    "knowledge": Row(
        "A knowledge module by its name.", shapes.Knowledge, look=lambda tools, given: tools.knowledge(given.name)
    ),
    "memory_search": Row(
        "What the user decided on earlier plans about these words.", shapes.Words, Tool.MEMORY, research=_recall
    ),
    "web_search": Row(
        "Search the web for what the code cannot answer; `type` is the unknown's.", shapes.Search, Tool.WEB_SEARCH,
        research=lambda tools, given: (
            Category.WEB, tools.web_search(given.query, UnknownType(given.type), given.temporal)
        ),
    ),
    "web_fetch": Row(
        "A page that a search returned.", shapes.Fetch, Tool.WEB_FETCH,
        research=lambda tools, given: (Category.WEB, tools.web_fetch(given.url)),
    ),
}  # fmt: skip


FINDING = spec("finding", "A finding of the others by its id, whole, with the code at its place.", shapes.Finding)
"""For the challenge round of a review."""


def finding_named(call: ToolCall) -> str:
    """The id requested by a call of `finding`. Raises `ToolRefused`."""
    return arguments_of(call, shapes.Finding).id


@cache
def audit_specs() -> tuple[ToolSpec, ...]:
    """The tools of audit agents."""
    offered = ((name, row, row.more or ("", row.shape)) for name, row in TOOLS.items() if row.look)
    return tuple(spec(name, f"{row.text} {text}".rstrip(), shape) for name, row, (text, shape) in offered)


def audit_arguments(call: ToolCall) -> Arguments:
    """The validated arguments of a call in an audit. Raises `ToolRefused`."""
    row = _row(call, [name for name, each in TOOLS.items() if each.look])
    return arguments_of(call, row.more[1] if row.more else row.shape)


def audited(tools: WitnessedTools, call: ToolCall) -> tuple[Category, str]:
    """The result of a call in an audit. Raises `ToolRefused`."""
    given = audit_arguments(call)
    act = TOOLS[call.name].look
    assert act
    return rendered(act(tools, given))


def specs(tools: Collection[Tool]) -> tuple[ToolSpec, ...]:
    """The tools listed in every task of a review or a plan verification, so that all can use the cache; calls without an
    allowance are rejected."""
    return tuple(spec(name, row.text, row.shape) for name, row in TOOLS.items() if row.meter in tools)


def looked(metered: Metered, call: ToolCall) -> tuple[Category, str]:
    """The result of a read or search in a review or a plan verification. Raises `ToolRefused`."""
    row = _row(call, [name for name, each in TOOLS.items() if each.look and each.meter])
    given, act, counted = arguments_of(call, row.shape), row.look, _counted(row, metered.given)
    assert act
    assert counted
    return rendered(metered.look(counted, lambda looking: act(looking, given)))


def researched(tools: PlanTools, call: ToolCall) -> tuple[Category, str]:
    """The result of a researcher's call. Raises `ToolRefused`."""
    row = TOOLS.get(call.name)
    return row.research(tools, arguments_of(call, row.shape)) if row and row.research else looked(tools, call)


def counting(given: Iterable[Allowance]) -> str:
    """The allowance that the other tools use, in the words of the task. The first tool of a kind gives it its name."""
    allowed = tuple(given)
    counted: dict[Tool, list[str]] = {each.tool: [] for each in allowed if each.calls}
    for name, row in TOOLS.items():
        if (tool := _counted(row, allowed)) and tool in counted:
            counted[tool].append(f"`{name}`")
    return "; ".join(f"as {tool} count {', '.join(names[1:])}" for tool, names in counted.items() if names[1:])


def _counted(row: Row, given: tuple[Allowance, ...]) -> Tool | None:
    alone = row.meter is Tool.GIT_LOG and all(each.tool is not Tool.GIT_LOG for each in given)
    return Tool.GREP if alone else row.meter


def _row(call: ToolCall, names: list[str]) -> Row:
    if call.name not in names:
        raise ToolRefused(f"there is no such tool; there are {', '.join(names)}")
    return TOOLS[call.name]


def repeatable(call: ToolCall) -> ToolCall:
    """The call in a form that can be sent back to a provider, which requires JSON; arguments that were not JSON, or too long,
    were rejected."""
    try:
        known = len(call.arguments) <= MAX_ARGUMENTS and isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        known = False
    return call if known else ToolCall(call.id, call.name, "{}")
