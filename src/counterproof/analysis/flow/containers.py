"""The methods of lists, mappings, sets and strings, element by element if the elements are known.

Invariant: a change is stored back to the expression the method was called on. None means "no such method here", and the call is
treated as unknown. Not handled here: methods of anything else.
"""

from collections.abc import Callable

from counterproof.analysis.flow import constant_folding
from counterproof.analysis.flow.access import Place, element, iterated
from counterproof.analysis.flow.assignments import fill, is_place, with_element, with_rest
from counterproof.analysis.flow.evaluate import addressed, mixed, put_together
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.models import is_markup
from counterproof.analysis.flow.positions import filled_fixed, template_fixed
from counterproof.analysis.flow.text_parts import format_parts, join_parts
from counterproof.analysis.flow.values import INTERNAL, MAX_ITEMS, NOTHING, UNSET, Constant, Trusted, Value, joined, literal
from counterproof.analysis.syntax import ir

_BUILDING = ("join", "format", "format_map", "replace")
"""String methods that insert their arguments into the result."""

_PARTS = {"join": join_parts, "format": format_parts}

Method = Callable[[Frame, ir.Expr, Value, Arguments, Place], Value | None]


def container_method(frame: Frame, owner: ir.Expr, receiver: Value, name: str, arguments: Arguments, at: Place) -> Value | None:
    """The result of `receiver.name(…)` if it is a method of a known container or string."""
    if receiver.known or name in _BUILDING:
        text = _text_method(frame, receiver, name, arguments, at)
        if text is not None:
            return text
    if receiver.items is None and receiver.entries is None and receiver.rest is None:
        return _unknown_container(frame, owner, receiver, name, arguments)
    handler = _METHODS.get(name)
    return handler(frame, owner, receiver, arguments, at) if handler else None


def _text_method(frame: Frame, receiver: Value, name: str, arguments: Arguments, at: Place) -> Value | None:
    constants = [each.const for each in arguments.positional]
    if receiver.known and UNSET not in constants and not arguments.keywords and not arguments.spread:
        folded = constant_folding.method(receiver.const, name, constants)  # pyright: ignore[reportArgumentType]
        if folded is not UNSET:
            return Value(const=folded, origin=receiver.origin)
    if name == "replace":
        return _replaced(receiver, arguments)
    parts = _PARTS[name](receiver, arguments) if name in _PARTS and not is_markup(receiver) else None
    if parts:
        return put_together(frame, parts, at.line, "put into a text", name)
    if name in _BUILDING:
        return addressed(mixed([receiver, *arguments.every()]), name != "join" and filled_fixed(receiver, arguments.positional))
    return None


def _replaced(receiver: Value, arguments: Arguments) -> Value | None:
    """`page.replace("NAME", name)` fills in a text. Replacing with a literal only removes data, and is handled elsewhere."""
    old, new = arguments.at(0), arguments.at(1)
    if old is None or new is None or new.known:
        return None
    mark = old.const if isinstance(old.const, str) else ""
    return addressed(mixed([receiver, new]), bool(mark) and template_fixed(receiver, mark))


