"""The engine's knowledge of a value: its constant, its origin, and its parts.

Invariant: a `Value` never changes after creation, so branches share values freely; every collection in it is bounded. `sym` names
a parameter (with the accesses made on it) if the value is exactly that; `taints` lists the untrusted origins that may be in it.
Not handled here: the meaning of calls, sources and guards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Final, NamedTuple, TypeVar

from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.model.flow import Break, StepKind

MAX_TAINTS = 6
"""Untrusted origins kept per value; the first ones win."""

CALLER = "argument"
"""The channel of arguments that callers of a published function pass."""

STORED = "stored"
"""The channel of data that an earlier request may have stored."""

MAX_ITEMS = 40
"""Elements of a list or mapping that are tracked separately; a longer one is summarised."""

MAX_ALTERNATIVES = 6
MAX_SIZE = 600
"""Values inside a value, counted along every path; a larger one keeps its origins but not its structure."""

MAX_HOPS = 400
"""Steps of a flow that are read; calls that pass on results of calls can make a flow many times longer than the program."""

MAX_ACCESS = 6
"""Limit on the accesses stored for a parameter."""


class _Unset:
    """The constant of a value that is not constant."""

    def __repr__(self) -> str:
        return "UNSET"

    def __reduce__(self) -> str:
        return "UNSET"


UNSET: Final = _Unset()
K = TypeVar("K")
Constant = str | bytes | int | float | bool | None


class Trusted(IntFlag):
    """Trusted origins, for the record of a trace."""

    NONE = 0
    LITERAL = 1
    SETTING = 2
    INTERNAL = 4

    def __or__(self, other: int) -> "Trusted":
        """Look the result up: the standard enumeration operator is twenty times slower, and runs half a million times."""
        return self if other is self else _ORIGINS[int(self) | int(other)]


_ORIGINS: Final = tuple(Trusted(number) for number in range(8))


class Source(NamedTuple):
    """The entry of untrusted data. `channel` is query, form, json, cookie, header, path, file, body, argv, …"""

    channel: str
    name: str
    parameter: str
    path: str
    line: int


class Param(NamedTuple):
    """Parameter number `position` of a function and the accesses made on it, such as ('.form', '.get', '(id')."""

    function: int
    position: int
    access: tuple[str, ...]


class Step(NamedTuple):
    """One step of a flow; `before` is the previous step. `symbol` is the variable assigned or the function called at this step;
    '' if there is none. `note` is only for display."""

    kind: StepKind
    path: str
    line: int
    note: str
    before: "Step | Joint | None"
    symbol: str = ""


class Joint(NamedTuple):
    """The flow within a function, appended unchanged to the flow to its call, because the function has many callers."""

    inner: "Step | Joint"
    outer: "Step | None"


def hops(last: Step | None) -> Iterator[Step]:
    """The steps of a flow, from last to first, bounded."""
    pending: list[Step | Joint | None] = [last]
    left = MAX_HOPS
    while pending and left:
        each = pending.pop()
        if isinstance(each, Joint):
            pending += (each.outer, each.inner)
        elif each is not None:
            yield each
            left -= 1
            pending.append(each.before)


MAX_STEPS = 40
"""Steps reported for a flow; the middle of a longer one is dropped."""


def steps_of(last: Step | None) -> list[Step]:
    """The steps from first to last; a very long flow keeps only its two ends."""
    steps = list(hops(last))
    steps.reverse()
    return steps if len(steps) <= MAX_STEPS else steps[: MAX_STEPS // 2] + steps[-MAX_STEPS // 2 :]


class Taint(NamedTuple):
    """One untrusted origin of a value, its labels, and why its flow may be broken."""

    origin: Source | Param
    passed: frozenset[str]
    step: Step | None
    broken: Break | None = None


@dataclass(slots=True, eq=False)
class Value:
    """See the module's docstring. `path` is the resolved name of an object outside the project ("flask.request.args")."""

    const: "Constant | _Unset" = UNSET
    taints: tuple[Taint, ...] = ()
    origin: Trusted = Trusted.NONE
    open: Break | None = None
    path: str = ""
    items: "tuple[Value, ...] | None" = None
    entries: "dict[Constant, Value] | None" = None
    rest: "Value | None" = None
    fields: "dict[str, Value] | None" = None
    of: FunctionInfo | ClassInfo | None = None
    """A function, or the class of an instance; if `path` is 'class', the class itself."""
    bound: "Value | None" = None
    """The receiver, if `of` is a bound method."""
    sym: Param | None = None
    alternatives: tuple[FunctionInfo | ClassInfo, ...] = ()
    """Other functions that `of` may be, after paths with different functions met."""
    size: int = field(init=False, default=1)

    def __post_init__(self) -> None:
        if self.items or self.entries or self.rest or self.fields:
            self.size = 1 + sum(inner.size for inner in contents(self))
            if self.size > MAX_SIZE:
                self._collapse()

    def _collapse(self) -> None:
        """Bound every walk over a value: hostile code can create a value that contains itself many times."""
        self.taints = gathered(self)
        self.origin, self.open = origins(self)
        self.items = self.entries = self.rest = self.fields = None
        self.size = 1

    @property
    def known(self) -> bool:
        return self.const is not UNSET


_LITERAL: Final = Trusted.LITERAL  # reading an enumeration member is ten times slower than a module name
INTERNAL: Final = Value(origin=Trusted.INTERNAL)
NOTHING: Final = Value(const=None, origin=Trusted.LITERAL)
LITERAL: Final = Value(origin=Trusted.LITERAL)
CLEAN: frozenset[str] = frozenset()


