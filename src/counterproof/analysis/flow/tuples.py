"""Named tuples: the fields that a call of `namedtuple` declares, and the objects made of them.

Always holds: every field keeps its own value, so that one untrusted field does not make the others untrusted; where the fields
cannot be read, nothing is said and the call is treated as any other. Does not belong here: classes with a body.
"""

from counterproof.analysis.flow.arguments import Arguments
from counterproof.analysis.flow.values import INTERNAL, Origin, Value

_TYPE = "collections.namedtuple()"
_OBJECT = f"{_TYPE}()"
_NAMES = "<names>"


def tuple_call(target: Value, method: str, arguments: Arguments) -> Value | None:
    """The declaration of a named tuple, an object of one, or a changed copy; None if the call is none of these."""
    if target.path == "collections.namedtuple":
        names = _names(arguments)
        return Value(path=_TYPE, origin=Origin.INTERNAL, fields={_NAMES: names}) if names else None
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
    return Value(origin=Origin.INTERNAL, path=_OBJECT, items=tuple(fields.values()), fields={**fields, _NAMES: names})


def _names(arguments: Arguments) -> Value | None:
    value = arguments.at(1) or arguments.keywords.get("field_names")
    return value if value is not None and _read(value) else None


def _read(value: Value) -> tuple[str, ...]:
    """`"name, size"` or `["name", "size"]`; nothing where a part is unknown."""
    if isinstance(value.const, str):
        return tuple(value.const.replace(",", " ").split())
    parts = [each.const for each in value.items or ()]
    return tuple(each for each in parts if isinstance(each, str)) if all(isinstance(each, str) for each in parts) else ()
