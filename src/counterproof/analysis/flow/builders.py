"""Calls of builtins that build or unpack containers, or access objects: element by element if those are known; and named tuples,
each field with its own value.

Invariant: None means that the call needs no special treatment. Not handled here: methods.
"""

from collections.abc import Callable

from counterproof.analysis.flow import constant_folding
from counterproof.analysis.flow.access import Place, attribute, element, iterated, keys_of, overlaid
from counterproof.analysis.flow.assignments import fill, is_place, with_element, with_field, with_rest
from counterproof.analysis.flow.evaluate import mixed
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.marks import narrowed_value
from counterproof.analysis.flow.values import INTERNAL, UNSET, Constant, Trusted, Value, gathered
from counterproof.analysis.syntax import ir
from counterproof.model.flow import Break

NAMED_TUPLE = "collections.namedtuple"
_TYPE = f"{NAMED_TUPLE}()"
_OBJECT = f"{_TYPE}()"
_NAMES = "<names>"


def tuple_call(target: Value, method: str, arguments: Arguments) -> Value | None:
    """The declaration, an instance, or a changed copy of a named tuple; None for other calls."""
    if target.path == NAMED_TUPLE:
        names = _names(arguments)
        return Value(path=_TYPE, origin=Trusted.INTERNAL, fields={_NAMES: names}) if names else None
    if target.path == _TYPE and target.fields and _NAMES in target.fields and arguments.spread is None:
        given = dict(zip(_read(target.fields[_NAMES]), arguments.positional, strict=False))
        return _object(target.fields[_NAMES], {**given, **arguments.keywords})
    receiver = arguments.receiver
    if method == "_replace" and receiver is not None and receiver.path == _OBJECT and receiver.fields:
        names = receiver.fields.get(_NAMES)
        return _object(names, {**receiver.fields, **arguments.keywords}) if names else None
    return None


def _object(names: Value, given: dict[str, Value]) -> Value:
    fields = {name: given.get(name, INTERNAL) for name in _read(names)}
    return Value(origin=Trusted.INTERNAL, path=_OBJECT, items=tuple(fields.values()), fields={**fields, _NAMES: names})


def _names(arguments: Arguments) -> Value | None:
    value = arguments.at(1) or arguments.keywords.get("field_names")
    return value if value is not None and _read(value) else None


def _read(value: Value) -> tuple[str, ...]:
    """`"name, size"` or `["name", "size"]`; empty if a part is unknown."""
    if isinstance(value.const, str):
        return tuple(value.const.replace(",", " ").split())
    parts = [each.const for each in value.items or ()]
    return tuple(each for each in parts if isinstance(each, str)) if all(isinstance(each, str) for each in parts) else ()


Builder = Callable[[Frame, ir.Call, Arguments, Place], Value | None]


