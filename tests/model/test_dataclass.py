"""Our `dataclass` gives what the standard one gives; each class is made by both and compared."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any, ClassVar, Generic, TypeVar

import pytest
from pydantic import TypeAdapter

from counterproof.model import dataclass as ours

T = TypeVar("T")
Decorator = Callable[..., Any]


def _plain(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class Plain:
        """Three fields."""

        first: int
        second: "str" = "x"
        third: tuple[int, ...] = ()

        def __post_init__(self) -> None:
            if self.first < 0:
                raise ValueError("negative")

        @property
        def twice(self) -> int:
            return 2 * self.first

    return Plain


def _heir(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class Heir(_plain(dataclass)):
        third: tuple[int, ...] = (1,)
        fourth: float = 0.5

    return Heir


def _changeable(dataclass: Decorator) -> Any:
    @dataclass(slots=True)
    class Changeable:
        first: int
        second: object = None

    return Changeable


def _by_identity(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True, eq=False)
    class ByIdentity(Generic[T]):
        first: int
        inner: T | None = None

    return ByIdentity


def _empty(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class Empty:
        pass

    return Empty


def _own_words(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class OwnWords:
        first: int

        def __eq__(self, other: object) -> bool:
            return other == "me"

        def __hash__(self) -> int:
            return 7

        def __repr__(self) -> str:
            return "words"

    return OwnWords


def _unusual(dataclass: Decorator) -> Any:
    @dataclass(frozen=True, slots=True)
    class Unusual:
        first: int
        kept: ClassVar[int] = 3
        listed: list[int] = field(default_factory=list[int])

    return Unusual


SHAPES = (_plain, _heir, _changeable, _by_identity, _empty, _own_words, _unusual)


def _behaviour(make: Callable[[Decorator], Any], dataclass: Decorator) -> list[object]:
    cls = make(dataclass)
    arguments = () if make is _empty else (1,)
    value, same = cls(*arguments), cls(*arguments)
    other = cls() if make is _empty else cls(first=2)
    told: list[object] = [
        repr(value),
        value == same,
        value == other,
        value == "me",
        _tried(lambda: hash(value) == hash(same)),
        cls.__match_args__,
        cls.__slots__,
        cls.__name__,
        cls.__qualname__.rpartition(".")[2],
        [(each.name, str(each.type), each.default, each.init) for each in dataclasses.fields(cls)],
        [(each.name, each.default) for each in inspect.signature(cls).parameters.values()],
        cls.__dataclass_params__.frozen,
        dataclasses.is_dataclass(value),
        _tried(lambda: dataclasses.asdict(value)),
        _tried(lambda: repr(dataclasses.replace(value, first=5))),
        _tried(lambda: repr(dataclasses.replace(value, first=-5))),
        repr(copy.copy(value)),
        repr(copy.deepcopy(value)),
        [_tried(lambda each=each: setattr(value, each.name, 9)) for each in dataclasses.fields(cls)],
        [_tried(lambda each=each: delattr(value, each.name)) for each in dataclasses.fields(cls)],
        _tried(lambda: cls(*range(9))),
        _tried(lambda: cls(unknown=1)),
        _tried(lambda: TypeAdapter(cls).dump_json(TypeAdapter(cls).validate_json(TypeAdapter(cls).dump_json(value)))),
    ]
    return told


def _tried(work: Callable[[], object]) -> object:
    try:
        return work()
    except Exception as error:
        return type(error), str(error).replace("<locals>.", "")


@pytest.mark.parametrize("make", SHAPES)
def test_a_class_behaves_as_if_the_standard_library_had_made_it(make: Callable[[Decorator], Any]) -> None:
    assert _behaviour(make, ours.dataclass) == _behaviour(make, dataclasses.dataclass)


@pytest.mark.parametrize("fault", ["default before none", "a list as default", "thaws"])
def test_a_faulty_class_is_refused_with_the_words_of_the_standard_library(fault: str) -> None:
    def faulty(dataclass: Decorator) -> Any:
        if fault == "thaws":
            return dataclass(slots=True)(type("Thawed", (_plain(dataclass),), {"__annotations__": {"more": int}}))
        names = {"first": int, "second": list[int]}
        defaults: dict[str, object] = {"first": 1} if fault == "default before none" else {"second": []}
        return dataclass(frozen=True, slots=True)(type("Faulty", (), {"__annotations__": names, **defaults}))

    told = _tried(lambda: faulty(ours.dataclass))
    assert isinstance(told, tuple)
    assert told == _tried(lambda: faulty(dataclasses.dataclass))


@ours.dataclass(frozen=True, slots=True)
class Packed:
    """At the top of a module, so that it can be pickled."""

    first: int
    second: tuple["Packed", ...] = ()


def test_pickling_brings_back_an_equal_value() -> None:
    value = Packed(1, (Packed(2), Packed(3)))
    assert pickle.loads(pickle.dumps(value)) == value


def test_a_circle_of_changeable_values_is_shown_and_ends() -> None:
    value = _changeable(ours.dataclass)(1)
    value.second = value
    assert repr(value).endswith("Changeable(first=1, second=...)")


def test_ours_is_used_and_not_the_fallback() -> None:
    """Or all of the above would hold for a decorator that only hands on."""
    assert all(make(ours.dataclass).__init__.__globals__ is vars(ours) for make in SHAPES if make is not _unusual)
