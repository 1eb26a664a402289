"""Counts calls by tool against a task's allowance (P10, R42). Rejected calls are counted too."""

from collections.abc import Callable
from typing import TypeVar

from counterproof.model.plan.contract import Allowance, Tool, Used
from counterproof.protocols.plan import budgets
from counterproof.toolbox.looking import Looking
from counterproof.toolbox.refusal import ToolRefused
from counterproof.toolbox.results import Lines, Units

T = TypeVar("T")


class Meter:
    """The calls of one task."""

    def __init__(self, given: tuple[Allowance, ...]) -> None:
        self.given = given
        self._calls: dict[Tool, int] = {}
        self._refused: dict[Tool, int] = {}

    def refusal(self, tool: Tool) -> str:
        """Count a call; return why it is not allowed, or ''."""
        why = budgets.refusal(tool, self.given, self._calls.get(tool, 0))
        counted = self._refused if why else self._calls
        counted[tool] = counted.get(tool, 0) + 1
        return why

    def made(self, tool: Tool) -> int:
        return self._calls.get(tool, 0)

    @property
    def spent(self) -> bool:
        """True if no allowance is left."""
        return all(self._calls.get(each.tool, 0) >= each.calls for each in self.given)

    def used(self) -> tuple[Used, ...]:
        """The record by tool."""
        tools = [tool for tool in Tool if tool in self._calls or tool in self._refused]
        return tuple(Used(tool, self._calls.get(tool, 0), self._refused.get(tool, 0)) for tool in tools)


class MeteredLooking:
    """The look-ups of one task of a review or a plan verification. `seen` are the files of which it was shown lines."""

    def __init__(self, looking: Looking, given: tuple[Allowance, ...]) -> None:
        self._looking = looking
        self.meter = Meter(given)
        self.seen: set[str] = set()

    @property
    def given(self) -> tuple[Allowance, ...]:
        return self.meter.given

    def look(self, tool: Tool, act: Callable[[Looking], T]) -> T:
        """Count a call and return its result. Raises `ToolRefused`."""
        why = self.meter.refusal(tool)
        if why:
            raise ToolRefused(why)
        answer = act(self._looking)
        if isinstance(answer, Lines):
            self.seen.add(answer.path)
        elif isinstance(answer, Units):
            self.seen.update(each.path for each in answer.units if each.lines)
        return answer
