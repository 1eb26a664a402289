"""One function body being run on abstract values (variables, results, sinks), and the summary that applies to every call of
it.

Invariant: `env` is replaced or copied at branches, never shared between two live paths; names resolve as in the language: local,
enclosing, module, imports, builtins; a summary contains only the function's own parameters, enclosing functions' parameters, and
real sources. Not handled here: the meaning of expressions and statements.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import reduce
from typing import Any, NamedTuple, Protocol

from counterproof.analysis.flow.handlers import Handlers
from counterproof.analysis.flow.hits import Arguments, Hit
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo, ProjectIndex
from counterproof.analysis.flow.page_library import Library
from counterproof.analysis.flow.raising_functions import RaisingFunctions
from counterproof.analysis.flow.rule_table import RuleTable
from counterproof.analysis.flow.values import Param, Step, StepKind, Taint, Value, gathered, joined, with_taints
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.syntax import ir


class LaterCall(NamedTuple):
    """A call of a parameter, or of a part of one."""

    called: Param
    given: tuple[Value, ...]
    node: ir.Call
    function: FunctionInfo | None
    """The function that contains the call."""


@dataclass(slots=True, eq=False)
class Summary:
    """`changes` are parameters whose contents the function changed; `hits` are all sinks, including those of its callees."""

    returns: Value
    changes: dict[int, Value] = field(default_factory=dict[int, Value])
    hits: tuple[Hit, ...] = ()
    never_returns: bool = False
    later: tuple[LaterCall, ...] = ()
    """Calls of its own parameters."""


Env = dict[str, Value]


class KeptTest(NamedTuple):
    """The result, the test, and the number of assignments to each of its variables at that time."""

    outcome: Value
    test: ir.Expr
    written: tuple[tuple[str, int], ...]


MAX_HOPS = 3
"""Variables that an expression is followed through."""

ASKED = "?"
"""Prefix of the keys for request queries stored among the variables. No variable name starts with it."""


class Frame:
    """See the module's docstring. `ended` is set when the current path cannot continue (return, raise, abort)."""

    __slots__ = (
        "closure", "ended", "engine", "env", "exits", "filled", "function", "hits", "jumps", "later", "loops", "module",
        "path", "returned", "tests", "writes", "yielded",
    )  # fmt: skip

    def __init__(self, engine: "EnginePort", module: ir.Module, function: FunctionInfo | None, closure: "Frame | None") -> None:
        self.engine = engine
        self.module = module
        self.path = module.path
        self.function = function
        self.closure = closure
        self.env: Env = {}
        self.returned: Value | None = None
        self.yielded: Value | None = None
        self.hits: dict[tuple[object, ...], Hit] = {}
        self.ended = False
        self.jumps: list[tuple[str, Env]] = []
        self.exits: list[tuple[ir.Expr | None, Value, Env]] | None = None
        """The function's returns, recorded only while it is run as a check."""
        self.filled: dict[int, dict[str, None]] = {}
        """The variables of this frame that hold each function's arguments, by function."""
        self.later: list[LaterCall] = []
        """Calls of parameters, which only callers know."""
        self.loops = 0
        self.tests: dict[int, KeptTest] = {}
        self.writes: dict[str, int] = {}
        """The number of assignments to each variable so far, on any path."""

    @property
    def qualified(self) -> str:
        node = self.function.node if self.function else None
        return "" if node is None else node.within if node.name == "<lambda>" else node.qualified

    def value(self, expr: ir.Expr) -> Value:
        return self.engine.evaluators[type(expr)](self, expr)

    def written(self, expr: ir.Expr) -> ir.Expr:
        """The expression that a variable was initialised with, if certain."""
        outline, function = self.engine.outline(self.path), self.function.node if self.function else None
        for _ in range(MAX_HOPS):
            made = outline.only_value(function, expr.id) if isinstance(expr, ir.Name) else None
            if made is None:
                break
            expr = made
        return expr

    def fill(self, name: str, value: Value) -> None:
        """Assign a variable of this frame from a nested function. The function whose parameters are in it is recorded for
        later."""
        self.env[name] = joined(self.env[name], value)
        for taint in gathered(value):
            if isinstance(taint.origin, Param):
                self.filled.setdefault(taint.origin.function, {})[name] = None

    def lookup(self, name: str) -> Value:
        value = self.env.get(name)
        if value is not None:
            return value
        outer = self.closure
        while outer is not None:
            value = outer.env.get(name)
            if value is not None:
                return value
            outer = outer.closure
        if self.function is None:
            return self.engine.names.outside(self.module, name)
        return self.engine.names.global_value(self.module, name)

    def stepped(self, value: Value, kind: StepKind, line: int, note: str, end: int = 0, symbol: str = "") -> Value:
        """The value with a step added to each of its untrusted origins, unless one was just added within the lines up to
        `end`.

        Concatenation with other text is always added."""
        if not value.taints:
            return value
        path, last, built = self.module.path, max(line, end), kind is StepKind.BUILD
        taints: list[Taint] = []
        for taint in value.taints:
            step = taint.step
            just_there = step and line <= step.line <= last and step.path == path and (not built or step.kind is StepKind.BUILD)
            hop = step if just_there else Step(kind, path, line, note, step, symbol)
            taints.append(taint if just_there else Taint(taint.origin, taint.passed, hop, taint.broken))
        return with_taints(value, tuple(taints))

    def returns(self, value: Value) -> None:
        self.returned = joined(self.returned, value) if self.returned else value

    def yields(self, value: Value) -> None:
        self.yielded = joined(self.yielded, value) if self.yielded else value


