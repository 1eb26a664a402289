"""Calls that apply a function to each element of a list, in both languages: `map`, `filter`, `reduce`, `sorted(key=…)`,
`then`.

Invariant: the function is evaluated by its own summary and as a check, whatever its name; for an unknown function None is
returned and the call gets no special treatment. Not handled here: the body of the function.
"""

from collections.abc import Callable
from typing import NamedTuple

from counterproof.analysis.flow.access import Place, iterated
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import INTERNAL, Trusted, Value, contents, joined
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.survey import Language

_EACH, _FLAT, _KEPT, _ONE, _FOLD, _SAME, _TOLD, _LATER = "each", "flat", "kept", "one", "fold", "same", "told", "later"
_METHODS = {
    **dict.fromkeys(vocabulary("map mapSeries"), _EACH),
    "flatMap": _FLAT,
    "filter": _KEPT,
    **dict.fromkeys(vocabulary("find findLast"), _ONE),
    **dict.fromkeys(vocabulary("reduce reduceRight"), _FOLD),
    "sort": _SAME,
    **dict.fromkeys(vocabulary("forEach each some every findIndex"), _TOLD),
    "then": _LATER,
}
"""The effect on the elements, by list method in JavaScript, or by library function with the list first."""
_LISTED = names("code", "element-functions", Language.JAVASCRIPT)
_BUILTINS = {
    "map": _EACH,
    "itertools.starmap": _FLAT,
    "filter": _KEPT,
    "itertools.takewhile": _KEPT,
    "functools.reduce": _FOLD,
}
"""The same for Python functions, which take the function first."""
_POOLS = vocabulary("map imap imap_unordered starmap")
_WITH_KEY = frozenset({"sorted", "min", "max"})
APPLYING = _WITH_KEY | _POOLS | _METHODS.keys() | _BUILTINS.keys()
"""Methods and functions that apply a function to elements."""
Apply = Callable[[Value, list[Value]], Value]


class Application(NamedTuple):
    """A function, its arguments for any one element, and the effect on the elements."""

    function: Value
    given: list[Value]
    kind: str
    elements: Value


class ElementTest(NamedTuple):
    """`list.some(f)`, `any(map(f, list))`: a test of a list's elements."""

    function: ir.Expr
    elements: ir.Expr
    every: bool
    """Whether all elements must pass, or only one."""


def tested_elements(test: ir.Call) -> ElementTest | None:
    callee, inner = test.callee, test.arguments[0].value if len(test.arguments) == 1 else None
    if isinstance(callee, ir.Attribute) and callee.name in ("every", "some") and inner is not None:
        return ElementTest(inner, callee.value, callee.name == "every")
    mapped = isinstance(inner, ir.Call) and last_name(inner.callee) == "map" and len(inner.arguments) == 2
    if isinstance(callee, ir.Name) and callee.id in ("all", "any") and mapped and isinstance(inner, ir.Call):
        return ElementTest(inner.arguments[0].value, inner.arguments[1].value, callee.id == "all")
    return None


def application(frame: Frame, target: Value, method: str, arguments: Arguments, at: Place) -> Application | None:
    """The function that a call applies to elements; None if it is unknown."""
    found = (_scripted if frame.engine.scripts else _built_in)(target, method, arguments, at)
    function = found.function if found is not None else None
    if function is None or function.sym is not None or function.path == "class":
        return None
    return found if isinstance(function.of, FunctionInfo) or (function.path and function.of is None) else None


def _scripted(target: Value, method: str, arguments: Arguments, at: Place) -> Application | None:
    kind, receiver = _METHODS.get(method), arguments.receiver
    listed = target.path.startswith(_LISTED) or (receiver is not None and receiver.path.startswith(_LISTED))
    given = ([] if listed or receiver is None else [receiver]) + arguments.positional
    if kind is None or len(given) < 2 or isinstance(target.of, FunctionInfo):
        return None
    if kind == _LATER:
        return Application(given[1], given[:1], kind, given[0])
    one = iterated(given[0], at)
    passed = [joined(one, given[2]) if len(given) > 2 else one, one] if kind == _FOLD else [one]
    return Application(given[1], passed, kind, given[0])


def _built_in(target: Value, method: str, arguments: Arguments, at: Place) -> Application | None:
    given = arguments.positional
    if target.path in _WITH_KEY and "key" in arguments.keywords and given:
        return Application(arguments.keywords["key"], [iterated(given[0], at)], _SAME, given[0])
    pooled = method in _POOLS and len(given) > 1 and isinstance(given[0].of, FunctionInfo) and target.of is None
    kind = _BUILTINS.get(target.path) or ((_FLAT if method == "starmap" else _EACH) if pooled else None)
    if kind is None or len(given) < 2:
        return None
    ones = [iterated(each, at) for each in given[1:]]
    if kind == _FOLD:
        ones = [joined(ones[0], given[2]) if len(given) > 2 else ones[0], ones[0]]
    elif kind == _FLAT:  # every element is the arguments of one call
        kind, ones = _EACH, list(ones[0].items) if ones[0].items is not None else [iterated(ones[0], at)]
    return Application(given[0], ones, kind, given[1])


def applied(frame: Frame, found: Application, at: Place, apply: Apply) -> Value | None:
    """The result of such a call."""
    function, given, kind, elements = found
    if kind in (_SAME, _TOLD):
        return None
    if kind in (_KEPT, _ONE):
        kept = _let_pass(frame, function, given[0])
        return kept if kind == _ONE else Value(origin=elements.origin or Trusted.INTERNAL, open=elements.open, rest=kept)
    result = apply(function, given)
    if kind == _FLAT:
        result = iterated(result, at) if contents(result) else result
    return result if kind in (_FOLD, _LATER) else Value(origin=Trusted.INTERNAL, open=elements.open, rest=result)


def _let_pass(frame: Frame, function: Value, one: Value) -> Value:
    """The element, narrowed to values for which the function returns True."""
    info = function.of
    if not isinstance(info, FunctionInfo) or not one.taints:
        return one
    env = frame.engine.answered(frame, info, function.bound, [one], True)
    own = info.node.parameters[1 if function.bound is not None else 0 :]
    after = env.get(own[0].name, one) if env is not None and own else one
    return after if after.taints or not after.known else INTERNAL
