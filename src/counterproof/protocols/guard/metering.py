"""Limits how much a model-driven agent may read (A22, A23): turns, tool calls, lines per call, breadth before depth.

Interpretation of A23: the tool budget is split once, 60 % for breadth and the rest for depth, and depth cannot use up the
breadth share. Breadth is searching and first looks. Depth is following code: a trace, the callers of a function, and reading
on in a file to which a trace, callers or a first look led; callers and reads use breadth once depth is used up. At most 20
traces, and at most half of them in one sink category.

Invariant: pure and total; every call is either charged or rejected with a reason, and no share is exceeded. A call that fails
later is still charged. Embedded analysts are not metered.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from counterproof.model.contract import Limits

MAX_LINES = 200
MAX_TRACES = 20
BREADTH_PERCENT = 60
HAND_IN_TURNS = 5


class Tool(StrEnum):
    """All tools. None of them writes."""

    READ = "read"
    GREP = "grep"
    GLOB = "glob"
    SYMBOLS = "symbols"
    CALLERS = "callers"
    GIT_LOG = "git_log"
    TRACE = "trace"
    KNOWLEDGE = "knowledge"


@dataclass(frozen=True, slots=True)
class Use:
    """One call for metering. `lines` is the number requested by a read; `category` the sink category of a trace; `led`: the
    call follows code."""

    tool: Tool
    lines: int = 0
    category: str = ""
    led: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a call was rejected."""

    reason: str


@dataclass(frozen=True, slots=True)
class Meter:
    """The calls and turns that one agent has used. `traces` has counts by sink category, sorted by name."""

    limits: Limits
    turns: int = 0
    breadth: int = 0
    depth: int = 0
    knowledge: int = 0
    traces: tuple[tuple[str, int], ...] = ()

    @property
    def breadth_limit(self) -> int:
        return max(0, self.limits.tool_calls) * BREADTH_PERCENT // 100

    @property
    def depth_limit(self) -> int:
        return max(0, self.limits.tool_calls) - self.breadth_limit

    @property
    def trace_limit(self) -> int:
        return min(MAX_TRACES, self.depth_limit)

    @property
    def category_limit(self) -> int:
        return max(1, self.trace_limit // 2)

    @property
    def tool_calls(self) -> int:
        """Search and read calls so far; knowledge modules have their own allowance."""
        return self.breadth + self.depth

    @property
    def must_hand_in(self) -> bool:
        """True if only the result is accepted, because at most five turns are left (A22)."""
        return self.limits.turns - self.turns <= HAND_IN_TURNS

    @property
    def turns_left(self) -> int:
        return max(0, self.limits.turns - self.turns)


def begin_turn(meter: Meter) -> Meter | Refusal:
    """Count a turn; rejected if none are left."""
    if meter.turns >= meter.limits.turns:
        return Refusal(f"all {meter.limits.turns} turns are used")
    return replace(meter, turns=meter.turns + 1)


def charge(meter: Meter, use: Use) -> Meter | Refusal:
    """Count one call before it is made."""
    if meter.must_hand_in:
        return Refusal(f"{meter.turns_left} turns are left: hand in the result")
    if use.tool is Tool.KNOWLEDGE:
        return _charge_knowledge(meter)
    if use.tool is Tool.READ and not 1 <= use.lines <= MAX_LINES:
        return Refusal(f"a read takes 1 to {MAX_LINES} lines")
    if use.tool is Tool.TRACE:
        return _charge_trace(meter, use.category)
    if use.led and meter.depth < meter.depth_limit:
        return replace(meter, depth=meter.depth + 1)
    if meter.breadth < meter.breadth_limit:
        return replace(meter, breadth=meter.breadth + 1)
    if meter.depth < meter.depth_limit:
        left = "the remaining calls are for traces, callers and files seen before"
        return Refusal(f"the {meter.breadth_limit} calls for breadth are used; {left}")
    return Refusal(f"all {meter.limits.tool_calls} tool calls are used")


def _charge_knowledge(meter: Meter) -> Meter | Refusal:
    if meter.knowledge >= meter.limits.knowledge_calls:
        return Refusal(f"all {meter.limits.knowledge_calls} knowledge calls are used")
    return replace(meter, knowledge=meter.knowledge + 1)


def _charge_trace(meter: Meter, category: str) -> Meter | Refusal:
    counts = dict(meter.traces)
    if sum(counts.values()) >= meter.trace_limit:
        return Refusal(f"all {meter.trace_limit} traces are used")
    if counts.get(category, 0) >= meter.category_limit:
        return Refusal(f"{meter.category_limit} traces were used for the category {category!r}; the rest are reserved for others")
    if meter.depth >= meter.depth_limit:
        return Refusal(f"the {meter.depth_limit} calls for depth are used")
    counts[category] = counts.get(category, 0) + 1
    return replace(meter, depth=meter.depth + 1, traces=tuple(sorted(counts.items())))
