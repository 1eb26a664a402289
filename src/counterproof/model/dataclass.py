"""`dataclass`, as the standard library has it, made in a tenth of the time.

The program has five hundred of them, and the standard decorator writes, parses and compiles six functions for each: a third of
all that an audit does which finds its results kept. The functions of two classes with as many fields differ in names alone. So
they are compiled once for each number of fields, and each class gets a copy that has its own names.

Always holds: a class behaves as if the standard decorator had made it (fields, replace, comparing, hashing, matching, pickling,
errors); what this does not know (`field()`, `order`, class variables, metaclasses) goes to the standard decorator itself. A type
checker sees that one alone. Does not belong here: anything about particular classes.
"""

import dataclasses
from functools import cache
from reprlib import recursive_repr
from types import CodeType, FunctionType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, ClassVar, get_origin

_FIELDS = "__dataclass_fields__"
_PARAMS = "__dataclass_params__"
_set = object.__setattr__

Fields = dict[str, "dataclasses.Field[Any]"]


class _Unusual(Exception):
    """A class that the standard decorator has to make."""


def _made(cls: type, frozen: bool, eq: bool) -> type:
    """The class again, with slots and with the functions of a dataclass."""
    own = _own_fields(cls)
    fields = {**_inherited_fields(cls, frozen), **own}
    names = tuple(fields)
    made = {name: value for name, value in vars(cls).items() if name not in own and name not in ("__dict__", "__weakref__")}
    inherited = {slot for base in cls.__mro__[1:-1] for slot in _slots(base)}
    made |= {_FIELDS: fields, _PARAMS: _params(frozen, eq), "__slots__": tuple(name for name in names if name not in inherited)}
    new = _new_names(names)
    made["__init__"] = _renamed(_initialiser(len(names), frozen, hasattr(cls, "__post_init__")), cls, new, _defaults(fields))
    made.setdefault("__match_args__", names)
    made.setdefault("__repr__", _renamed(_shown(len(names)), cls, new) if frozen else _guarded_repr)
    if eq:
        made.setdefault("__eq__", _renamed(_compared(len(names)), cls, new))
        if vars(cls).get("__hash__") is None:  # Python puts None there where a class has __eq__ alone
            made["__hash__"] = _renamed(_hashed(len(names)), cls, new) if frozen else None
    if frozen:
        made |= {"__setattr__": _refuse_setting, "__delattr__": _refuse_deleting}
        made.setdefault("__getstate__", _state)
        made.setdefault("__setstate__", _take_state)
    again = type(cls)(cls.__name__, cls.__bases__, made)
    again.__qualname__ = cls.__qualname__
    return again


def _own_fields(cls: type) -> Fields:
    """The fields that the class itself declares, in order."""
    if type(cls) is not type or "__slots__" in vars(cls) or {"__setattr__", "__delattr__"} & vars(cls).keys():
        raise _Unusual
    fields: Fields = {}
    for name, kind in vars(cls).get("__annotations__", {}).items():
        default = vars(cls).get(name, dataclasses.MISSING)
        if _is_unusual(name, kind, default):
            raise _Unusual
        entry: dataclasses.Field[Any] = dataclasses.field(default=default)
        entry.name, entry.type = name, kind
        entry.kw_only = False
        entry._field_type = _ordinary()  # type: ignore  # what `dataclasses.fields` asks for; there is no public way
        fields[name] = entry
    if "__annotations__" not in vars(cls) and hasattr(cls, "__annotate__"):
        raise _Unusual  # Python 3.14 keeps annotations elsewhere
    return fields


def _is_unusual(name: str, kind: object, default: object) -> bool:
    if isinstance(kind, str):
        special = kind.startswith(("ClassVar", "InitVar", "KW_ONLY", "typing.", "dataclasses."))
    else:
        special = ClassVar in (kind, get_origin(kind)) or isinstance(kind, dataclasses.InitVar) or kind is dataclasses.KW_ONLY
    mutable = type(default).__hash__ is None
    return special or mutable or name == "self" or isinstance(default, (dataclasses.Field, MemberDescriptorType))


def _inherited_fields(cls: type, frozen: bool) -> Fields:
    fields: Fields = {}
    for base in cls.__mro__[-1:0:-1]:
        if _FIELDS not in vars(base):
            continue
        if vars(base)[_PARAMS].frozen != frozen:
            raise _Unusual  # the standard decorator says what is wrong with it
        fields |= vars(base)[_FIELDS]
    if any(not _is_plain(each) for each in fields.values()):
        raise _Unusual
    return fields


