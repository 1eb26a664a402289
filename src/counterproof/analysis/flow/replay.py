"""The effects of calling a function in terms of its arguments: computed once per function, replayed at every call.

Invariant: a summary contains only the function's own parameters, enclosing functions' parameters, and real sources. Replaying
repeats the function's accesses to its parameters on the arguments. Not handled here: running bodies.
"""

from dataclasses import dataclass, replace

from counterproof.analysis.flow.access import Place, replayed
from counterproof.analysis.flow.frame import EnginePort
from counterproof.analysis.flow.hits import Arguments, Hit
from counterproof.analysis.flow.sinks import decided_by_caller, is_meant, still_applies
from counterproof.analysis.flow.statements import Written, shape_of
from counterproof.analysis.flow.values import (
    Constant,
    Joint,
    Param,
    Step,
    StepKind,
    Taint,
    Trusted,
    Value,
    gathered,
    origins,
    steps_of,
    united_taints,
    with_taints,
)
from counterproof.analysis.libraries.matcher import dangerous_arguments
from counterproof.model.flow import Break

MAX_NESTING = 4
"""Nesting limit for replaying the structure of a return value."""


@dataclass(slots=True, eq=False)
class Replay:
    """One call: the function, its arguments by parameter index, and the step that the call adds."""

    engine: EnginePort
    function: int
    arguments: dict[int, Value]
    at: Place
    note: str
    site: tuple[str, int, int, str] | None = None
    """File, lines and function of the call, if it is a call of the program."""
    broken: Break | None = None
    """Why it is uncertain that this function is called."""
    symbol: str = ""
    """The name by which the program calls it."""

    def taints(self, taints: tuple[Taint, ...]) -> tuple[tuple[Taint, ...], Trusted, Break | None]:
        """Taints in the caller's terms, with the trusted origins and open edges behind the rest."""
        result: tuple[Taint, ...] = ()
        origin, broken = Trusted.NONE, None
        for taint in taints:
            if not isinstance(taint.origin, Param) or taint.origin.function != self.function:
                result = united_taints(result, (taint,))
                continue
            actual = self.argument(taint.origin, taint.step)
            more, more_broken = origins(actual)
            origin, broken = origin | more, broken or more_broken
            known = {(each.origin, each.passed) for each in result}
            fresh = (each for each in gathered(actual) if (each.origin, each.passed | taint.passed) not in known)
            result = united_taints(result, tuple(self._through(each, taint) for each in fresh))
        return result, origin, broken

    def argument(self, param: Param, step: Step | None = None) -> Value:
        given = self.arguments.get(param.position)
        if given is None:
            return Value(origin=Trusted.LITERAL)
        if not param.access:
            return given
        at = Place(step.path, step.line) if step else self.at
        return replayed(self.engine, given, param.access, at)

    def _through(self, outer: Taint, inner: Taint) -> Taint:
        """The caller's flow to the argument, then the call, then the callee's flow."""
        chain, last = outer.step, inner.step
        if self.at.line and self.note:
            chain = Step(StepKind.CALL, self.at.path, self.at.line, self.note, chain, self.symbol)
        if last is not None:
            before = chain if last.before is None else Joint(last.before, chain)
            chain = Step(last.kind, last.path, last.line, last.note, before, last.symbol)
        return Taint(outer.origin, outer.passed | inner.passed, chain, outer.broken or inner.broken or self.broken)

    def value(self, value: Value, nesting: int = MAX_NESTING) -> Value:
        """A value of the callee in the caller's terms."""
        if value.sym and value.sym.function == self.function:
            return self._overlaid(self.argument(value.sym), value, nesting)
        if nesting == 0 or not (value.taints or value.items or value.entries or value.rest or value.fields or value.bound):
            return value
        taints, origin, broken = self.taints(value.taints)
        inner = nesting - 1
        return Value(
            value.const,
            taints,
            value.origin | origin,
            value.open or broken,
            value.path,
            tuple(self.value(each, inner) for each in value.items) if value.items is not None else None,
            self._entries(value.entries, inner),
            self.value(value.rest, inner) if value.rest else None,
            {name: self.value(each, inner) for name, each in value.fields.items()} if value.fields else None,
            value.of,
            self.value(value.bound, inner) if value.bound else None,
            value.sym,
        )

    def _entries(self, entries: dict[Constant, Value] | None, nesting: int) -> dict[Constant, Value] | None:
        return None if entries is None else {key: self.value(each, nesting) for key, each in entries.items()}

    def _overlaid(self, actual: Value, changed: Value, nesting: int) -> Value:
        """The argument itself, with the callee's changes and the guards it passed there."""
        passed = [taint.passed for taint in changed.taints]
        common = passed[0].intersection(*passed[1:]) if passed else frozenset[str]()
        if common and actual.taints:
            actual = with_taints(actual, tuple(taint._replace(passed=taint.passed | common) for taint in actual.taints))
        if nesting == 0 or not (changed.fields or changed.entries or changed.rest or changed.items):
            return actual
        inner = nesting - 1
        fields = {**(actual.fields or {}), **{name: self.value(each, inner) for name, each in (changed.fields or {}).items()}}
        entries = {**(actual.entries or {}), **(self._entries(changed.entries, inner) or {})}
        rest = self.value(changed.rest, inner) if changed.rest else actual.rest
        items = tuple(self.value(each, inner) for each in changed.items) if changed.items is not None else actual.items
        return Value(
            actual.const, actual.taints, actual.origin, actual.open, actual.path, items, entries or None, rest, fields or None,
            actual.of or changed.of, actual.bound, actual.sym,
        )  # fmt: skip

    def hit(self, hit: Hit) -> Hit | None:
        """A callee's sink as the caller sees it; None if it depends on no parameter of the function or of an enclosing one."""
        functions = {each.origin.function for each in hit.taints if isinstance(each.origin, Param)}
        if self.function not in functions:
            return replace(hit) if functions else None
        taints, origin, broken = self.taints(hit.taints)
        certain, receiver = hit.certain, hit.receiver
        if receiver is not None and receiver.function == self.function:
            actual = self.argument(receiver)
            certain = certain or is_meant(hit.sink, actual)
            receiver = actual.sym
            if hit.waiting and not certain and receiver is None:
                return None
        asked = self._asked(hit.asked) if hit.asked is not None else None
        if asked is not None:
            if not still_applies(hit.sink, asked):
                return None
            meant = {each.origin for value in dangerous_arguments(hit.sink, asked) for each in gathered(value)}
            taints = tuple(each for each in taints if each.origin in meant)
        place = (hit.path, hit.line, hit.end, hit.function)
        straight = hit.straight and self._hands_on(hit)
        if hit.straight and not straight and self.site and any(map(_is_built, taints)):
            place = self.site  # the text is built here; the callee only runs it
        call, statement = self._statement(hit)
        return Hit(
            hit.rule, hit.sink, *place, call, taints, hit.origin | origin, hit.open or broken, certain, hit.sink_path,
            hit.sink_line, hit.sink_end, receiver, straight, statement,
            asked if asked is not None and decided_by_caller(hit.sink, asked) else None, hit.waiting and not certain,
            hit.written,
        )  # fmt: skip

    def _asked(self, asked: Arguments) -> Arguments:
        """The call's arguments in the caller's terms."""
        keywords = {name: self.value(each) for name, each in asked.keywords.items()}
        spread = self.value(asked.spread) if asked.spread is not None else None
        positional = [self.value(each) for each in asked.positional]
        return Arguments(positional, keywords, spread, asked.receiver, asked.spread_from)

    def _statement(self, hit: Hit) -> tuple[str, Param | None]:
        """The table that a caller's statement writes, once known."""
        if hit.statement is None or hit.statement.function != self.function:
            return hit.call, hit.statement
        actual = self.argument(hit.statement)
        if actual.sym is not None:
            return hit.call, actual.sym
        shape = shape_of(actual.const) if isinstance(actual.const, str) else None
        return f"{shape.table}\n" if isinstance(shape, Written) else hit.call, None

    def _hands_on(self, hit: Hit) -> bool:
        """Return True if the caller also only passes its own parameter on."""
        own = [each.origin for each in hit.taints if isinstance(each.origin, Param) and each.origin.function == self.function]
        given = self.arguments.get(own[0].position) if len(own) == 1 else None
        return given is not None and given.sym is not None and not given.sym.access


def _is_built(taint: Taint) -> bool:
    """Return True if the data was concatenated with other text on its way."""
    return any(step.kind is StepKind.BUILD for step in steps_of(taint.step))
