"""Assignment to variables, fields, elements, and several targets at once.

Invariant: storing into a part creates a new whole and stores that in turn, so no other path sees the change; values that a method
stores in its object are also recorded for the class. Not handled here: evaluating the right-hand side.
"""

from dataclasses import replace

from counterproof.analysis.flow.access import Place, element, iterated, overlaid
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.index import ClassInfo
from counterproof.analysis.flow.sinks import check_element, check_field, record
from counterproof.analysis.flow.stores import keep, write_field
from counterproof.analysis.flow.values import INTERNAL, MAX_ITEMS, UNSET, Constant, Value, gathered, joined
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

_IDENTITY = vocabulary("""user userid uid username login account owner customer member role roles admin administrator superuser
    staff permission permissions privilege privileges group groups tenant auth authenticated authorized authorised level
    access""")
_REMEMBERED = vocabulary("""referer referrer next url uri path page redirect return back language locale lang theme agent message
    error errors notice time attempts count by sort order filter view tab""")
"""Last name words of session entries that hold a URL, a preference or a message, even if the name also mentions a user."""
_CONSULTING = vocabulary("""check verify verified auth authenticate authorize login signin valid validate execute executemany
    query filter find fetch fetchone lookup password hash compare exists select scalar user users account objects""")
MAX_NODES = 5_000


def assign(frame: Frame, target: ir.Expr, value: Value, *, part: bool = False) -> None:
    """`target = value`. With `part`, only a part of the target's value changed; no new value was assigned."""
    if isinstance(target, ir.Name):
        frame.writes[target.id] = frame.writes.get(target.id, 0) + 1
        if not (frame.engine.scripts and target.id not in frame.env and _outwards(frame, target.id, value)):
            frame.env[target.id] = value
    elif isinstance(target, ir.Attribute):
        owner = frame.value(target.value)
        if not part:
            check_field(frame, target, owner, value)
        _remember(frame, owner, target.name, value)
        write_field(frame, target, owner, target.name, value)
        _restore(frame, target.value, with_field(owner, target.name, value))
    elif isinstance(target, ir.Index):
        owner = frame.value(target.value)
        key = INTERNAL if isinstance(target.key, ir.Slice) else frame.value(target.key)
        check_store(frame, target, owner, key, value)
        check_element(frame, target, owner, key, value)
        keep(frame, target, target.value, [value])
        _restore(frame, target.value, with_element(owner, key.const, value))
    elif isinstance(target, ir.Sequence):
        _destructure(frame, target, value)
    elif isinstance(target, ir.Spread):
        assign(frame, target.value, value)


def _outwards(frame: Frame, name: str, value: Value) -> bool:
    """Assign a variable of an enclosing function or the module, in languages that need no declaration for it."""
    if frame.function is not None and _is_own(frame.function.node, name):
        return False
    outer = frame.closure
    while outer is not None:
        if name in outer.env:
            outer.fill(name, value)
            return True
        outer = outer.closure
    if frame.function is None:
        return False
    top = frame.engine.names.modules.get(frame.path)
    if top is None or name not in top.env:
        return False
    top.env[name] = joined(top.env[name], value)
    return True


def _is_own(function: ir.Function, name: str) -> bool:
    first = function.body[0] if function.body else None
    return isinstance(first, ir.Scope) and first.outer == "here" and name in first.names


def _restore(frame: Frame, owner: ir.Expr, value: Value) -> None:
    if isinstance(owner, ir.Name):
        if not (frame.engine.scripts and owner.id not in frame.env and _outwards(frame, owner.id, value)):
            frame.env[owner.id] = value
    elif isinstance(owner, (ir.Attribute, ir.Index)):
        assign(frame, owner, value, part=True)


def _remember(frame: Frame, owner: Value, name: str, value: Value) -> None:
    if isinstance(owner.of, ClassInfo) and owner.sym:
        fields = frame.engine.fields(owner.of)
        known = fields.get(name)
        fields[name] = joined(known, value) if known else value


def _destructure(frame: Frame, target: ir.Sequence, value: Value) -> None:
    at = Place(frame.path, target.line)
    count = len(target.items)
    exact = value.items is not None and not any(isinstance(each, ir.Spread) for each in target.items)
    for position, each in enumerate(target.items):
        if isinstance(each, ir.Spread):
            assign(frame, each.value, Value(rest=iterated(value, at)))
        elif exact and value.items is not None and len(value.items) != count:
            assign(frame, each, iterated(value, at))
        else:
            assign(frame, each, element(value, position, at))


