"""All sinks of the project with all data that reaches them, after every function was run.

Invariant: a sink appears once per rule, file and line; an unresolved edge is kept as open, so that a trace is complete only if it
is. Data that one request writes and another reads is matched if the table or model and, if known, the column are the same. Not
handled here: wording.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from counterproof.analysis.flow.access import Place
from counterproof.analysis.flow.engine import Engine
from counterproof.analysis.flow.hits import Hit
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.replay import Replay
from counterproof.analysis.flow.sources import LOCAL_CHANNELS
from counterproof.analysis.flow.stores import WRITES
from counterproof.analysis.flow.surroundings import Surroundings
from counterproof.analysis.flow.values import STORED, Param, Source, Step, StepKind, Taint, Trusted, Value, steps_of
from counterproof.analysis.project import Followed, OutOfTime
from counterproof.model.flow import Break

MAX_WRITES = 50
"""Writes kept per table or model; the first ones win."""


class Writes:
    """Request data that is written into stores, by table or model."""

    def __init__(self) -> None:
        self._by_place: dict[str, list[tuple[str, Taint, tuple[str, int]]]] = {}

    def take(self, call: str, taints: tuple[Taint, ...], path: str, line: int) -> None:
        place, _, column = call.partition("\n")
        known = self._by_place.setdefault(place, [])
        for taint in taints:
            source = taint.origin
            if not isinstance(source, Source) or source.channel in (STORED, *LOCAL_CHANNELS) or taint.broken:
                continue  # a broken write flow explains nothing
            if len(known) < MAX_WRITES:
                known.append((column, taint, (path, line)))

    def explained(self, read: Taint) -> list[Taint]:
        """The flows by which request data reaches a stored value; empty if the code shows none."""
        source = read.origin
        if not isinstance(source, Source) or source.channel != STORED:
            return [read]
        found = self._found(source.name) if not read.broken else ()
        return [
            _through(written, read, source, at)
            for column, written, at in found
            if not column or not source.parameter or column.lower() == source.parameter.lower()
        ]

    def _found(self, place: str) -> Sequence[tuple[str, Taint, tuple[str, int]]]:
        """The writes to a table or model. Django names a model's table by application and model: `board_article`."""
        if place in self._by_place or "_" not in place:
            return self._by_place.get(place, ())
        model = place.rpartition("_")[2].lower()
        return next((writes for name, writes in self._by_place.items() if name.lower() == model and name != model), ())


def _through(written: Taint, read: Taint, source: Source, at: tuple[str, int]) -> Taint:
    """One flow: from the request into the store, and from there to the reader."""
    name = f"{source.name}.{source.parameter}" if source.parameter else source.name
    chain = Step(StepKind.CALL, at[0], at[1], f"stored in {name}", written.step)
    for step in steps_of(read.step):
        kind = StepKind.ASSIGN if step.kind is StepKind.SOURCE else step.kind
        chain = Step(kind, step.path, step.line, step.note, chain, step.symbol)
    return Taint(written.origin, written.passed | read.passed, chain, written.broken or read.broken or Break.ASYNC_BOUNDARY)


MAX_AROUND = 4

RECURSION = 4_000
"""Python frames that an examination may nest; beyond that a function is skipped, with a limitation."""


@dataclass(slots=True, eq=False)
class Outcome:
    """One sink, or one call that passes data to it, and the data that reaches it from all callers."""

    hit: Hit
    harmful: list[Taint] = field(default_factory=list[Taint])
    harmless: list[Taint] = field(default_factory=list[Taint])
    origin: Trusted = Trusted.NONE
    broken: Break | None = None
    certain: bool = False

    def take(self, hit: Hit) -> None:
        harmful = hit.harmful()
        for taint in hit.taints:
            if isinstance(taint.origin, Source) and (taint.origin.channel != STORED or hit.rule.stored):
                (self.harmful if taint in harmful else self.harmless).append(taint)
                self.broken = self.broken or (taint.broken if taint.origin.channel != STORED else None)
        self.origin |= hit.origin
        self.broken = self.broken or hit.open
        self.certain = self.certain or hit.certain


