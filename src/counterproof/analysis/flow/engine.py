"""The engine that runs every function once and connects them through summaries.

Invariant: each function body is run once, twice if it calls itself, a few more times only if calls nest deeper than `MAX_CALLS`;
a failure in one function is reported as a limitation and stops nothing else. Not handled here: creating findings.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from counterproof.analysis.flow.access import Place
from counterproof.analysis.flow.assignments import is_place, own_object, put
from counterproof.analysis.flow.calls import call
from counterproof.analysis.flow.checks import answered, check
from counterproof.analysis.flow.evaluate import EVALUATORS, mixed
from counterproof.analysis.flow.execute import EXECUTORS, run
from counterproof.analysis.flow.frame import CallSite, Env, Evaluator, Executor, Frame, Summary, changes
from counterproof.analysis.flow.handed_on import MAX_FOLLOWED, follow, pass_on_route, settle, take_made
from counterproof.analysis.flow.handlers import Handlers
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo, ProjectIndex
from counterproof.analysis.flow.name_resolution import Names
from counterproof.analysis.flow.page_library import Library
from counterproof.analysis.flow.pages.calls import render_return
from counterproof.analysis.flow.pages.page_execution import PAGE_EVALUATORS, PAGE_EXECUTORS
from counterproof.analysis.flow.parameters import bound_arguments, declared_fields, parameter_values
from counterproof.analysis.flow.raising_functions import RaisingFunctions, is_abstract
from counterproof.analysis.flow.replay import Replay
from counterproof.analysis.flow.rule_table import RuleTable
from counterproof.analysis.flow.sinks import add
from counterproof.analysis.flow.surroundings import Surroundings
from counterproof.analysis.flow.values import NOTHING, Trusted, Value, gathered, joined
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.project import OutOfTime
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.flow import Break
from counterproof.supervision import progress

if TYPE_CHECKING:
    from counterproof.analysis.flow.seen_calls import Watch

T = TypeVar("T")
MAX_REPLAYS = 4
"""Nesting limit of replayed calls, as when a function calls a method of its argument that does the same again."""
MAX_CHECKS = 3
"""Nesting limit of checks that call checks."""
MAX_RAN = 256
"""Limit on the cached runs of checks."""
MAX_CALLS = 40
"""Nesting limit of functions being run. Far above what programs need, so that almost nothing has to be run again."""


class Engine:
    """The state of one examination of a project."""

    def __init__(
        self,
        index: ProjectIndex,
        sinks: RuleTable,
        handlers: Handlers,
        pages: Callable[[dict[str, None]], Library],
        checkpoint: Callable[[], None],
        outline: Callable[[str], Outline],
        *,
        scripts: bool = False,
        nested_queries: bool = False,
    ) -> None:
        self.scripts = scripts
        """True for JavaScript: members of objects are their elements, and functions are passed around everywhere."""
        self.nested_queries = nested_queries
        """True if a field of a query may be an object."""
        self.watch: Watch | None = None
        """Checks single calls, if rules request it."""
        self.surroundings: Surroundings | None = None
        """The requested functions, if not the whole project."""
        self.index = index
        self.sinks = sinks
        self.handlers = handlers
        self._open_pages = pages
        self._pages: Library | None = None
        self.checkpoint = checkpoint
        self.outline = outline
        self.evaluators: dict[type, Evaluator] = {**EVALUATORS, ir.Call: call, **PAGE_EVALUATORS}
        self.executors: dict[type, Executor] = {**EXECUTORS, **PAGE_EXECUTORS}
        self._raising: RaisingFunctions | None = None
        self.summaries: dict[int, Summary] = {}
        self.names = Names(self, index)
        self.limitations: dict[str, None] = {}
        self.given_up: dict[str, str] = {}
        """By file: code that could not be followed, and the reason."""
        self._closures: dict[int, Frame | None] = {}
        self._fields: dict[ClassInfo, dict[str, Value]] = {}
        self._running: list[int] = []
        self._provisional: dict[int, Summary] = {}
        self._recursive: set[int] = set()
        self._settle = self._started = False
        self._cut_short = False
        self._ready: set[int] = set()
        self._ran: dict[tuple[int, ...], tuple[Frame, Value | None, list[Value]]] = {}
        self._checking: list[int] = []
        self._replays = 0
        self._followed = 0

    @property
    def pages(self) -> Library:
        """The project's templates, loaded when the first page is rendered; a problem with one is a limitation."""
        if self._pages is None:
            self._pages = self._open_pages(self.limitations)
        return self._pages

    @property
    def raising(self) -> RaisingFunctions:
        """Project functions whose call is a check, collected when the first such call is met."""
        if self._raising is None:
            self._raising = RaisingFunctions(self.index.functions)
        return self._raising

    # --- code ----------------------------------------------------------------------------------------------------

    def returned_page(self, frame: Frame, node: ir.Return, value: Value) -> None:
        """Render the page of a handler that returned the page's variables."""
        render_return(frame, node, value)

    def guarded(self, frame: Frame, body: tuple[ir.Statement, ...], name: str, line: int = 0) -> None:
        """Run code; if it nests too deep or cannot be followed, stop and record it."""
        try:
            run(frame, body)
        except RecursionError:
            place = f"{frame.path}:{line}: {name} is" if line else f"{name}:"
            self.limitations[f"{place} nested too deeply to be followed to its end"] = None
            self.given_up[frame.path] = f"{name} nests too deep to be followed to its end"
        except OutOfTime:
            raise
        except Exception as error:  # any error that hostile code causes affects only this body
            self.given_up[frame.path] = f"{name} could not be followed ({type(error).__name__})"

    def define(self, info: FunctionInfo, closure: Frame | None) -> None:
        """Record that the code defining a function was run, within `closure`."""
        self._closures[info.id] = closure

    def closure(self, info: FunctionInfo) -> Frame | None:
        """The frame in which a function was defined, after the defining code was run."""
        return self._closures.get(info.id)

    # --- classes -------------------------------------------------------------------------------------------------

    def fields(self, info: ClassInfo) -> dict[str, Value]:
        """The values that methods of a class assigned to its fields so far."""
        return self._fields.setdefault(info, {})

    def stored(self, info: ClassInfo, name: str) -> Value | None:
        """The value of a class's field, from its body and constructor."""
        for each in info.lineage():
            self._prepare(each)
            fields = self.fields(each)
            if name in fields:
                return fields[name]
        return None

    def _prepare(self, info: ClassInfo) -> None:
        if id(info) in self._ready:
            return
        self._ready.add(id(info))
        frame = Frame(self, info.module, None, self.names.modules.get(info.module.path) if self.scripts else None)
        plain = tuple(each for each in info.node.body if isinstance(each, (ir.Assign, ir.ExprStatement)))
        self.guarded(frame, plain, info.node.qualified)
        self._fields[info] = {**frame.env, **self.fields(info)}
        constructor = info.methods.get("__init__")
        if constructor:
            self.summary(constructor)

    def instance(self, info: ClassInfo, arguments: Arguments, site: CallSite) -> Value:
        """A new object."""
        constructor = info.method("__init__")
        if constructor is None:
            fields = declared_fields(info, arguments, Place(site[0].path, site[1].line))
            return Value(of=info, origin=Trusted.INTERNAL, fields=fields or None)
        made = Value(of=info, origin=Trusted.INTERNAL)
        summary = self.summary(constructor)
        if summary is None:
            return Value(of=info, origin=Trusted.INTERNAL, open=Break.DEPTH_LIMIT, taints=mixed(arguments.positional).taints)
        replay = self._replay(constructor, made, arguments, site)
        self._take_hits(summary, replay, site)
        changed = summary.changes.get(0)
        if changed is not None and self.scripts:
            take_made(self, changed, replay, site)
        return replay.value(changed) if changed else made

    # --- functions -----------------------------------------------------------------------------------------------

    def summary(self, info: FunctionInfo) -> Summary | None:
        """The function's summary; None while it is being run or if calls nest too deep.

        A summary cut off by the nesting limit is provisional: callers use it until the next pass over all functions, when its
        callees may be known. It is not rerun for each caller: otherwise a long chain of calls would be followed once per function
        in it. A recursive function is run twice: first as if the recursive call returned nothing, then with the first result."""
        if (known := self.summaries.get(info.id)) is not None:
            return known
        if self._running and info.id == self._running[-1]:
            self._recursive.add(info.id)
            return self._provisional.get(info.id, Summary(NOTHING))
        if self._running and (info.id in self._running or info.id in self._provisional or len(self._running) >= MAX_CALLS):
            self._cut_short = self._cut_short or info.id not in self._running
            return self._provisional.get(info.id)
        if self.surroundings is not None and self.surroundings.left(self._running):
            self._cut_short = self._cut_short or not self._started
            return None
        progress.at(info.module.path)
        self.checkpoint()
        outer_cut, self._cut_short = self._cut_short, False
        self._running.append(info.id)
        made = self._run(info)
        if info.id in self._recursive:
            self._provisional[info.id] = made
            made = self._run(info)
        self._running.pop()
        if self._cut_short and not self._settle:
            self._provisional[info.id] = made
        else:
            self.summaries[info.id] = made
        self._cut_short = self._cut_short or outer_cut
        return made

    def look_again(self, *, settle: bool) -> None:
        """Start another pass over all functions. With `settle` it is the last, and incomplete summaries become final."""
        self._provisional.clear()
        self._ran.clear()
        self._settle, self._started = settle, True

    def _run(self, info: FunctionInfo) -> Summary:
        frame = Frame(self, info.module, info, self.closure(info))
        given = parameter_values(self, info) if info.node.parameters else {}
        frame.env.update(given)
        frame.exits = []
        self.guarded(frame, info.node.body, info.node.qualified, info.node.line)
        returned = frame.returned
        if frame.yielded is not None:
            returned = Value(origin=Trusted.INTERNAL, rest=frame.yielded)
        never = frame.ended and frame.returned is None and not info.node.is_generator and not is_abstract(info.node)
        return Summary(returned or NOTHING, changes(frame, info, given), tuple(frame.hits.values()), never, tuple(frame.later))

    def _replay(self, info: FunctionInfo, bound: Value | None, arguments: Arguments, site: CallSite | None) -> Replay:
        at = Place(site[0].path, site[1].line) if site else Place(info.module.path, info.node.line)
        note = f"passed to {info.node.qualified}" if site else ""
        place = (site[0].path, site[1].line, site[1].end, site[0].qualified) if site else None
        given = bound_arguments(info, bound, arguments)
        return Replay(self, info.id, given, at, note, place, symbol=last_name(site[1].callee) if site else "")

    def any_of(self, candidates: list[FunctionInfo], receiver: Value, arguments: Arguments, site: CallSite) -> Value:
        """The result of a call that any of these methods may receive, because the receiver's class is unknown."""
        result, plain = (
            NOTHING,
            Arguments(arguments.positional, arguments.keywords),
        )  # no starred arguments: the target is a guess
        for info in candidates:
            summary = self.summary(info)
            if summary is None:
                continue
            bound = None if info.is_static else Value(of=info.owner, taints=receiver.taints, origin=receiver.origin)
            replay = self._replay(info, bound, plain, site)
            replay.broken = Break.DYNAMIC_DISPATCH
            self._take_hits(summary, replay, site)
            result = joined(result, replay.value(summary.returns))
        taints = tuple(taint._replace(broken=taint.broken or Break.DYNAMIC_DISPATCH) for taint in gathered(result))
        return Value(taints=taints, origin=Trusted.INTERNAL, open=Break.DYNAMIC_DISPATCH)

    def call(
        self, info: FunctionInfo, bound: Value | None, arguments: Arguments | None = None, site: CallSite | None = None
    ) -> Value:
        """The result of calling a project function; with a call site, its sinks and changes are recorded there."""
        info.called = True
        arguments = arguments or Arguments()
        summary = self.summary(info) if self._replays < MAX_REPLAYS else None
        if summary is None:
            passed = mixed([*arguments.positional, *arguments.keywords.values()])
            taints = tuple(taint._replace(broken=taint.broken or Break.DEPTH_LIMIT) for taint in passed.taints)
            return Value(taints=taints, origin=passed.origin | Trusted.INTERNAL, open=Break.DEPTH_LIMIT)
        replay = self._replay(info, bound, arguments, site)
        if site is not None:
            self._take_hits(summary, replay, site)
            self._take_changes(summary, replay, site, bound)
            if self.scripts:
                pass_on_route(self, info, arguments.positional, site)
                settle(self, info, replay)
                take_made(self, summary.returns, replay, site)
            if summary.never_returns:
                site[0].ended = True
        self._replays += 1
        try:
            return replay.value(summary.returns)
        finally:
            self._replays -= 1

    def started(self, info: FunctionInfo, bound: Value | None, arguments: Arguments, site: CallSite) -> None:
        """Record the sinks of a function that is called later with these arguments."""
        info.called = True
        summary = self.summary(info)
        if summary is not None:
            replay = self._replay(info, bound, arguments, site)
            self._take_hits(summary, replay, site)
            if self.scripts:
                settle(self, info, replay)

    def _take_hits(self, summary: Summary, replay: Replay, site: CallSite) -> None:
        for hit in summary.hits:
            seen = replay.hit(hit)
            if seen is not None:
                add(site[0], seen)
        if summary.later:
            follow(self, summary, replay, site)

    def followed(self, info: FunctionInfo, bound: Value | None, given: list[Value], site: CallSite) -> None:
        """Run a function that was passed to another one and is called there, up to a nesting limit."""
        if self._followed < MAX_FOLLOWED:
            self._followed += 1
            self.started(info, bound, Arguments(given), site)
            self._followed -= 1

    def _take_changes(self, summary: Summary, replay: Replay, site: CallSite, bound: Value | None) -> None:
        frame, node = site
        shift = 1 if bound is not None else 0
        for position, changed in summary.changes.items():
            if position < shift:
                owner = own_object(frame, node.callee.value) if isinstance(node.callee, ir.Attribute) else None
            else:
                plain = [each.value for each in node.arguments if not each.keyword and not each.spread]
                owner = plain[position - shift] if position - shift < len(plain) else None
            if owner is not None and is_place(owner):
                put(frame, owner, replay.value(changed))

    def predicate(self, frame: Frame, info: FunctionInfo, bound: Value | None, test: ir.Call, truth: bool) -> None:
        """Narrow the values for a function used as a check, or applied to elements, that returned `truth`."""
        self._checked(info, lambda: check(frame, info, bound, test, truth))

    def answered(self, frame: Frame, info: FunctionInfo, bound: Value | None, given: list[Value], truth: bool) -> Env | None:
        """The variables of a function where it returns `truth` for these arguments."""
        return self._checked(info, lambda: answered(frame, info, bound, given, truth))

    def ran(self, info: FunctionInfo, bound: Value | None, given: list[Value], run_check: Callable[[], Frame]) -> Frame:
        """A check that was run on values: once for both results, and cached for later checks of the same values."""
        key = (info.id, *self._checking, id(bound), *map(id, given))
        if key not in self._ran:
            if len(self._ran) >= MAX_RAN:
                self._ran.clear()
            self._ran[key] = (run_check(), bound, given)  # keeps the values alive, so that their identities are not reused
        return self._ran[key][0]

    def _checked(self, info: FunctionInfo, run_check: Callable[[], T]) -> T | None:
        """None for a check that is already being run: recursion yields nothing new, and each level multiplies the cost."""
        if len(self._checking) >= MAX_CHECKS or info.id in self._running or info.id in self._checking:
            return None
        self._checking.append(info.id)
        try:
            return run_check()
        finally:
            self._checking.pop()
