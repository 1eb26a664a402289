"""Adding labels to data: to the tested value, to every variable that holds it, to all data from the same origin, and to later
reads of the same request field.

Invariant: only the current path's variables are labelled. A request does not change, so a test of `request.args.get("next")` also
applies where the same expression is evaluated again; this is stored among the path's variables, keyed by the expression's text,
only for parts of the request, and only if both paths agree where two meet. Not handled here: what a test proves.
"""

from counterproof.analysis.flow.assignments import is_place, put
from counterproof.analysis.flow.frame import ASKED, Frame
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import Param, Source, Taint, Value, gathered, with_taints
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import spelled

_SAME_TEXT = vocabulary("lower upper strip casefold lstrip rstrip")


def tested_place(expr: ir.Expr) -> ir.Expr | None:
    """The variable, or the request read, inside an expression that only changes case or trims."""
    while isinstance(expr, ir.Call) and not question(expr):
        callee = expr.callee
        if isinstance(callee, ir.Attribute) and callee.name in _SAME_TEXT:
            expr = callee.value
        elif isinstance(callee, ir.Name) and callee.id == "str" and len(expr.arguments) == 1:
            expr = expr.arguments[0].value
        else:
            return None
    return expr if can_be_kept(expr) else None


def can_be_kept(expr: ir.Expr) -> bool:
    """Return True if a test's result for this expression can be stored."""
    return is_place(expr) or bool(question(expr))


def inside(frame: Frame, path: Value) -> None:
    """Mark that the path is in a folder; it counts only once the path is normalised."""
    if path.taints and all("normalised" in taint.passed for taint in path.taints):
        mark_origins(frame, path.taints, "prefix check")


def mark_address(frame: Frame, address: ir.Expr) -> None:
    """Mark that the URL's host was checked."""
    value = frame.value(address)
    mark_origins(frame, value.taints, "host check")
    if question(address):
        keep_answer(frame, address, narrowed_value(value, "host check"))


def mark(frame: Frame, place: ir.Expr, label: str) -> None:
    """Add `label` to the value of this expression, and to every variable that holds the same value."""
    value = frame.value(place)
    taints = gathered(value)
    if not taints:
        return
    marked = with_taints(value, tuple(taint._replace(passed=taint.passed | {label}) for taint in value.taints))
    for name, other in frame.env.items():
        if other is value:
            frame.env[name] = marked
    keep_answer(frame, place, marked) if question(place) else put(frame, place, marked)


def mark_origins(frame: Frame, taints: tuple[Taint, ...], label: str) -> None:
    """Add `label` to all data from these origins: for checks of a part of the value."""
    roots = {root_of(taint.origin) for taint in taints}
    if not roots:
        return
    for name, value in frame.env.items():
        if any(root_of(taint.origin) in roots for taint in value.taints):
            frame.env[name] = with_taints(
                value,
                tuple(
                    taint._replace(passed=taint.passed | {label}) if root_of(taint.origin) in roots else taint
                    for taint in value.taints
                ),
            )


def root_of(origin: Source | Param) -> tuple[object, ...]:
    """The common key of all data from one origin, whichever part of it was read."""
    if isinstance(origin, Source):
        return origin.path, origin.line, origin.name
    return origin.function, origin.position


def narrowed_value(value: Value, *labels: str) -> Value:
    """The value with additional labels."""
    return with_taints(value, tuple(taint._replace(passed=taint.passed.union(labels)) for taint in value.taints))


def question(expr: ir.Expr) -> str:
    """The source text of a request read; '' for other expressions."""
    if not isinstance(expr, ir.Call) or not isinstance(expr.callee, ir.Attribute) or expr.callee.name != "get":
        return ""
    owner = spelled(expr.callee.value)
    texts = [each.value.value for each in expr.arguments if isinstance(each.value, ir.Const)]
    return f"{ASKED}{owner}.get{texts!r}" if owner and texts and len(texts) == len(expr.arguments) else ""


def known_answer(frame: Frame, node: ir.Call, receiver: Value) -> Value | None:
    """The result of a request read that this path already knows."""
    return frame.env.get(question(node)) if ASKED in frame.env and _is_request(receiver) else None


def known_entry(frame: Frame, node: ir.Index, receiver: Value) -> Value | None:
    """The value of `request.args["next"]` that this path knows from `request.args.get("next")`."""
    if not isinstance(node.key, ir.Const) or not _is_request(receiver):
        return None
    owner = spelled(node.value)
    ways = ([node.key.value], [node.key.value, ""], [node.key.value, None])
    found = (frame.env.get(f"{ASKED}{owner}.get{each!r}") for each in ways)
    return next((each for each in found if each is not None), None) if owner else None


def keep_answer(frame: Frame, expr: ir.Expr, answer: Value) -> None:
    """Store the narrowed result of a request read for later reads."""
    asked = question(expr)
    if (
        asked
        and isinstance(expr, ir.Call)
        and isinstance(expr.callee, ir.Attribute)
        and _is_request(frame.value(expr.callee.value))
    ):
        frame.env[ASKED] = frame.env[asked] = answer


def _is_request(receiver: Value) -> bool:
    return receiver.path.startswith(REQUEST) and "(" not in receiver.path and receiver.entries is None
