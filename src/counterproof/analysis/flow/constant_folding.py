"""Constants that the code itself determines: arithmetic, comparisons and string operations on literals.

Invariant: nothing here can take long or grow large, whatever literals the target contains; large results stay unknown. Not
handled here: values that are not constants.
"""

from collections.abc import Callable
from typing import Any

from counterproof.analysis.flow.values import UNSET, Constant
from counterproof.analysis.program.everyday import TEXT_METHODS
from counterproof.analysis.program.words import vocabulary

MAX_TEXT = 4_000
"""Characters of a folded text."""

MAX_NUMBER = 10**30

Folded = Any
"""A constant, or UNSET."""


def _bounded(value: object) -> Folded:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        return value if abs(value) <= MAX_NUMBER else UNSET
    if isinstance(value, float):
        return value
    if isinstance(value, (str, bytes)):
        return value if len(value) <= MAX_TEXT else UNSET
    return UNSET


_NUMERIC: dict[str, Callable[[Any, Any], object]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}

_COMPARISONS: dict[str, Callable[[Any, Any], object]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "is": lambda a, b: a is b if a is None or b is None or isinstance(a, bool) else UNSET,
    "is not": lambda a, b: a is not b if a is None or b is None or isinstance(a, bool) else UNSET,
    "in": lambda a, b: a in b if isinstance(b, (str, bytes)) else UNSET,
    "not in": lambda a, b: a not in b if isinstance(b, (str, bytes)) else UNSET,
}


def binary(operator: str, left: Constant, right: Constant) -> Folded:
    """`left operator right`, or UNSET."""
    if operator not in _NUMERIC or left is None or right is None:
        return UNSET
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    texts = isinstance(left, (str, bytes)) and type(left) is type(right) and operator == "+"
    if not numbers and not texts:
        return UNSET
    try:
        return _bounded(_NUMERIC[operator](left, right))
    except (ArithmeticError, ValueError):
        return UNSET


def compare(operator: str, left: Constant, right: Constant) -> Folded:
    if operator not in _COMPARISONS:
        return UNSET
    try:
        return _COMPARISONS[operator](left, right)
    except TypeError:
        return UNSET


def piece(value: Constant) -> str | None:
    """The text of a constant inside an interpolated string."""
    return str(value) if isinstance(value, (str, int, float)) or value is None else None


def text(parts: list[str]) -> Folded:
    whole = "".join(parts)
    return _bounded(whole)


def item(value: Constant, key: Constant) -> Folded:
    """`value[key]` of a string."""
    if isinstance(value, str) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    return UNSET


def sliced(value: Constant, lower: Constant, upper: Constant) -> Folded:
    if not isinstance(value, str):
        return UNSET
    if not (lower is None or isinstance(lower, int)) or not (upper is None or isinstance(upper, int)):
        return UNSET
    return value[lower:upper]


_ASKING = vocabulary("startswith endswith isdigit isalpha isalnum find index count")


def method(value: Constant, name: str, arguments: list[Constant]) -> Folded:
    """A method of a constant string with constant arguments."""
    if not isinstance(value, str) or name not in TEXT_METHODS | _ASKING or len(arguments) > 2:
        return UNSET
    if not all(isinstance(each, str) for each in arguments) or (name == "replace" and len(value) > 200):
        return UNSET
    try:
        return _bounded(getattr(value, name)(*arguments))
    except (TypeError, ValueError):
        return UNSET
