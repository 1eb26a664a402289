"""Sinks at a place: calls that a rule names, what handlers return, and functions that hand their argument on to a sink.

Always holds: only what the rule's own data calls a sink counts. Does not belong here: where the values come from.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.backward.ground import Ground
from counterproof.analysis.backward.items import Frame
from counterproof.analysis.backward.naming import Naming
from counterproof.analysis.backward.program import Callee, CallSite, Program
from counterproof.analysis.flow.arguments import SHELLS
from counterproof.analysis.flow.handlers import ADDRESS_METHODS, REST, sends_other
from counterproof.analysis.flow.hits import starts_statement
from counterproof.analysis.libraries import names
from counterproof.analysis.libraries.concepts import ANY, BODY, PAGE, PROGRAM, RECEIVER, SCRIPT, SQL_TEXT, SYSTEM, Sink
from counterproof.analysis.outline.settings import entry_of
from counterproof.analysis.outline.traversal import keyword, positional, text_of
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Await,
    Call,
    Comprehension,
    Const,
    Expr,
    Function,
    Index,
    Mapping,
    Name,
    Node,
    Return,
    Sequence,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.recon import EntryKind

MAX_WRAPPERS = 3
"""Functions looked through from a call to the sink that it hands its argument to."""

MAX_INSIDE = 12

_RESPONSES = names("response", "package")
_OTHER_RECEIVERS = ("web request", *names("receiver", "other"))


@dataclass(frozen=True, slots=True, eq=False)
class SinkAt:
    """One sink. `frame` is set when it was found through a call that hands data on to it."""

    ground: Ground
    node: Call | Return | Assign
    rule: FlowRule
    sink: Sink | None
    dangerous: tuple[Expr, ...]
    certain: bool
    frame: Frame | None = None


def _place_names(target: Index | Attribute, owner: str) -> tuple[str, ...]:
    """How rules may write the field or the element that is set."""
    if isinstance(target, Attribute):
        return (f"{owner}.{target.name}=" if owner else "", f"*.{target.name}=")
    key = text_of(target.key)
    member = target.value.name if isinstance(target.value, Attribute) else ""
    return (f"{owner}[{key.lower()}]" if owner else "", f"*.{member}[{key.lower()}]") if key else ()


class Sinks:
    """Finds sinks in one program."""

    def __init__(self, program: Program, naming: Naming) -> None:
        self._program = program
        self._naming = naming

    def at(self, rule: FlowRule, path: str, start: int, end: int) -> tuple[SinkAt, ...]:
        """Sinks of a rule on these lines; failing that, those behind calls on these lines."""
        ground = self._program.ground(path)
        nodes = [node for node in self._nodes(ground) if node.line <= end and node.end >= start]
        exact = [node for node in nodes if start <= node.line <= end] or nodes
        direct = [found for node in exact for found in self._direct(rule, ground, node, None)]
        if direct:
            return tuple(direct)
        calls = [node for node in exact if isinstance(node, Call)]
        return tuple(found for call in calls for found in self._behind(rule, ground, call, None, 1))[:MAX_INSIDE]

    def harmless(self, rule: FlowRule, path: str, start: int, end: int) -> Iterator[str]:
        """Calls on these lines that bear a sink's name but are made in a way that the rule calls harmless."""
        ground = self._program.ground(path)
        for site in ground.outline.of(Call):
            if start <= site.line <= end:
                name = self._naming.of(ground, site.node.callee)
                for sink in rule.sinks:
                    if sink.call == name and any(self._refuted(ground, site.node, *each) for each in sink.when):
                        yield name

    def everywhere(self, rule: FlowRule, path: str) -> tuple[SinkAt, ...]:
        """All sinks of a rule in one file."""
        ground = self._program.ground(path)
        return tuple(found for node in self._nodes(ground) for found in self._direct(rule, ground, node, None))

    def _nodes(self, ground: Ground) -> list[Call | Return | Assign]:
        return [site.node for kind in (Call, Return, Assign) for site in ground.outline.of(kind)]

    def _direct(self, rule: FlowRule, ground: Ground, node: Node, frame: Frame | None) -> Iterator[SinkAt]:
        if isinstance(node, Return):
            value = self._returned(rule, ground, node)
            if value is not None:
                yield SinkAt(ground, node, rule, None, (value,), True, frame)
        elif isinstance(node, Call):
            yield from self._called(rule, ground, node, frame)
        elif isinstance(node, Assign):
            yield from self._kept(rule, ground, node, frame)

    def _kept(self, rule: FlowRule, ground: Ground, node: Assign, frame: Frame | None) -> Iterator[SinkAt]:
        """`session[key] = value`, which rules write as "flask.session[]"; elements and fields of one name, as "*.html="."""
        for target in node.targets:
            if not isinstance(target, Index | Attribute) or node.value is None:
                continue
            name = self._naming.of(ground, target.value)
            named = _place_names(target, name)
            for sink in rule.sinks:
                if name and isinstance(target, Index) and sink.call == f"{name}[]":
                    yield SinkAt(ground, node, rule, sink, (node.value, target.key), True, frame)
                elif sink.call in named and not sink.when:
                    yield SinkAt(ground, node, rule, sink, (node.value,), True, frame)

    def _called(self, rule: FlowRule, ground: Ground, call: Call, frame: Frame | None) -> Iterator[SinkAt]:
        name = call.callee.name if isinstance(call.callee, Attribute) else ""
        path = self._naming.of(ground, call.callee)
        for sink in rule.sinks:
            method = sink.call.startswith("*.")
            if (sink.call[2:] != name) if method else (sink.call != path):
                continue
            if method and self._program.callees(ground, call):
                continue
            if not all(self._satisfies(ground, call, reference, demand) for reference, demand in sink.when):
                continue
            dangerous = tuple(self._dangerous(call, sink))
            certain = not method or self._certain(ground, rule, sink, call, dangerous)
            if dangerous and (certain or not (sink.only_certain or self._other_kind(ground, call))):
                yield SinkAt(ground, call, rule, sink, dangerous, certain, frame)
                return

    def _certain(self, ground: Ground, rule: FlowRule, sink: Sink, call: Call, dangerous: tuple[Expr, ...]) -> bool:
        if not sink.receiver_from:
            return True
        assert isinstance(call.callee, Attribute)
        if self._naming.of(ground, call.callee.value).startswith(sink.receiver_from):
            return True
        return rule.info.kind == "sql" and any(self._reads_as_sql(ground, each) for each in dangerous)

    def _reads_as_sql(self, ground: Ground, expr: Expr, depth: int = 0) -> bool:
        """The text itself says what it is, whatever runs it."""
        for node in walk(expr):
            text = text_of(node)
            if text is not None and starts_statement(text):
                return True
            if isinstance(node, Name) and depth < 2:
                assigned = ground.outline.local(ground.function(node), node.id) or ground.outline.top_level.get(node.id)
                value = assigned.value if assigned else None
                if value is not None and value is not expr and self._reads_as_sql(ground, value, depth + 1):
                    return True
        return False

    def _other_kind(self, ground: Ground, call: Call) -> bool:
        assert isinstance(call.callee, Attribute)
        receiver = call.callee.value
        if isinstance(receiver, Const | Sequence | Mapping | Comprehension):
            return True
        return self._naming.of(ground, receiver).startswith(_OTHER_RECEIVERS)

    def _dangerous(self, call: Call, sink: Sink) -> Iterator[Expr]:
        for reference in sink.arguments:
            if reference == ANY:
                yield from (each.value for each in call.arguments)
                return
            value = self._referred(call, reference)
            if value is not None:
                yield value
        for each in call.arguments:
            if each.spread == "*":
                yield each.value

    def _referred(self, call: Call, reference: int | str) -> Expr | None:
        if isinstance(reference, int):
            return positional(call, reference)
        if reference == RECEIVER:
            return call.callee.value if isinstance(call.callee, Attribute) else None
        if reference == BODY:
            body = positional(call, 0)
            if isinstance(body, Mapping):
                return None
            return body.items[0] if isinstance(body, Sequence) and body.kind == "tuple" and body.items else body
        if reference in (PROGRAM, SCRIPT):
            return _program(positional(call, 0) or keyword(call, "args"))
        if reference == SYSTEM:
            return keyword(call, "messages") or keyword(call, "input")
        head, _, inner = reference.partition(".")
        return entry_of(keyword(call, head), inner) if inner else keyword(call, reference)

    def _satisfies(self, ground: Ground, call: Call, reference: str, demand: str) -> bool:
        if (reference, demand) == PAGE:
            function = ground.function(call)
            return function is None or not sends_other(function)
        if (reference, demand) == SQL_TEXT:
            return any(self._reads_as_sql(ground, each.value) for each in call.arguments[:1])
        head, *inner = reference.split(".")
        value: Expr | None = None
        for name in head.split("/"):
            if value is None:
                value = self._referred(call, int(name) if name.isdigit() else name)
        for name in inner:
            made = self._made(ground, value)
            value = keyword(made, name) if made else None
            if made is None:
                return demand != "-"
        if demand == "-":
            return value is None
        text = self._text(ground, value)
        if demand.startswith("!"):
            return text is None or text not in demand[1:].split("|")
        if demand.startswith("~"):
            return value is None or text is None or demand[1:] in text
        return value is not None and (text is None or text in demand.split("|"))

    def _refuted(self, ground: Ground, call: Call, reference: str, demand: str) -> bool:
        """A demand that what is written here contradicts; what is merely absent contradicts nothing behind a dot."""
        if self._satisfies(ground, call, reference, demand):
            return False
        head, _, inner = reference.partition(".")
        if not inner:
            return True
        made = self._made(ground, self._referred(call, int(head) if head.isdigit() else head.rpartition("/")[2]))
        return made is not None and keyword(made, inner) is not None

    def _made(self, ground: Ground, value: Expr | None) -> Call | None:
        if isinstance(value, Name):
            found = self._program.codebase.meaning(ground.outline, value, ground.function(value))
            return found.node if found and isinstance(found.node, Call) else None
        return value if isinstance(value, Call) else None

    def _text(self, ground: Ground, value: Expr | None) -> str | None:
        if isinstance(value, Const):
            return str(value.value)
        path = self._naming.of(ground, value) if value is not None else ""
        return path.removesuffix("()").rpartition(".")[2] or None

    def _returned(self, rule: FlowRule, ground: Ground, node: Return) -> Expr | None:
        """What a web handler sends as a page, if the rule asks about that."""
        function = ground.function(node)
        if not rule.handler_returns or function is None or node.value is None:
            return None
        if not self._sent(rule, ground, function):
            return None
        value = node.value.items[0] if isinstance(node.value, Sequence) and node.value.items else node.value
        if isinstance(value, Mapping | Comprehension | Const):
            return None
        made = value.value if isinstance(value, Await) else value
        if isinstance(made, Call) and self._naming.of(ground, made.callee).startswith(_RESPONSES):
            return None
        if isinstance(made, Call) and any(
            self._sent(rule, each.ground, each.function) for each in self._program.callees(ground, made)
        ):
            return None  # what another handler returns is judged where it returns it
        return value

    def _sent(self, rule: FlowRule, ground: Ground, function: Function) -> bool:
        """Whether what a function returns is sent the way that the rule asks about."""
        owner = ground.owner(function)
        bases = [ground.outline.dotted(base) for base in owner.bases] if owner else []
        if "address" in rule.handler_returns:
            return function.name in ADDRESS_METHODS and any("View" in base for base in bases)
        if sends_other(function) or any(base.startswith(REST) for base in bases):
            return False
        entries = [each for each in self._program.entries(ground, function) if each.kind is EntryKind.HTTP]
        return any(each.framework.lower() in rule.handler_returns for each in entries)

    def _behind(self, rule: FlowRule, ground: Ground, call: Call, outer: Frame | None, depth: int) -> Iterator[SinkAt]:
        """Sinks in the function that a call runs, seen from that call."""
        for callee in self._program.callees(ground, call):
            frame = Frame(CallSite(ground, call, ground.function(call)), callee, outer, depth)
            yield from self._inside(rule, callee, frame, depth)

    def _inside(self, rule: FlowRule, callee: Callee, frame: Frame, depth: int) -> Iterator[SinkAt]:
        inner: list[Call] = []
        found = False
        for node in walk(*callee.function.body):
            if isinstance(node, Call):
                inner.append(node)
                for sink in self._called(rule, callee.ground, node, frame):
                    found = True
                    yield sink
        if not found and depth < MAX_WRAPPERS:
            for call in inner[:40]:
                yield from self._behind(rule, callee.ground, call, frame, depth + 1)


def _program(command: Expr | None) -> Expr | None:
    """What a command without a shell runs: its first word, and the script where that word is a shell itself."""
    if not isinstance(command, Sequence):
        return command
    if not command.items:
        return None
    first = command.items[0]
    rest = list(command.items[1:])
    option = text_of(rest[0]) if len(rest) > 1 else None
    name = (text_of(first) or "").rpartition("/")[2]
    known = option in ("-c", "/c", "/C", "-e") if not name else name in SHELLS and option is not None and option[:1] in "-/"
    return rest[1] if known else first
