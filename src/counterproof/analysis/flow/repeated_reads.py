"""The same question put twice: `request.args.get("next")` in a test, and once more where the answer is used.

A request does not change, so what a test told about the first answer holds for the second. What is known of such an answer is
kept among the variables of the path, under the question as it is written. Always holds: only parts of the request are asked,
and where two paths meet, only what both know is kept. Does not belong here: containers of the program, which change.
"""

from counterproof.analysis.flow.frame import ASKED, Frame
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.values import Value
from counterproof.analysis.syntax import ir


def question(expr: ir.Expr) -> str:
    """The question as it is written; '' if the expression is none."""
    if not isinstance(expr, ir.Call) or not isinstance(expr.callee, ir.Attribute) or expr.callee.name != "get":
        return ""
    owner = _spelled(expr.callee.value)
    texts = [each.value.value for each in expr.arguments if isinstance(each.value, ir.Const)]
    return f"{ASKED}{owner}.get{texts!r}" if owner and texts and len(texts) == len(expr.arguments) else ""


def known_answer(frame: Frame, node: ir.Call, receiver: Value) -> Value | None:
    """What this path knows of the answer already."""
    return frame.env.get(question(node)) if ASKED in frame.env and _is_request(receiver) else None


def known_entry(frame: Frame, node: ir.Index, receiver: Value) -> Value | None:
    """What this path knows of `request.args["next"]` because it asked for `request.args.get("next")`."""
    if not isinstance(node.key, ir.Const) or not _is_request(receiver):
        return None
    owner = _spelled(node.value)
    ways = ([node.key.value], [node.key.value, ""], [node.key.value, None])
    found = (frame.env.get(f"{ASKED}{owner}.get{each!r}") for each in ways)
    return next((each for each in found if each is not None), None) if owner else None


def keep_answer(frame: Frame, expr: ir.Expr, answer: Value) -> None:
    """What holds for the answer from here on."""
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


def _spelled(expr: ir.Expr) -> str:
    names: list[str] = []
    while isinstance(expr, ir.Attribute):
        names.append(expr.name)
        expr = expr.value
    return ".".join((expr.id, *reversed(names))) if isinstance(expr, ir.Name) else ""