CallSite = tuple[Frame, ir.Call]
Evaluator = Callable[[Frame, Any], Value]
Executor = Callable[[Frame, Any], None]


class CallWatch(Protocol):
    """Judges single calls, where rules ask for it."""

    def see(self, frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments) -> None: ...


class NameTable(Protocol):
    """The name lookups available to running code for names it does not define itself."""

    modules: dict[str, Frame]

    def global_value(self, module: ir.Module, name: str) -> Value: ...
    def outside(self, module: ir.Module, name: str) -> Value: ...
    def imported(self, name: str, module: ir.Module) -> Value: ...
    def project_value(self, name: str, importer: str) -> Value | None: ...
    def is_late(self, name: str, module: ir.Module) -> bool: ...
    def filled(self, module: ir.Module) -> frozenset[str]: ...


class EnginePort(Protocol):
    """The engine's interface for running code."""

    scripts: bool
    nested_queries: bool
    index: ProjectIndex
    sinks: RuleTable
    handlers: Handlers
    checkpoint: Callable[[], None]
    evaluators: dict[type, Evaluator]
    executors: dict[type, Executor]
    outline: Callable[[str], Outline]

    @property
    def names(self) -> NameTable: ...
    @property
    def pages(self) -> Library: ...
    @property
    def raising(self) -> RaisingFunctions: ...
    @property
    def watch(self) -> CallWatch | None: ...

    def define(self, info: FunctionInfo, closure: Frame | None) -> None: ...
    def closure(self, info: FunctionInfo) -> Frame | None: ...
    def fields(self, info: ClassInfo) -> dict[str, Value]: ...
    def stored(self, info: ClassInfo, name: str) -> Value | None: ...

    def returned_page(self, frame: Frame, node: ir.Return, value: Value) -> None: ...
    def guarded(self, frame: Frame, body: tuple[ir.Statement, ...], name: str, line: int = 0) -> None: ...
    def predicate(self, frame: Frame, info: FunctionInfo, bound: Value | None, test: ir.Call, truth: bool) -> None: ...
    def answered(self, frame: Frame, info: FunctionInfo, bound: Value | None, given: list[Value], truth: bool) -> Env | None: ...
    def ran(self, info: FunctionInfo, bound: Value | None, given: list[Value], run_check: Callable[[], Frame]) -> Frame: ...

    def summary(self, info: FunctionInfo) -> Summary | None: ...
    def instance(self, info: ClassInfo, arguments: Arguments, site: CallSite) -> Value: ...
    def any_of(self, candidates: list[FunctionInfo], receiver: Value, arguments: Arguments, site: CallSite) -> Value: ...
    def call(
        self, info: FunctionInfo, bound: Value | None, arguments: Arguments | None = None, site: CallSite | None = None
    ) -> Value: ...
    def started(self, info: FunctionInfo, bound: Value | None, arguments: Arguments, site: CallSite) -> None: ...
    def followed(self, info: FunctionInfo, bound: Value | None, given: list[Value], site: CallSite) -> None: ...


def joined_env(left: Env, right: Env) -> Env:
    """Variables after two paths meet; a variable that only one path set keeps its value."""
    if left is right:
        return left
    merged = dict(left)
    for name, value in right.items():
        other = merged.get(name)
        if other is None:
            merged[name] = value
        elif other is not value:
            merged[name] = joined(other, value)
    if ASKED in merged:
        for name in [each for each in merged if each.startswith(ASKED) and not (each in left and each in right)]:
            del merged[name]
    return merged


def changes(frame: Frame, info: FunctionInfo, given: Env) -> dict[int, Value]:
    """The parameters that a function changes in place, by position. All its exits count."""
    ends = [env for _, _, env in frame.exits or ()]
    if not frame.ended or not ends:
        ends.append(frame.env)
    found: dict[int, Value] = {}
    for position, parameter in enumerate(info.node.parameters):
        last, first = _at_all(ends, parameter.name), given.get(parameter.name)
        if last is not None and first is not None and last is not first and last.sym == first.sym is not None:
            found[position] = last
    return found


def _at_all(ends: list[Env], name: str) -> Value | None:
    values = [value for each in ends if (value := each.get(name)) is not None]
    return reduce(lambda left, right: left if left is right else joined(left, right), values) if values else None