def with_field(owner: Value, name: str, value: Value) -> Value:
    fields = dict(owner.fields or {})
    if len(fields) < MAX_ITEMS or name in fields:
        fields[name] = value
    return Value(
        UNSET, owner.taints, owner.origin, owner.open, owner.path, owner.items, owner.entries, owner.rest, fields, owner.of,
        owner.bound, owner.sym,
    )  # fmt: skip


def with_element(owner: Value, key: "Constant | object", value: Value) -> Value:
    """The container with one element set; an unknown key may be any element."""
    items, entries, rest = owner.items, owner.entries, owner.rest
    if items is not None and isinstance(key, int) and -len(items) <= key < len(items):
        position = key % len(items)
        items = (*items[:position], value, *items[position + 1 :])
    elif isinstance(key, (str, int, bytes)) and len(entries or ()) < MAX_ITEMS:
        entries = {**(entries or {}), key: value}
    else:
        rest = joined(rest, value) if rest else value
    return Value(
        UNSET, owner.taints, owner.origin, owner.open, owner.path, items, entries, rest, owner.fields, owner.of, owner.bound,
        owner.sym,
    )  # fmt: skip


def with_rest(owner: Value, more: Value, at: Place) -> Value:
    """The mapping with another one merged in, not all of whose keys are known."""
    under = replace(owner, entries=overlaid(owner.entries, more, at)) if owner.entries else owner
    return with_element(under, UNSET, element(more, UNSET, at))


def is_place(expr: ir.Expr) -> bool:
    """Return True if an expression can be assigned to: a variable, or a field or element of one."""
    while isinstance(expr, (ir.Attribute, ir.Index)):
        if isinstance(expr, ir.Index) and not isinstance(expr.key, ir.Const):
            return False
        expr = expr.value
    return isinstance(expr, ir.Name)


def fill(frame: Frame, place: ir.Expr, value: Value) -> None:
    """Replace the value stored at a target, even one that belongs to an enclosing function."""
    if isinstance(place, ir.Name):
        _restore(frame, place, value)
    else:
        put(frame, place, value)


def put(frame: Frame, place: ir.Expr, value: Value) -> None:
    """Update what is known about a target, without an assignment in the program."""
    if isinstance(place, ir.Name):
        frame.env[place.id] = value
    elif isinstance(place, ir.Attribute):
        put(frame, place.value, with_field(frame.value(place.value), place.name, value))
    elif isinstance(place, ir.Index) and isinstance(place.key, ir.Const):
        put(frame, place.value, with_element(frame.value(place.value), place.key.value, value))


def own_object(frame: Frame, owner: ir.Expr) -> ir.Expr:
    """`super().__init__(name)`: methods of the base class change the object itself."""
    if isinstance(owner, ir.Call) and isinstance(owner.callee, ir.Name) and owner.callee.id == "super" and frame.function:
        first = frame.function.node.parameters[:1]
        return ir.Name(owner.line, owner.end, first[0].name) if first else owner
    return owner


def check_store(frame: Frame, target: ir.Index, owner: Value, key: Value, value: Value) -> None:
    """Record `session[key] = value` if a rule lists it as a sink.

    Invariant: a name chosen by the sender is always recorded; a value only under a name that identifies the user or grants
    privileges, and only if the function did not query anything about it."""
    found = frame.engine.sinks.any_element(owner.path)
    if not found:
        return
    dangerous = [key] if gathered(key) else []
    if isinstance(key.const, str) and _speaks_of_identity(key.const) and not _consulted(frame, target.line):
        dangerous.append(value)
    for rule, sink in found:
        record(frame, rule, sink, target, dangerous)


def _speaks_of_identity(name: str) -> bool:
    spoken = words(name)
    return not _IDENTITY.isdisjoint(spoken) and spoken[-1] not in _REMEMBERED


def _consulted(frame: Frame, line: int) -> bool:
    """Return True if the function queries a store or a check up to this line."""
    if frame.function is None:
        return False
    for count, node in enumerate(walk(*frame.function.node.body)):
        if count > MAX_NODES:
            return True
        if isinstance(node, ir.Call) and node.line <= line and _asks(node):
            return True
    return False


def _asks(call: ir.Call) -> bool:
    """Return True for a call with the name of a check or a query and a non-literal argument."""
    data = any(not isinstance(each.value, ir.Const) for each in call.arguments)
    return data and not _CONSULTING.isdisjoint(words(last_name(call.callee)))
