"""Comparisons of data: with a value, with a list, or for a character.

Invariant: a comparison with a sender-controlled value proves nothing. Not handled here: conditions that are calls.
"""

from typing import TypeGuard

from counterproof.analysis.flow.assignments import is_place, put
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.hits import LISTED_ENDING, RELATIVE, SEGMENT
from counterproof.analysis.flow.marks import can_be_kept, inside, keep_answer, mark, mark_origins, question, root_of, tested_place
from counterproof.analysis.flow.sources import doubtful, is_request_name
from counterproof.analysis.flow.text_parts import is_ending
from counterproof.analysis.flow.values import Param, Taint, Value, gathered, literal
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name

HOST_PARTS = frozenset({"netloc", "hostname", "host", "origin"})
QUOTES = ("'", '"')
SEEN_FROM = frozenset(f"{each}()" for each in names("code", "relative-path", None))
"""Functions that return relative paths, which start with `..` exactly if they lead out of their base folder."""
_OF_REQUEST = frozenset({".request", ".req", ".args", ".kwargs", ".data", ".path_args", ".path_kwargs", ".headers", ".params"})
"""Accesses to sender-controlled parts of an object."""
_SENT = vocabulary("form body query params args kwargs event message payload data environ scope")
"""Names of parameters that hold sender-controlled data."""


def compare(frame: Frame, operator: str, left: ir.Expr, right: ir.Expr, truth: bool) -> None:
    """Record in the current path's variables that a comparison evaluated to `truth`."""
    if operator in ("in", "not in"):
        member = (operator == "in") is truth
        if member:
            _listed(frame, left, right)
        else:
            absent(frame, frame.value(left).const, right)
            _refused(frame, left, [each.const for each in frame.value(right).items or ()])
    elif operator in ("==", "!=") and (operator == "==") is truth:
        _equal(frame, left, right)
        _equal(frame, right, left)
    elif operator in ("==", "!="):
        _refused(frame, left, [frame.value(right).const])
        if _is_first(left) and frame.value(right).const == "/":
            mark(frame, left.value, RELATIVE)
    elif operator in ("is", "is not") and (operator == "is") is truth and isinstance(right, ir.Const) and right.value is None:
        empty(frame, left)
    elif operator in ("<", "<=", ">", ">="):
        _bounded(frame, left if (operator[0] == "<") is truth else right)


def empty(frame: Frame, tested: ir.Expr) -> None:
    """Record that a variable is empty, which is harmless."""
    if isinstance(tested, ir.Name) and tested.id in frame.env and frame.lookup(tested.id).taints:
        mark(frame, tested, "fixed choice")


def _bounded(frame: Frame, smaller: ir.Expr) -> None:
    """`len(x) < 200` and `x.length < 200`: the length of the text is limited."""
    if isinstance(smaller, ir.Call) and isinstance(smaller.callee, ir.Name) and smaller.callee.id == "len" and smaller.arguments:
        measured = smaller.arguments[0].value
    elif isinstance(smaller, ir.Attribute) and smaller.name == "length":
        measured = smaller.value
    else:
        return
    place = tested_place(measured)
    if place is not None:
        mark(frame, place, "measured")


def absent(frame: Frame, needle: object, text: ir.Expr) -> None:
    """Record that `"x" in text` was False."""
    if not isinstance(needle, str):
        return
    if needle == ".." and (asked := frame.value(text)).path in SEEN_FROM:
        mark_origins(frame, asked.taints, "prefix check")
    place = tested_place(_undivided(text))
    if place is not None:
        mark(frame, place, f"without {needle}")
        if needle == "/":
            mark(frame, place, SEGMENT)
    elif isinstance(text, ir.Index) and isinstance(text.key, ir.Slice) and is_place(text.value):
        within = f"no {needle} inside"
        passed = [taint.passed for taint in frame.value(text.value).taints]
        quoted = needle in QUOTES and all(f"starts with {needle}" in each for each in passed)
        mark(frame, text.value, "quoted literal" if quoted else within)


def _refused(frame: Frame, tested: ir.Expr, names: list[object]) -> None:
    """Record that `name in (".", "..")` was False: as a single path part the name stays in its folder."""
    place = tested_place(tested) if ".." in names else None
    taints = frame.value(place).taints if place is not None else ()
    if place is not None and taints and all(SEGMENT in each.passed for each in taints):
        mark(frame, place, "without ..")


def _undivided(text: ir.Expr) -> ir.Expr:
    """`Path(name).parts` and `name.split("/")`: return the divided expression."""
    if isinstance(text, ir.Attribute) and text.name == "parts":
        return made_of(text.value)
    divides = isinstance(text, ir.Call) and isinstance(text.callee, ir.Attribute) and text.callee.name == "split"
    return text.callee.value if divides and isinstance(text, ir.Call) and isinstance(text.callee, ir.Attribute) else text


def made_of(path: ir.Expr) -> ir.Expr:
    """`Path(name)`: return the name."""
    return path.arguments[0].value if isinstance(path, ir.Call) and len(path.arguments) == 1 else path


