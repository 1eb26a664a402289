"""Where the values in a sink come from, walked backwards in JavaScript and TypeScript.

Always holds: every walk ends, because steps are counted; a value that nothing explains is unknown. Does not belong here: which
calls are sinks, and verdicts.
"""

from dataclasses import dataclass, field

from counterproof.analysis.backward.scripts.browser import hears_messages, is_of_the_page
from counterproof.analysis.backward.scripts.scopes import Scopes, Spot
from counterproof.analysis.flow.handler_parameters import SINGLE_VALUES, filled_by_the_program, is_whole_request
from counterproof.analysis.flow.sources import REQUEST_ATTRIBUTES, SCRIPT_ATTRIBUTES
from counterproof.analysis.ruleset import FlowRule
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.location import Location, at
from counterproof.model.recon import EntryKind, EntryPoint

MAX_STEPS = 600
MAX_DEPTH = 24
_KOA = ("query", "params", "request", "headers", "cookies", "url", "path", "querystring")
_ELEMENTS = ("forEach", "map", "filter", "some", "every", "find", "flatMap", "then")
_NUMBERS = frozenset(("int", "float", "bool", "parseInt", "parseFloat", "Number"))


@dataclass(slots=True)
class Walk:
    """What one walk found: where senders come in, what could not be explained, and what was met on the way."""

    senders: list[tuple[Location, str]] = field(default_factory=list[tuple[Location, str]])
    unknown: list[tuple[Location, str]] = field(default_factory=list[tuple[Location, str]])
    defences: list[tuple[Location, str]] = field(default_factory=list[tuple[Location, str]])
    names: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    """Variables that the value passed, by file."""
    places: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])
    trail: list[Spot] = field(default_factory=list[Spot])
    """Where the walk stands, the sink first."""
    trails: list[tuple[Spot, ...]] = field(default_factory=list[tuple[Spot, ...]])
    """The trail to each of the senders, in their order."""
    browsers: set[Location] = field(default_factory=set[Location])
    """Senders that need no route, because the browser hands over what they choose."""
    left: int = MAX_STEPS

    def sent(self, place: Location, what: str) -> None:
        self.senders.append((place, what))
        self.trails.append(tuple(self.trail))

    def handed(self, place: Location, what: str) -> None:
        self.browsers.add(place)
        self.sent(place, what)