def with_taints(value: Value, taints: tuple[Taint, ...]) -> Value:
    """The same value with these taints."""
    return Value(
        value.const,
        taints,
        value.origin,
        value.open,
        value.path,
        value.items,
        value.entries,
        value.rest,
        value.fields,
        value.of,
        value.bound,
        value.sym,
    )


def literal(value: Constant) -> Value:
    return Value(value, (), _LITERAL)


def external(path: str, origin: Trusted = Trusted.INTERNAL) -> Value:
    return Value(path=path, origin=origin)


def united_taints(first: tuple[Taint, ...], second: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """The taints of both values, without duplicates of origin and labels, bounded."""
    if not second or first is second:
        return first
    if not first:
        return second
    seen = {(each.origin, each.passed) for each in first}
    extra = tuple(each for each in second if (each.origin, each.passed) not in seen)
    if not extra:
        return first
    every = first + extra
    return every if len(every) <= MAX_TAINTS else tuple(sorted(every, key=_rank))[:MAX_TAINTS]


def _rank(taint: Taint) -> tuple[bool, int]:
    """Sort key for dropping taints: those of the current request, and the least checked, are kept."""
    return is_stored(taint), len(taint.passed)


def is_stored(taint: Taint) -> bool:
    """Return True for data that an earlier request may have stored; data of the current request matters more."""
    return isinstance(taint.origin, Source) and taint.origin.channel == STORED


def gathered(value: Value, depth: int = 3) -> tuple[Taint, ...]:
    """Taints of a value and of all values in it."""
    taints = value.taints
    if depth and (value.items or value.entries or value.rest or value.fields):
        for inner in contents(value):
            taints = united_taints(taints, gathered(inner, depth - 1))
    return taints


def contents(value: Value) -> list[Value]:
    """Values directly inside a container or an object."""
    inner: list[Value] = list(value.items or ())
    if value.entries:
        inner.extend(value.entries.values())
    if value.rest:
        inner.append(value.rest)
    if value.fields:
        inner.extend(value.fields.values())
    return inner


def origins(value: Value, depth: int = 3) -> tuple[Trusted, Break | None]:
    """Trusted origins and the first open edge of a value and of all values in it."""
    origin, broken = value.origin, value.open
    if depth and (value.items or value.entries or value.rest or value.fields):
        for inner in contents(value):
            more, more_broken = origins(inner, depth - 1)
            origin |= more
            broken = broken or more_broken
    return origin, broken


def joined(left: Value, right: Value) -> Value:
    """Either of two values, after a branch."""
    if left is right:
        return left
    one, other = left.const, right.const
    same_const = one is not UNSET and type(one) is type(other) and one == other
    if same_const and not left.taints and not right.taints:
        return left
    return Value(
        one if same_const else UNSET,
        united_taints(left.taints, right.taints),
        left.origin | right.origin,
        left.open or right.open,
        _either_path(left, right),
        _either_items(left, right),
        _merged(left.entries, right.entries),
        _either_rest(left, right),
        _either_fields(left, right),
        left.of or right.of,
        left.bound or right.bound,
        left.sym if left.sym == right.sym else None,
        _alternatives(left, right)
        if left.of is not right.of and left.of and right.of
        else left.alternatives or right.alternatives,
    )


def _alternatives(left: Value, right: Value) -> "tuple[FunctionInfo | ClassInfo, ...]":
    every = {id(each): each for each in (*left.alternatives, right.of, *right.alternatives) if each is not None}
    return tuple(each for each in every.values() if each is not left.of)[:MAX_ALTERNATIVES]


def _either_path(left: Value, right: Value) -> str:
    if left.path == right.path or right.known:
        return left.path
    return right.path if left.known or not left.path else left.path


def _either_items(left: Value, right: Value) -> tuple[Value, ...] | None:
    if left.items is None or right.items is None or len(left.items) != len(right.items):
        return None
    return tuple(joined(a, b) for a, b in zip(left.items, right.items, strict=True))


def _either_rest(left: Value, right: Value) -> Value | None:
    rest = left.rest
    if right.rest:
        rest = joined(rest, right.rest) if rest else right.rest
    if left.items is None and right.items is None:
        return rest
    both = left.items is not None and right.items is not None and len(left.items) == len(right.items)
    if not both:
        for item in (*(left.items or ()), *(right.items or ())):
            rest = joined(rest, item) if rest else item
    return rest


def _either_fields(left: Value, right: Value) -> dict[str, Value] | None:
    """A field that only one side set is, on the other side, a field of that side's untrusted object."""
    merged = _merged(left.fields, right.fields)
    if not merged or not (left.taints or right.taints):
        return merged
    for one, other in ((left, right), (right, left)):
        if other.taints and one.fields:
            member = Value(taints=other.taints, origin=other.origin, open=other.open)
            merged = {
                name: value if name not in one.fields or name in (other.fields or {}) else joined(value, member)
                for name, value in merged.items()
            }
    return merged


def _merged(left: dict[K, Value] | None, right: dict[K, Value] | None) -> dict[K, Value] | None:
    if left is None or right is None or left is right:
        return right if left is None else left
    merged = dict(left)
    for key, value in right.items():
        merged[key] = joined(merged[key], value) if key in merged else value
    return merged