def _list(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    if given is None:
        return Value(origin=Trusted.LITERAL, items=())
    if given.items is not None:
        return Value(origin=given.origin, items=given.items)
    return Value(origin=given.origin, open=given.open, rest=iterated(given, at))


def _dict(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    if given is not None and given.entries is None:
        return None
    entries: dict[Constant, Value] = dict(given.entries or {}) if given else {}
    if arguments.spread is not None:
        entries = overlaid(entries, Value(rest=arguments.spread), at)
    entries.update(arguments.keywords)
    return Value(origin=Trusted.LITERAL, entries=entries, rest=given.rest if given else arguments.spread)


def _empty_mapping(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    return Value(origin=Trusted.LITERAL, entries={})


def _enumerate(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0) or INTERNAL
    return Value(rest=Value(items=(INTERNAL, iterated(given, at))))


def _zip(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    return Value(rest=Value(items=tuple(iterated(each, at) for each in arguments.positional)))


def _next(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    return iterated(given, at) if given else None


def _str(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    if given is not None and given.known:
        text = constant_folding.piece(given.const)  # pyright: ignore[reportArgumentType]
        if text is not None:
            return Value(const=text, origin=given.origin)
    return None


def _splitext(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    if given is None:
        return None
    whole = mixed([given])
    return Value(origin=whole.origin, items=(whole, narrowed_value(whole, "file extension")))


def _address(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    """`urlunsplit(("", "", path, query, fragment))`: a URL without a host stays on this site."""
    given = arguments.at(0)
    if given is None or not given.items or len(given.items) < 3 or given.items[1].const != "":
        return None
    return narrowed_value(mixed([given]), "host check")


def _request(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    """A request that is sent later: its first argument is the destination."""
    given = arguments.at(0, "url")
    return Value(taints=gathered(given), origin=given.origin, open=given.open) if given is not None else None


def _getattr(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    owner, name = arguments.at(0), arguments.at(1)
    if owner is None or name is None:
        return None
    if isinstance(name.const, str):
        return attribute(frame.engine, owner, name.const, at)
    taints = tuple(taint._replace(broken=taint.broken or Break.REFLECTION) for taint in gathered(owner))
    return Value(taints=taints, origin=Trusted.INTERNAL, open=Break.REFLECTION)


def _super(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    owner = frame.function.owner if frame.function else None
    if owner is None:
        return None
    own = frame.env.get(frame.function.node.parameters[0].name) if frame.function and frame.function.node.parameters else None
    if owner.bases:
        return Value(of=owner.bases[0], sym=own.sym if own else None, taints=own.taints if own else (), origin=Trusted.INTERNAL)
    return Value(path=f"{owner.external_bases[0]}()", origin=Trusted.INTERNAL) if owner.external_bases else None


def _first(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    return arguments.at(0)


def _cast(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    return arguments.at(1, "val")


def _all(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    return Value(origin=Trusted.INTERNAL, items=tuple(arguments.positional)) if arguments.spread is None else None


def _namespace(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    if arguments.positional or arguments.spread is not None:
        return None
    return Value(origin=Trusted.INTERNAL, fields=dict(arguments.keywords))


def _copied_over(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    """`Object.assign(target, …)` changes its first argument."""
    target = arguments.at(0)
    if target is None or not node.arguments:
        return None
    changed = Value(UNSET, target.taints, target.origin, target.open, target.path, target.items, dict(target.entries or {}),
                    target.rest, target.fields, target.of, target.bound, target.sym)  # fmt: skip
    for more in arguments.positional[1:]:
        for key, value in {**(more.entries or {}), **(more.fields or {})}.items():
            changed = with_field(changed, key, value) if target.of and isinstance(key, str) else with_element(changed, key, value)
        if more.rest is not None or (more.entries is None and more.fields is None):
            changed = with_rest(changed, more, at)
    if is_place(node.arguments[0].value):
        fill(frame, node.arguments[0].value, changed)
    return changed


def _object_keys(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    return Value(origin=given.origin, rest=keys_of(given, at)) if given else None


def _object_values(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    return Value(origin=given.origin, rest=element(given, UNSET, at)) if given else None


def _object_entries(frame: Frame, node: ir.Call, arguments: Arguments, at: Place) -> Value | None:
    given = arguments.at(0)
    pair = Value(items=(keys_of(given, at), element(given, UNSET, at))) if given else None
    return Value(origin=given.origin, rest=pair) if given else None


BUILDERS: dict[str, Builder] = {
    "Object.keys": _object_keys,
    "Object.values": _object_values,
    "Object.entries": _object_entries,
    "Object.assign": _copied_over,
    "typing.cast": _cast,
    "typing_extensions.cast": _cast,
    "types.SimpleNamespace": _namespace,
    "asyncio.run": _first,
    "asyncio.wait_for": _first,
    "asyncio.shield": _first,
    "asyncio.create_task": _first,
    "asyncio.ensure_future": _first,
    "asyncio.get_event_loop().run_until_complete": _first,
    "asyncio.new_event_loop().run_until_complete": _first,
    "asyncio.gather": _all,
    "list": _list,
    "tuple": _list,
    "set": _list,
    "frozenset": _list,
    "sorted": _list,
    "reversed": _list,
    "iter": _list,
    "collections.deque": _list,
    "dict": _dict,
    "collections.OrderedDict": _dict,
    "collections.defaultdict": _empty_mapping,
    "enumerate": _enumerate,
    "zip": _zip,
    "next": _next,
    "str": _str,
    "os.path.splitext": _splitext,
    "urllib.parse.urlunsplit": _address,
    "urllib.parse.urlunparse": _address,
    "tornado.httpclient.HTTPRequest": _request,
    "urllib.request.Request": _request,
    "getattr": _getattr,
    "super": _super,
}