def _unknown_container(frame: Frame, owner: ir.Expr, receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """Add to a container whose elements are unknown, such as a parameter."""
    if name in ("append", "add", "insert", "extend", "appendleft", "put", "write") and arguments.every() and is_place(owner):
        added = mixed(arguments.every())
        if added.taints and not receiver.path.startswith(("logging", "socket")):
            fill(frame, owner, with_element(receiver, UNSET, added))
            return NOTHING
    return None


SECTIONED = frozenset({"configparser.ConfigParser()", "configparser.RawConfigParser()", "configparser.SafeConfigParser()"})
"""Containers whose elements have a section and a name."""


def sectioned_method(frame: Frame, owner: ir.Expr, receiver: Value, name: str, arguments: Arguments) -> Value | None:
    """`set(section, name, value)` and `get(section, name)`."""
    section, option = arguments.at(0, "section"), arguments.at(1, "option")
    if name not in ("set", "get") or section is None or option is None:
        return None
    known = isinstance(section.const, str) and isinstance(option.const, str)
    key = f"{section.const}\n{str(option.const).lower()}" if known else UNSET
    if name == "set":
        _store(frame, owner, with_element(receiver, key, arguments.at(2, "value") or NOTHING))
        return NOTHING
    found = element(receiver, key, Place(frame.path, owner.line)) if receiver.entries or receiver.rest else None
    return Value(origin=Trusted.SETTING) if found is None or found is INTERNAL else found


def _store(frame: Frame, owner: ir.Expr, value: Value) -> None:
    if is_place(owner):
        fill(frame, owner, value)


def _made(receiver: Value, items: tuple[Value, ...] | None, rest: Value | None) -> Value:
    return Value(UNSET, receiver.taints, receiver.origin, receiver.open, receiver.path, items, receiver.entries, rest,
                 receiver.fields, receiver.of, receiver.bound, receiver.sym)  # fmt: skip


def _append(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    added = arguments.at(0) or INTERNAL
    if receiver.items is not None and len(receiver.items) < MAX_ITEMS and not frame.loops:
        _store(frame, owner, _made(receiver, (*receiver.items, added), receiver.rest))
    else:
        rest = _summary(receiver, at)
        _store(frame, owner, _made(receiver, None, joined(rest, added) if rest else added))
    return NOTHING


def _summary(receiver: Value, at: Place) -> Value | None:
    return iterated(receiver, at) if receiver.items or receiver.rest else None


def _insert(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    position, added = (arguments.at(0) or INTERNAL).const, arguments.at(1) or INTERNAL
    if receiver.items is not None and isinstance(position, int) and len(receiver.items) < MAX_ITEMS and not frame.loops:
        items = list(receiver.items)
        items.insert(position, added)
        _store(frame, owner, _made(receiver, tuple(items), receiver.rest))
    else:
        rest = _summary(receiver, at)
        _store(frame, owner, _made(receiver, None, joined(rest, added) if rest else added))
    return NOTHING


def _extend(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    more = arguments.at(0) or INTERNAL
    if receiver.items is not None and more.items is not None and len(receiver.items) + len(more.items) <= MAX_ITEMS:
        _store(frame, owner, _made(receiver, receiver.items + more.items, receiver.rest))
        return NOTHING
    rest = _summary(receiver, at)
    added = iterated(more, at)
    _store(frame, owner, _made(receiver, None, joined(rest, added) if rest else added))
    return NOTHING


def _pop(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    key = arguments.at(0)
    if receiver.items is not None:
        position = -1 if key is None else key.const
        if receiver.items and isinstance(position, int) and -len(receiver.items) <= position < len(receiver.items):
            items = list(receiver.items)
            taken = items.pop(position)
            _store(frame, owner, _made(receiver, tuple(items), receiver.rest))
            return taken
    return _get(frame, owner, receiver, arguments, at)


def _remove(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    wanted = (arguments.at(0) or INTERNAL).const
    if receiver.items is not None and wanted is not UNSET:
        for position, item in enumerate(receiver.items):
            if item.known and item.const == wanted:
                items = receiver.items[:position] + receiver.items[position + 1 :]
                _store(frame, owner, _made(receiver, items, receiver.rest))
                break
    return NOTHING


def _get(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    key = arguments.at(0)
    found = element(receiver, key.const if key else UNSET, at)
    default = arguments.at(1, "default")
    there = key is not None and key.known and key.const in (receiver.entries or {})
    return joined(found, default) if default and not there else found


def _setdefault(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    key, value = arguments.at(0) or INTERNAL, arguments.at(1) or NOTHING
    if key.known and key.const in (receiver.entries or {}):
        return element(receiver, key.const, at)
    _store(frame, owner, with_element(receiver, key.const, value))
    return value


def _update(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    changed = receiver
    for more in arguments.positional:
        for key, value in (more.entries or {}).items():
            changed = with_element(changed, key, value)
        if more.entries is None or more.rest:
            changed = with_rest(changed, more, at)
    for name, value in arguments.keywords.items():
        changed = with_element(changed, name, value)
    _store(frame, owner, changed)
    return NOTHING


def _values(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    return Value(origin=receiver.origin, rest=element(receiver, UNSET, at))


def _keys(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    return Value(origin=receiver.origin, items=tuple(literal(key) for key in (receiver.entries or {}) if not receiver.rest))


def _items(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    pair = Value(origin=receiver.origin, items=(Value(origin=receiver.origin), element(receiver, UNSET, at)))
    return Value(origin=receiver.origin, rest=pair)


def _copy(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    return receiver


def _clear(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    empty: dict[Constant, Value] | None = {} if receiver.entries is not None else None
    _store(frame, owner, Value(origin=receiver.origin, items=() if empty is None else None, entries=empty))
    return NOTHING


def _reorder(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    rest = _summary(receiver, at)
    ordered = _made(receiver, None, rest)
    _store(frame, owner, ordered)
    return ordered if frame.engine.scripts else NOTHING


def _set(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    """`map.set(key, value)`."""
    key, value = arguments.at(0), arguments.at(1)
    if receiver.entries is None or key is None or value is None:
        return None
    changed = with_element(receiver, key.const, value)
    _store(frame, owner, changed)
    return changed


def _some(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    return iterated(receiver, at) if receiver.entries is None else None


def _splice(frame: Frame, owner: ir.Expr, receiver: Value, arguments: Arguments, at: Place) -> Value | None:
    rest = _summary(receiver, at)
    for added in arguments.positional[2:]:
        rest = joined(rest, added) if rest else added
    _store(frame, owner, _made(receiver, None, rest))
    return Value(origin=receiver.origin, rest=_summary(receiver, at))


_METHODS: dict[str, Method] = {
    "append": _append,
    "appendleft": _append,
    "add": _append,
    "insert": _insert,
    "extend": _extend,
    "pop": _pop,
    "popleft": _pop,
    "remove": _remove,
    "discard": _remove,
    "get": _get,
    "setdefault": _setdefault,
    "update": _update,
    "values": _values,
    "keys": _keys,
    "items": _items,
    "copy": _copy,
    "clear": _clear,
    "sort": _reorder,
    "reverse": _reorder,
    "set": _set,
    "find": _some,
    "findLast": _some,
    "splice": _splice,
}
