"""How often a researcher may use each tool (P10). The toolbox enforces these limits."""

from collections.abc import Collection, Mapping

from counterproof.model.plan.contract import Allowance, Tool
from counterproof.model.plan.research import ResearchMode, UnknownType

LIMITS: dict[ResearchMode, dict[Tool, int]] = {
    ResearchMode.RESOLVE: {Tool.READ: 8, Tool.GREP: 5, Tool.MEMORY: 3, Tool.WEB_SEARCH: 3, Tool.WEB_FETCH: 2},
    ResearchMode.SURFACE: {Tool.MEMORY: 3, Tool.GREP: 4, Tool.READ: 3, Tool.GIT_LOG: 1},
    ResearchMode.PROBE: {Tool.GREP: 4, Tool.READ: 3, Tool.MEMORY: 2, Tool.WEB_SEARCH: 1},
}

CEILING: dict[Tool, int] = {
    Tool.READ: 14,
    Tool.GREP: 13,
    Tool.MEMORY: 8,
    Tool.WEB_SEARCH: 4,
    Tool.WEB_FETCH: 2,
    Tool.GIT_LOG: 1,
}
"""The limits over all modes of an iteration."""

CRITICS: dict[Tool, int] = {Tool.READ: 6, Tool.GREP: 6}
"""The limits for each challenger, expert and advocate in an iteration (P18)."""

EXCESS = 2
"""The calls that a directive adds for a tool whose budget ran out (P10)."""

FOR_THE_WEB = (UnknownType.API_BEHAVIOR, UnknownType.STALE_KNOWLEDGE, UnknownType.INTEGRATION_UNKNOWN)
WEB = (Tool.WEB_SEARCH, Tool.WEB_FETCH)


def allowances(
    mode: ResearchMode, used: Mapping[Tool, int], absent: tuple[Tool, ...] = (), raised: Collection[str] = ()
) -> tuple[Allowance, ...]:
    """The allowances of a task in this mode, given what the iteration has used. Shares of absent tools lapse; `raised` are
    tools whose budget a directive extends."""
    more = {tool: EXCESS if tool in raised else 0 for tool in Tool}
    return tuple(
        Allowance(tool, max(0, min(calls + more[tool], CEILING[tool] + more[tool] - used.get(tool, 0))))
        for tool, calls in LIMITS[mode].items()
        if tool not in absent
    )


def refusal(tool: Tool, given: tuple[Allowance, ...], used: int) -> str:
    """Why another call is rejected; '' if it is within the allowance."""
    granted = next((each.calls for each in given if each.tool is tool), 0)
    if granted == 0:
        return f"{tool} is not available in this task"
    return "" if used < granted else f"the budget of {granted} {tool} calls is used up"


def web_refusal(mode: ResearchMode, kind: UnknownType | None, temporal: bool, local_exhausted: bool) -> str:
    """Why the web may not be used: only for questions that the code cannot answer, in mode 1 by type, in mode 3 for temporal
    risks."""
    if not local_exhausted:
        return "search the local code for this first"
    if mode is ResearchMode.RESOLVE:
        return "" if kind in FOR_THE_WEB else f"{kind or 'this'} must be answered from the local code, not the web"
    if mode is ResearchMode.PROBE:
        return "" if temporal else "only temporal risks are looked up"
    return "the surfacing step may only use the code base, its history and memory"
