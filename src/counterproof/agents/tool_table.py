"""Makes the calls of the tools that `tool_shapes` lists (F11, P10, P18, R42).

Invariant: a call's name is looked up in the list, and is the name of the method that makes it. Arguments are data of a fixed
shape and otherwise rejected with the reason. In reviews and plans `meter` is the allowance that a call uses; history counts as a
search for agents without their own allowance for it. Not handled here: metering and confinement, which belong to the toolbox.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache
from typing import Any, Protocol, TypeVar

from counterproof.agents.models.channel import ToolCall, ToolSpec
from counterproof.agents.models.rendering import rendered
from counterproof.agents.models.tool_arguments import MAX_ARGUMENTS, arguments_of, spec
from counterproof.agents.tool_shapes import TOOLS, Finding, Row, audit_tools
from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.plan.research import UnknownType
from counterproof.protocols.guard.isolation import Category
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


def _recall(tools: PlanTools, given: Any) -> tuple[Category, str]:
    notes = tools.recall(tuple(given.words))
    if notes is None:
        raise ToolRefused("the budget is used up, or there is no memory")
    return Category.CONTEXT, "\n".join(f"{each.key} ({each.plan}) {each.claim}: {each.text}" for each in notes) or "no notes"


_RESEARCH: dict[str, Callable[[PlanTools, Any], tuple[Category, str]]] = {
    "memory_search": _recall,
    "web_search": lambda tools, given: (
        Category.WEB,
        tools.web_search(given.query, UnknownType(given.type), given.temporal),
    ),
    "web_fetch": lambda tools, given: (Category.WEB, tools.web_fetch(given.url)),
}


FINDING = spec("finding", "A finding of the others by its id, whole, with the code at its place.", Finding)
"""For the challenge round of a review."""


def finding_named(call: ToolCall) -> str:
    """The id requested by a call of `finding`. Raises `ToolRefused`."""
    return arguments_of(call, Finding).id


@cache
def audit_specs() -> tuple[ToolSpec, ...]:
    """The tools of audit agents."""
    return tuple(spec(*each) for each in audit_tools())


def audited(tools: WitnessedTools, call: ToolCall) -> tuple[Category, str]:
    """The result of a call in an audit. Raises `ToolRefused`."""
    shapes = {name: shape for name, _, shape in audit_tools()}
    given = arguments_of(call, _listed(call, shapes))
    return rendered(getattr(tools, call.name)(**given.model_dump()))


def specs(tools: Collection[Tool]) -> tuple[ToolSpec, ...]:
    """The tools listed in every task of a review or a plan verification, so that all can use the cache; calls without an
    allowance are rejected."""
    return tuple(spec(name, row.text, row.shape) for name, row in TOOLS.items() if row.meter in tools)


def looked(metered: Metered, call: ToolCall) -> tuple[Category, str]:
    """The result of a read or search in a review or a plan verification. Raises `ToolRefused`."""
    meters = {name: meter for name, row in TOOLS.items() if (meter := _counted(row, metered.given)) and not row.research}
    meter, given = _listed(call, meters), arguments_of(call, TOOLS[call.name].shape)
    return rendered(metered.look(meter, lambda looking: getattr(looking, call.name)(**given.model_dump())))


def researched(tools: PlanTools, call: ToolCall) -> tuple[Category, str]:
    """The result of a researcher's call. Raises `ToolRefused`."""
    act = _RESEARCH.get(call.name)
    return act(tools, arguments_of(call, TOOLS[call.name].shape)) if act else looked(tools, call)


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


def _listed(call: ToolCall, known: Mapping[str, T]) -> T:
    if call.name not in known:
        raise ToolRefused(f"there is no such tool; there are {', '.join(known)}")
    return known[call.name]


def repeatable(call: ToolCall) -> ToolCall:
    """The call in a form that can be sent back to a provider, which requires JSON; arguments that were not JSON, or too long,
    were rejected."""
    try:
        known = len(call.arguments) <= MAX_ARGUMENTS and isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        known = False
    return call if known else ToolCall(call.id, call.name, "{}")
