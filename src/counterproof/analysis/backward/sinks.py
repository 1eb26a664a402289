"""Sinks at a place: calls that a rule names, what handlers return, and functions that hand their argument on to a sink.

Always holds: only what the rule's own data calls a sink counts. Does not belong here: where the values come from.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from counterproof.analysis.backward.dotted_names import Naming
from counterproof.analysis.backward.items import Frame
from counterproof.analysis.backward.subjects import Subjects
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.handlers import ADDRESS_METHODS, REST, sends_other
from counterproof.analysis.flow.hits import starts_statement
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import EXPONENTIAL, PAGE, POLYNOMIAL, SQL_TEXT, Sink
from counterproof.analysis.libraries.matcher import (
    AROUND,
    UNKNOWN,
    Demand,
    SinkTable,
    Unknown,
    applies,
    dangerous_arguments,
    is_certain,
    referred,
    satisfies,
)
from counterproof.analysis.patterns import Ambiguity, ambiguity
from counterproof.analysis.program.definitions import Key
from counterproof.analysis.program.file import File
from counterproof.analysis.program.program import Callee, CallSite
from counterproof.analysis.program.traversal import argument, text_of
from counterproof.analysis.program.written_calls import WrittenCall
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind

MAX_WRAPPERS = 3
"""Functions looked through from a call to the sink that it hands its argument to."""

MAX_INSIDE = 12

_RESPONSES = names("response", "package")
_SLOW: dict[Demand, Callable[[Ambiguity], bool]] = {
    EXPONENTIAL: lambda found: found.exponential,
    POLYNOMIAL: lambda found: found.searched > 1,
}
_OTHER_RECEIVERS = ("web request", *names("receiver", "other"))


@dataclass(frozen=True, slots=True, eq=False)
class SinkAt:
    """One sink. `frame` is set when it was found through a call that hands data on to it; `access` says which part of a dangerous
    value is meant."""

    ground: File
    node: ir.Call | ir.Return | ir.Assign
    rule: FlowRule
    sink: Sink | None
    dangerous: tuple[ir.Expr, ...]
    certain: bool
    frame: Frame | None = None
    access: tuple[Key, ...] = ()


class Sinks:
    """Finds sinks in one program."""

    def __init__(self, program: EnteredProgram, naming: Naming) -> None:
        self._program = program
        self._naming = naming

    def at(self, rule: FlowRule, path: str, start: int, end: int) -> tuple[SinkAt, ...]:
        """Sinks of a rule on these lines; failing that, those behind calls on these lines."""
        ground = self._program.file(path)
        nodes = [node for node in self._nodes(ground) if node.line <= end and node.end >= start]
        exact = [node for node in nodes if start <= node.line <= end] or nodes
        direct = [found for node in exact for found in self._direct(rule, ground, node, None)]
        if direct:
            return tuple(direct)
        calls = [node for node in exact if isinstance(node, ir.Call)]
        return tuple(found for call in calls for found in self._behind(rule, ground, call, None, 1))[:MAX_INSIDE]

    def harmless(self, rule: FlowRule, path: str, start: int, end: int) -> Iterator[str]:
        """Calls on these lines that bear a sink's name but are made in a way that the rule calls harmless."""
        ground = self._program.file(path)
        for site in ground.of(ir.Call):
            if start <= site.line <= end:
                name = self._naming.of(ground, site.node.callee)
                given = self._given(ground, site.node)
                yield from (name for _, sink in _table(rule).exact(name) if given.refutes(sink))

    def everywhere(self, rule: FlowRule, path: str) -> tuple[SinkAt, ...]:
        """All sinks of a rule in one file."""
        ground = self._program.file(path)
        return tuple(found for node in self._nodes(ground) for found in self._direct(rule, ground, node, None))

    def _nodes(self, ground: File) -> list[ir.Call | ir.Return | ir.Assign]:
        return [site.node for kind in (ir.Call, ir.Return, ir.Assign) for site in ground.of(kind)]

    def _direct(self, rule: FlowRule, ground: File, node: ir.Node, frame: Frame | None) -> Iterator[SinkAt]:
        if isinstance(node, ir.Return):
            value = self._returned(rule, ground, node)
            if value is not None:
                yield SinkAt(ground, node, rule, None, (value,), True, frame)
        elif isinstance(node, ir.Call):
            yield from self._called(rule, ground, node, frame)
        elif isinstance(node, ir.Assign):
            yield from self._kept(rule, ground, node, frame)

    def _kept(self, rule: FlowRule, ground: File, node: ir.Assign, frame: Frame | None) -> Iterator[SinkAt]:
        """`session[key] = value`, which rules write as "flask.session[]"; elements and fields of one name, as "*.html="."""
        table = _table(rule)
        for target in node.targets:
            if not isinstance(target, ir.Index | ir.Attribute) or node.value is None:
                continue
            owner = self._naming.of(ground, target.value)
            if isinstance(target, ir.Attribute):
                found = table.field(owner, target.name)
            else:
                yield from (
                    SinkAt(ground, node, rule, sink, (node.value, target.key), True, frame)
                    for _, sink in table.any_element(owner)
                )
                member = target.value.name if isinstance(target.value, ir.Attribute) else ""
                key = text_of(target.key)
                found = table.element(owner, member, key) if key else ()
            yield from (SinkAt(ground, node, rule, sink, (node.value,), True, frame) for _, sink in found if not sink.when)

    def _called(self, rule: FlowRule, ground: File, call: ir.Call, frame: Frame | None) -> Iterator[SinkAt]:
        name = call.callee.name if isinstance(call.callee, ir.Attribute) else ""
        table = _table(rule)
        found = table.exact(self._naming.of(ground, call.callee))
        is_method = not found
        if is_method:
            found = table.method(name)
            if not found or self._program.callees(ground, call):
                return
        given = self._given(ground, call)
        for _, sink in found:
            if not applies(sink, given, given.holds):
                continue
            dangerous = tuple(dangerous_arguments(sink, given))
            certain = not is_method or self._certain(ground, rule, sink, call, dangerous, frame)
            if dangerous and (certain or not (sink.only_certain or self._other_kind(ground, call))):
                yield SinkAt(ground, call, rule, sink, dangerous, certain, frame)
                return

    def _given(self, ground: File, call: ir.Call) -> "NamedCall":
        return NamedCall(self._program, self._naming, ground, call)

    def _certain(
        self, ground: File, rule: FlowRule, sink: Sink, call: ir.Call, dangerous: tuple[ir.Expr, ...], frame: Frame | None
    ) -> bool:
        assert isinstance(call.callee, ir.Attribute)
        if is_certain(sink, self._naming.of(ground, call.callee.value)):
            return True
        if rule.kind != "sql" or sink.only_certain:
            return False
        return any(_reads_as_sql(ground, each) for each in dangerous) or (frame is not None and _is_handed_sql(frame, dangerous))

    def _other_kind(self, ground: File, call: ir.Call) -> bool:
        assert isinstance(call.callee, ir.Attribute)
        receiver = call.callee.value
        if isinstance(receiver, ir.Const | ir.Sequence | ir.Mapping | ir.Comprehension):
            return True
        return self._naming.of(ground, receiver).startswith(_OTHER_RECEIVERS)

    def _returned(self, rule: FlowRule, ground: File, node: ir.Return) -> ir.Expr | None:
        """What a web handler sends as a page, if the rule asks about that."""
        function = ground.function(node)
        if not rule.handler_returns or function is None or node.value is None:
            return None
        if not self._sent(rule, ground, function):
            return None
        value = node.value.items[0] if isinstance(node.value, ir.Sequence) and node.value.items else node.value
        if isinstance(value, ir.Mapping | ir.Comprehension | ir.Const):
            return None
        made = value.value if isinstance(value, ir.Await) else value
        if isinstance(made, ir.Call) and self._naming.of(ground, made.callee).startswith(_RESPONSES):
            return None
        if isinstance(made, ir.Call) and any(
            self._sent(rule, each.ground, each.function) for each in self._program.callees(ground, made)
        ):
            return None  # what another handler returns is judged where it returns it
        return value

    def _sent(self, rule: FlowRule, ground: File, function: ir.Function) -> bool:
        """Whether what a function returns is sent the way that the rule asks about."""
        owner = ground.owner(function)
        bases = [ground.dotted(base) for base in owner.bases] if owner else []
        if "address" in rule.handler_returns:
            return function.name in ADDRESS_METHODS and any("View" in base for base in bases)
        if sends_other(function) or any(base.startswith(REST) for base in bases):
            return False
        entries = [each for each in self._program.entries(ground, function) if each.kind is EntryKind.HTTP]
        return any(each.framework.lower() in rule.handler_returns for each in entries)

    def _behind(self, rule: FlowRule, ground: File, call: ir.Call, outer: Frame | None, depth: int) -> Iterator[SinkAt]:
        """Sinks in the function that a call runs, seen from that call."""
        for callee in self._program.callees(ground, call):
            frame = Frame(CallSite(ground, call, ground.function(call)), callee, outer, depth)
            yield from self._inside(rule, callee, frame, depth)

    def _inside(self, rule: FlowRule, callee: Callee, frame: Frame, depth: int) -> Iterator[SinkAt]:
        inner: list[ir.Call] = []
        found = False
        for node in walk(*callee.function.body):
            if isinstance(node, ir.Call):
                inner.append(node)
                for sink in self._called(rule, callee.ground, node, frame):
                    found = True
                    yield sink
        if not found and depth < MAX_WRAPPERS:
            for call in inner[:40]:
                yield from self._behind(rule, callee.ground, call, frame, depth + 1)