def _listed(frame: Frame, tested: ir.Expr, container: ir.Expr) -> None:
    allowed = frame.value(container)
    if isinstance(container, ir.Attribute) and container.name == "parents":
        folder, path = frame.value(tested), frame.value(container.value)
        if not doubtful(folder) or callers_folder(folder, path.taints):
            inside(frame, path)
    hosts = _asks_host(tested) and callers_folder(allowed, frame.value(tested).taints)  # a list supplied by the caller
    if allowed.known or (_chosen_outside(frame, allowed) and not hosts):
        return
    place = tested_place(tested)
    if _is_ending(tested):
        mark_origins(frame, gathered(frame.value(tested)), LISTED_ENDING)
    if _asks_host(tested):
        mark_origins(frame, frame.value(tested).taints, "host check")
    if place is not None and (frame.engine.scripts or not _asks_host(tested)):  # in JavaScript a parameter may be called host
        mark(frame, place, "allow-list")


def _is_ending(tested: ir.Expr) -> bool:
    """`name.rsplit(".", 1)[1].lower() in ENDINGS`."""
    while isinstance(tested, ir.Call) and isinstance(tested.callee, ir.Attribute) and tested.callee.name in ("lower", "upper"):
        tested = tested.callee.value
    return isinstance(tested, ir.Index) and is_ending(tested)


def _chosen_outside(frame: Frame, allowed: Value) -> bool:
    """Return True if a sender may control the allowed values. An object's fields belong to the program, unless it stores the
    request."""
    taints = tuple(
        each for each in gathered(allowed) if not (isinstance(each.origin, Param) and _is_kept_by_object(frame, each.origin))
    )
    return doubtful(Value(taints=taints))


def _is_kept_by_object(frame: Frame, origin: Param) -> bool:
    if origin.function < 0 or not origin.access or not origin.access[0].startswith("."):
        return False
    function = frame.engine.index.functions[origin.function]
    if origin.position == 0 and function.owner is not None and not function.is_static:
        return origin.access[0] not in _OF_REQUEST
    name = function.node.parameters[origin.position].name
    return not is_request_name(name) and name not in _SENT and origin.access[0] not in _OF_REQUEST - {".data"}


def _equal(frame: Frame, tested: ir.Expr, other: ir.Expr) -> None:
    value = frame.value(other)
    if _is_common_path(tested):
        if not doubtful(value) or callers_folder(value, gathered(frame.value(tested))):
            mark_origins(frame, gathered(frame.value(tested)), "prefix check")
        return
    if doubtful(value):
        _equal_to_given(frame, tested, other)
        return
    if _is_first(tested) and isinstance(value.const, str) and len(value.const) == 1:
        mark(frame, tested.value, f"starts with {value.const}")
    elif _asks_host(tested):
        mark_origins(frame, frame.value(tested).taints, "host check")
    elif value.known and can_be_kept(tested):
        if frame.value(tested).taints and question(tested):
            keep_answer(frame, tested, literal(value.const))  # pyright: ignore[reportArgumentType]
        elif frame.value(tested).taints:
            put(frame, tested, literal(value.const))  # pyright: ignore[reportArgumentType]
    elif (place := tested_place(tested)) is not None:
        mark(frame, place, "fixed choice")


def _equal_to_given(frame: Frame, tested: ir.Expr, other: ir.Expr) -> None:
    """Compare with a value derived from the tested one: its own last part, or the folder that a path should be in."""
    if _is_last_part(tested, other):
        mark(frame, other, SEGMENT)
    elif callers_folder(frame.value(other), gathered(frame.value(tested))):
        inside(frame, frame.value(tested))


def callers_folder(folder: Value, tested: tuple[Taint, ...]) -> bool:
    """`inside(path, root)`: the folder is another parameter than the tested value, and not request data."""
    named = {root_of(taint.origin) for taint in gathered(folder)}
    only = all(isinstance(taint.origin, Param) for taint in gathered(folder))
    return only and bool({root_of(taint.origin) for taint in tested} - named)


def _is_first(expr: ir.Expr) -> TypeGuard[ir.Index]:
    """`path[0]`: the first character of a string."""
    return isinstance(expr, ir.Index) and isinstance(expr.key, ir.Const) and expr.key.value == 0 and is_place(expr.value)


def _is_last_part(expr: ir.Expr, whole: ir.Expr) -> bool:
    """`os.path.basename(name)`, `Path(name).name` of the variable it is compared with."""
    made = expr.value if isinstance(expr, ir.Attribute) and expr.name == "name" else expr
    if not isinstance(made, ir.Call) or not isinstance(whole, ir.Name) or (made is expr and last_name(made.callee) != "basename"):
        return False
    given = made.arguments[0].value if len(made.arguments) == 1 else None
    return isinstance(given, ir.Name) and given.id == whole.id


def _asks_host(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Attribute) and expr.name in HOST_PARTS


def _is_common_path(expr: ir.Expr) -> bool:
    return (
        isinstance(expr, ir.Call) and isinstance(expr.callee, ir.Attribute) and expr.callee.name in ("commonpath", "commonprefix")
    )