class Walker:
    """Walks in one program."""

    def __init__(self, scopes: Scopes, entries: tuple[EntryPoint, ...], sanitisers: frozenset[str], callers: bool) -> None:
        self.scopes = scopes
        self._sanitisers = sanitisers
        self._callers = callers
        self._handlers = {(each.handler.path, each.handler.start) for each in entries if each.kind is EntryKind.HTTP}
        self._given_values = {
            (each.handler.path, each.handler.start)
            for each in entries
            if each.kind is EntryKind.HTTP and each.framework in SINGLE_VALUES
        }
        self._registered = {each.name.rpartition(".")[2] for each in entries if each.kind is EntryKind.HTTP}
        self._public = {(each.handler.path, each.handler.start) for each in entries if each.kind is EntryKind.PUBLIC_API}

    def walk(self, spot: Spot, found: Walk, depth: int = 0) -> None:
        found.left -= 1
        found.places.add((spot.module.path, spot.node.line))
        found.trail.append(spot)
        self._explain(spot, found, depth)
        found.trail.pop()

    def _explain(self, spot: Spot, found: Walk, depth: int) -> None:
        node = spot.node
        if found.left <= 0 or depth > MAX_DEPTH:
            found.unknown.append((_place(spot), "the walk was cut short"))
        elif isinstance(node, ir.Name):
            self._name(spot, node.id, found, depth)
        elif isinstance(node, ir.Attribute | ir.Index):
            self._part(spot, node, found, depth)
        elif isinstance(node, ir.Call):
            self._call(spot, node, found, depth)
        elif not isinstance(node, ir.Const | ir.Compare | ir.Not | ir.Unary):
            for each in _inside(node):
                self.walk(Spot(spot.module, spot.function, each), found, depth + 1)

    def _part(self, spot: Spot, node: ir.Attribute | ir.Index, found: Walk, depth: int) -> None:
        if is_of_the_page(self.scopes, spot, node):
            found.handed(_place(spot), "address or origin of the page")
            return
        channel = self._channel(spot, node)
        if channel:
            found.sent(_place(spot), channel)
            return
        stored = self._stored(spot, node)
        for each in stored:
            self.walk(each, found, depth + 1)
        if not stored:
            self.walk(Spot(spot.module, spot.function, node.value), found, depth + 1)

    def _stored(self, spot: Spot, node: ir.Attribute | ir.Index) -> list[Spot]:
        """`x.a` where `x = {a: value}` or `x.a = value` in the same scope."""
        if not isinstance(node, ir.Attribute) or not isinstance(node.value, ir.Name):
            return []
        found: list[Spot] = []
        for each in self.scopes.nodes(spot.module, spot.function):
            if isinstance(each, ir.Assign) and each.value is not None:
                found += [Spot(spot.module, spot.function, value) for value in _put(each.targets, each.value, node)]
        return found

    def _channel(self, spot: Spot, node: ir.Expr) -> str:
        """`req.query` and deeper, where `req` is what a framework hands over; '' for everything else."""
        chain: list[str] = []
        current: ir.Expr = node
        while isinstance(current, ir.Attribute | ir.Index):
            chain.append(current.name if isinstance(current, ir.Attribute) else "")
            current = current.value
        if not isinstance(current, ir.Name):
            return ""
        first = chain[-1] if chain else ""
        second = chain[-2] if len(chain) > 1 else ""
        if first in SCRIPT_ATTRIBUTES and self._is_request(spot, current.id):
            return f"request, {REQUEST_ATTRIBUTES[first]}"
        if first in _KOA and self._is_context(spot, current.id):
            inner = second if first == "request" else first
            return f"request, {REQUEST_ATTRIBUTES.get(inner, 'query')}" if inner else ""
        return ""

    def _is_request(self, spot: Spot, name: str) -> bool:
        _, owner = self.scopes.definitions(spot, name)
        if owner is None:
            return False
        parameter = next(each for each in owner.parameters if each.name == name)
        typed = isinstance(parameter.annotation, ir.Attribute) and parameter.annotation.name == "IncomingMessage"
        return typed or is_whole_request(parameter) or (self._is_handler(spot.module, owner) and parameter is _first(owner))

    def _is_context(self, spot: Spot, name: str) -> bool:
        _, owner = self.scopes.definitions(spot, name)
        return owner is not None and name in ("ctx", "context", "c") and self._is_handler(spot.module, owner)

    def _is_handler(self, module: ir.Module, function: ir.Function) -> bool:
        if (module.path, function.line) in self._handlers:
            return True
        return bool(self.scopes.names(module, function) & self._registered)

    def _name(self, spot: Spot, name: str, found: Walk, depth: int) -> None:
        values, owner = self.scopes.definitions(spot, name)
        found.names.add((spot.module.path, name))
        for each in values:
            if each.node is not spot.node:
                self.walk(each, found, depth + 1)
        if owner is not None:
            self._parameter(spot, owner, name, found, depth)
        elif not values and name not in spot.module.imports and not _is_function(spot.module, name):
            found.unknown.append((_place(spot), f"{name} is defined elsewhere"))

    def _parameter(self, spot: Spot, owner: ir.Function, name: str, found: Walk, depth: int) -> None:
        position = next(index for index, each in enumerate(owner.parameters) if each.name == name)
        own = 1 if owner.owner and owner.parameters and owner.parameters[0].name == "this" else 0
        if (spot.module.path, owner.line) in self._public and self._callers:
            found.sent(at(spot.module.path, owner.line), f"parameter {name} of a published function")
            return
        if (spot.module.path, owner.line) in self._given_values and owner.owner:
            if filled_by_the_program(owner.parameters[position]) or is_whole_request(owner.parameters[position]):
                return  # of a whole request, only its parts are the sender's
            found.sent(at(spot.module.path, owner.line), f"request, parameter {name} of a handler")
            return
        if position == own and hears_messages(self.scopes, spot.module, owner):
            found.handed(at(spot.module.path, owner.line), "message of another window")
            return
        names = self.scopes.names(spot.module, owner)
        calls = [each for each in self.scopes.calls(names) if not _leads_back(each, position - own, found)]
        for each in calls:
            given = _argument(each, position - own)
            if given is not None:
                self.walk(Spot(each.module, each.function, given), found, depth + 1)
        lists = [each for each in self.scopes.handed_over(names) if _walks_elements(each.node)]
        for each in lists:
            assert isinstance(each.node, ir.Call)
            assert isinstance(each.node.callee, ir.Attribute)
            self.walk(Spot(each.module, each.function, each.node.callee.value), found, depth + 1)
        if not calls and not lists:
            found.unknown.append((at(spot.module.path, owner.line), f"who gives {name} is not known"))

    def _call(self, spot: Spot, node: ir.Call, found: Walk, depth: int) -> None:
        callee = node.callee
        last = last_name(callee)
        if last in self._sanitisers:
            found.defences.append((_place(spot), last))
            return
        for each in node.arguments:
            self.walk(Spot(spot.module, spot.function, each.value), found, depth + 1)
        if isinstance(callee, ir.Attribute):
            channel = self._channel(spot, callee)
            if channel:
                found.sent(_place(spot), channel)
            else:
                self.walk(Spot(spot.module, spot.function, callee.value), found, depth + 1)
        elif isinstance(callee, ir.Name):
            for function in self.scopes.functions(spot.module, last):
                self._returned(Spot(spot.module, function, node), function, found, depth)

    def _returned(self, spot: Spot, function: ir.Function, found: Walk, depth: int) -> None:
        for node in self.scopes.nodes(spot.module, function):
            if isinstance(node, ir.Return) and node.value is not None:
                self.walk(Spot(spot.module, function, node.value), found, depth + 1)