class NamedCall(WrittenCall):
    """A call whose names are looked up in the program."""

    def __init__(self, program: EnteredProgram, naming: Naming, ground: File, call: ir.Call) -> None:
        super().__init__(call)
        self._program = program
        self._naming = naming
        self._ground = ground

    def text(self, value: ir.Expr) -> str | None:
        written = super().text(value)
        if written is not None:
            return written
        return self._naming.of(self._ground, value).removesuffix("()").rpartition(".")[2] or None

    def entry(self, value: ir.Expr, name: str) -> ir.Expr | Unknown | None:
        if isinstance(value, ir.Name):
            found = self._program.codebase.meaning(self._ground, value, self._ground.function(value))
            return super().entry(found.node, name) if found and isinstance(found.node, ir.Call) else UNKNOWN
        return super().entry(value, name)

    def holds(self, demand: Demand) -> bool:
        """What a sink demands of the code around the call."""
        if demand == PAGE:
            function = self._ground.function(self.call)
            return function is None or not sends_other(function)
        if demand in _SLOW:
            return (pattern := self._pattern()) is not None and _SLOW[demand](ambiguity(pattern))
        return demand != SQL_TEXT or any(_reads_as_sql(self._ground, each.value) for each in self.call.arguments[:1])

    def _pattern(self) -> str | None:
        """The regular expression that the call applies, where the code spells it out."""
        subjects, callee = Subjects(self._program), self.call.callee
        compiled = subjects.compiled(self._ground, callee.value) if isinstance(callee, ir.Attribute) else None
        given = argument(self.call, 0, "pattern") if compiled is None else None
        return compiled if given is None else subjects.text(self._ground, given)

    def refutes(self, sink: Sink) -> bool:
        """Whether what is written here contradicts a demand; what is merely absent contradicts nothing behind a dot."""
        return any(self._refutes(*each) for each in sink.when)

    def _refutes(self, reference: str, demand: str) -> bool:
        if (reference, demand) in AROUND:
            return not self.holds((reference, demand)) and ((reference, demand) not in _SLOW or self._pattern() is not None)
        return not satisfies(self, reference, demand) and ("." not in reference or referred(self, reference) is not None)


def _reads_as_sql(ground: File, expr: ir.Expr, depth: int = 0) -> bool:
    """The text itself says what it is, whatever runs it."""
    for node in walk(expr):
        text = text_of(node)
        if text is not None and starts_statement(text):
            return True
        if isinstance(node, ir.Name) and depth < 2:
            assigned = ground.local(ground.function(node), node.id) or ground.top_level.get(node.id)
            value = assigned.value if assigned else None
            if value is not None and value is not expr and _reads_as_sql(ground, value, depth + 1):
                return True
    return False


def _is_handed_sql(frame: Frame, dangerous: tuple[ir.Expr, ...]) -> bool:
    """Whether a statement that the caller wrote comes in as a parameter: `query_db(f"SELECT …")`."""
    names = {each.name for each in frame.callee.function.parameters}
    if not any(isinstance(node, ir.Name) and node.id in names for each in dangerous for node in walk(each)):
        return False
    return any(_reads_as_sql(frame.site.ground, each.value) for each in frame.site.call.arguments)


@cache
def _table(rule: FlowRule) -> SinkTable[FlowRule]:
    return SinkTable((rule, each) for each in rule.sinks)