def _is_plain(entry: "dataclasses.Field[Any]") -> bool:
    usual = entry.init and entry.repr and entry.compare and not entry.kw_only and entry.hash is None
    return usual and entry.default_factory is dataclasses.MISSING


def _slots(base: type) -> tuple[str, ...]:
    found = vars(base).get("__slots__", ())
    return (found,) if isinstance(found, str) else tuple(found)


def _defaults(fields: Fields) -> tuple[object, ...]:
    given = [each.default for each in fields.values()]
    first = next((at for at, default in enumerate(given) if default is not dataclasses.MISSING), len(given))
    if dataclasses.MISSING in given[first:]:
        raise _Unusual  # a field without a default after one that has one: the standard decorator says so
    return tuple(given[first:])


@cache
def _sample(frozen: bool, eq: bool) -> type:
    class Sample:
        a: int

    return dataclasses.dataclass(frozen=frozen, eq=eq, slots=True)(Sample)


@cache
def _params(frozen: bool, eq: bool) -> object:
    return vars(_sample(frozen, eq))[_PARAMS]


@cache
def _ordinary() -> object:
    return vars(_sample(True, True))[_FIELDS]["a"]._field_type


# The functions, with the fields called f0, f1, …; compiled once for each number of fields.


@cache
def _initialiser(count: int, frozen: bool, checked: bool) -> CodeType:
    given = ", ".join(("self", *(f"f{at}" for at in range(count))))
    steps = [f"_set(self, 'f{at}', f{at})" if frozen else f"self.f{at} = f{at}" for at in range(count)]
    last = ["self.__post_init__()"] if checked else []
    return _compiled(f"def __init__({given}):", *(steps + last or ["pass"]))


@cache
def _compared(count: int) -> CodeType:
    same = "if other.__class__ is self.__class__:"
    values = f"    return {_values('self', count)} == {_values('other', count)}"
    return _compiled("def __eq__(self, other):", same, values, "return NotImplemented")


@cache
def _hashed(count: int) -> CodeType:
    return _compiled("def __hash__(self):", f"return hash({_values('self', count)})")


@cache
def _shown(count: int) -> CodeType:
    values = ", ".join(f"f{at}={{self.f{at}!r}}" for at in range(count))
    return _compiled("def __repr__(self):", f"return f'{{self.__class__.__qualname__}}({values})'")


def _values(of: str, count: int) -> str:
    return "(" + "".join(f"{of}.f{at}," for at in range(count)) + ")"


def _compiled(*lines: str) -> CodeType:
    module = compile("\n    ".join(lines), "<dataclass>", "exec")
    return next(each for each in module.co_consts if isinstance(each, CodeType))


def _new_names(names: tuple[str, ...]) -> dict[object, str]:
    """What stands in place of f0, f1, … in a class with these fields; in its `repr` they stand inside texts."""
    new: dict[object, str] = {}
    before = "("
    for at, name in enumerate(names):
        new[f"f{at}"] = name
        new[f"{before}f{at}="] = f"{before}{name}="
        before = ", "
    return new


def _renamed(code: CodeType, cls: type, new: dict[object, str], defaults: tuple[object, ...] = ()) -> FunctionType:
    """The function with the names of this class."""
    renamed = code.replace(
        co_names=tuple(new.get(each, each) for each in code.co_names),
        co_varnames=tuple(new.get(each, each) for each in code.co_varnames),
        co_consts=tuple(new.get(each, each) if isinstance(each, str) else each for each in code.co_consts),
    )
    made = FunctionType(renamed, globals(), code.co_name, defaults or None)
    made.__qualname__ = f"{cls.__qualname__}.{code.co_name}"
    return made


# Functions that all classes share.


@recursive_repr("...")
def _guarded_repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in getattr(self, _FIELDS))
    return f"{self.__class__.__qualname__}({shown})"


def _refuse_setting(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deleting(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, name) for name in getattr(self, _FIELDS)]


def _take_state(self: Any, state: list[object]) -> None:
    for name, value in zip(getattr(self, _FIELDS), state, strict=True):
        _set(self, name, value)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, **more):
        """A dataclass; the options are those of the standard library."""

        def wrap(cls):
            try:
                if slots and not more:
                    return _made(cls, frozen, eq)
            except _Unusual:
                pass
            return dataclasses.dataclass(frozen=frozen, slots=slots, eq=eq, **more)(cls)

        return wrap if cls is None else wrap(cls)