def walker_for(scopes: Scopes, entries: tuple[EntryPoint, ...], rule: FlowRule) -> Walker:
    """One that stops at what makes the data harmless for a rule."""
    names = frozenset(each.removeprefix("*.").rpartition(".")[2] for each in rule.sanitisers)
    return Walker(scopes, entries, names if rule.private else names | _NUMBERS, rule.callers)


def _argument(call: Spot, position: int) -> ir.Expr | None:
    given = call.node.arguments if isinstance(call.node, ir.Call) else ()
    return given[position].value if 0 <= position < len(given) else None


def _leads_back(call: Spot, position: int, found: Walk) -> bool:
    """Whether the walk stands at this argument already: what is called like its caller explains nothing."""
    given = _argument(call, position)
    return given is not None and any(each.node is given for each in found.trail)


def _first(function: ir.Function) -> ir.Parameter | None:
    given = [each for each in function.parameters if each.name != "this"]
    return given[0] if given else None


def _put(targets: tuple[ir.Expr, ...], value: ir.Expr, wanted: ir.Attribute) -> list[ir.Expr]:
    """What an assignment puts into a field of a variable."""
    found: list[ir.Expr] = []
    for target in targets:
        if isinstance(value, ir.Mapping) and _same(target, wanted.value):
            found += [inner for key, inner in value.entries if _key(key) == wanted.name]
        elif isinstance(target, ir.Attribute) and target.name == wanted.name and _same(target.value, wanted.value):
            found.append(value)
    return found


def _same(one: ir.Expr, other: ir.Expr) -> bool:
    return isinstance(one, ir.Name) and isinstance(other, ir.Name) and one.id == other.id


def _key(key: ir.Expr | None) -> object:
    return key.value if isinstance(key, ir.Const) else None


def _is_function(module: ir.Module, name: str) -> bool:
    return any(each.name == name for each in module.functions) or any(each.name == name for each in module.classes)


def _walks_elements(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _ELEMENTS


def _inside(node: ir.Node) -> list[ir.Expr]:
    match node:
        case ir.Concat(parts=parts) | ir.Format(parts=parts):
            return list(parts)
        case ir.Binary(operands=operands) | ir.Boolean(operands=operands):
            return list(operands)
        case ir.Conditional(then=then, other=other):
            return [then, other]
        case ir.Await(value=value) | ir.Spread(value=value) | ir.Bind(value=value):
            return [value]
        case ir.Sequence(items=items):
            return list(items)
        case ir.Mapping(entries=entries):
            return [value for _, value in entries]
        case ir.Unknown(children=inner):
            return list(inner)
        case _:
            return []


def _place(spot: Spot) -> Location:
    return at(spot.module.path, spot.node.line)