class RoomToNest:
    """Raises the recursion limit for deeply nested code; Python calls to Python code need no C stack."""

    def __enter__(self) -> None:
        self._before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(self._before, RECURSION))

    def __exit__(self, *_: object) -> None:
        sys.setrecursionlimit(self._before)


def run_everything(
    engine: Engine, publish: Callable[[Engine], None] | None = None, followed: Followed | None = None
) -> tuple[list[Outcome], Writes, bool]:
    """Run all code; return the outcomes and True if there was time for everything. `publish` marks the functions that others may
    call; functions outside `followed` are run only if a function inside calls them."""
    with RoomToNest():
        finished = _run(engine, followed)
        if publish is not None:
            publish(engine)
        return *_outcomes(engine), finished


def _run(engine: Engine, followed: Followed | None) -> bool:
    wanted = engine.index.functions
    if followed is not None:
        engine.surroundings = Surroundings(wanted, followed)
        wanted = engine.surroundings.functions
    try:
        for module in engine.index.modules.values():
            engine.names.module_frame(module)
        for last in (False, False, False, True):  # summaries cut off by the nesting limit can use their callees in the next pass
            engine.look_again(settle=last)
            for info in wanted:
                engine.summary(info)
    except OutOfTime:
        return False
    return True


def _outcomes(engine: Engine) -> tuple[list[Outcome], Writes]:
    found: dict[tuple[object, ...], Outcome] = {}
    writes = Writes()
    held: dict[int, Value] = {}
    for frame in engine.names.modules.values():
        for hit in frame.hits.values():
            _take(found, writes, hit)
    for info in engine.index.functions:
        summary = engine.summaries.get(info.id)
        if summary is None or not summary.hits:
            continue
        roots = [root for each in (info, *_around(engine, info)) if (root := _root(engine, each, held)) is not None]
        for hit in summary.hits:
            _take(found, writes, _resolved(info, roots, hit))
    every = sorted(found.values(), key=lambda each: (each.hit.path, each.hit.line, each.hit.rule.id, each.hit.call))
    return every, writes


def _take(found: dict[tuple[object, ...], Outcome], writes: Writes, hit: Hit) -> None:
    if hit.rule is WRITES:
        writes.take(hit.call, hit.harmful(), hit.path, hit.line)
        return
    key = (hit.rule.id, hit.path, hit.line, hit.sink_path, hit.sink_line)
    if key not in found:
        found[key] = Outcome(hit)
    found[key].take(hit)


def _around(engine: Engine, info: FunctionInfo) -> list[FunctionInfo]:
    """The enclosing functions, whose parameters are still used after they have returned."""
    found: list[FunctionInfo] = []
    frame = engine.closure(info)
    while frame is not None and frame.function is not None and len(found) < MAX_AROUND:
        found.append(frame.function)
        frame = frame.closure
    return found


def _root(engine: Engine, info: FunctionInfo, held: dict[int, Value]) -> Replay | None:
    """The function as called from outside, or as a framework stores its object; `held` are those objects, one per class."""
    arguments = engine.handlers.arguments(info)
    owner = info.owner
    if owner is not None and not info.is_static and info.node.parameters:
        if id(owner) not in held:
            held[id(owner)] = Value(of=owner, origin=Trusted.INTERNAL, fields=dict(engine.fields(owner)) or None)
        arguments = {0: held[id(owner)], **arguments}
    if not arguments:
        return None
    for position in range(len(info.node.parameters)):
        arguments.setdefault(position, Value(taints=(Taint(Param(-1, position, ()), frozenset(), None),)))
    return Replay(engine, info.id, arguments, Place(info.module.path, info.node.line), "")


def _resolved(info: FunctionInfo, roots: list[Replay], hit: Hit) -> Hit:
    """A hit with parameters replaced by the values passed from outside; parameters of functions without callers stay open."""
    seen = hit
    for root in roots:
        seen = root.hit(seen) or seen
    left = seen.parameters()
    if not left:
        return seen
    unexplained = not info.called and any(
        isinstance(each.origin, Param) and each.origin.function in (info.id, -1) for each in left
    )
    taints = tuple(each for each in seen.taints if isinstance(each.origin, Source))
    broken = seen.open or (Break.CALLBACK if unexplained else None)
    return replace(seen, taints=taints, origin=seen.origin | Trusted.INTERNAL, open=broken)
