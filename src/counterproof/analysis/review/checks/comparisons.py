"""Comparisons and conditions that cannot mean what they say."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.expression_texts import written
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location
from counterproof.model.severity import Severity


def wrong(view: View) -> Iterator[Claim]:
    """All of them, in source order."""
    for module in view.modules():
        for node in walk(*module.body):
            if not view.touches(module.path, node.line, node.line):
                continue
            found = _problem(node)
            if found:
                title, why, severity = found
                place = Location(module.path, node.line, node.line)
                yield Claim("wrong comparison", title, severity, place, why)


Problem = tuple[str, str, Severity]


def _problem(node: ir.Node) -> Problem | None:
    if isinstance(node, ir.Compare):
        return _identity(node) or _itself(node)
    if isinstance(node, ir.Assert) and isinstance(node.test, ir.Sequence) and node.test.items:
        why = "The assertion tests a tuple, which is always true. The parentheses make the condition and its message one value."
        return ("this assertion can never fail", why, Severity.MEDIUM)
    if isinstance(node, ir.Handler) and isinstance(node.kind, ir.Boolean):
        why = (
            "`except A or B` evaluates to A alone, so errors of the other kind pass by unhandled. A tuple of kinds is what "
            "catches both of them."
        )
        return ("only the first of these errors is caught", why, Severity.HIGH)
    if isinstance(node, ir.If):
        return _same_test(node)
    return _constant_or(node) if isinstance(node, ir.Boolean) else None


def _identity(node: ir.Compare) -> Problem | None:
    for operator, right in zip(node.operators, node.operands[1:], strict=False):
        value = right.value if isinstance(right, ir.Const) else None
        literal = isinstance(value, str | bytes | int | float) and not isinstance(value, bool)
        if operator in ("is", "is not") and literal:
            why = (
                "Identity of a text or number depends on how the interpreter happens to keep it, so this holds at one time and "
                "not at another. Equality is what is meant."
            )
            return ("compares a value by identity", why, Severity.MEDIUM)
    return None


def _itself(node: ir.Compare) -> Problem | None:
    left, right = node.operands[0], node.operands[1]
    if len(node.operands) != 2 or node.operators[0] not in ("==", "<", ">", "<=", ">=") or _calls(left):
        return None
    text = written(left)
    if not text or text != written(right) or isinstance(left, ir.Const):
        return None
    why = f"Both sides are `{text[:100]}`, so the outcome is the same every time. "
    why += "One of the two was most likely meant to be something else, and the case it should tell apart is never seen."
    return ("compares a value with itself", why, Severity.MEDIUM)


def _same_test(node: ir.If) -> Problem | None:
    seen: set[str] = set()
    for branch in node.branches:
        text = written(branch.test)
        if text and text in seen and not _calls(branch.test):
            why = f"`{text[:100]}` was tested by an earlier branch of the chain, so "
            why += f"the branch at line {branch.line} never runs. It was most likely meant to test something else."
            return ("a branch that is never taken", why, Severity.MEDIUM)
        seen.add(text)
    return None


def _constant_or(node: ir.Boolean) -> Problem | None:
    """`x == "a" or "b"`: the text is always true."""
    last = node.operands[-1]
    compared = any(isinstance(each, ir.Compare) and each.operators[-1] == "==" for each in node.operands[:-1])
    text = isinstance(last, ir.Const) and isinstance(last.value, str) and bool(last.value)
    if node.operator == "or" and compared and text and all(isinstance(each, ir.Compare) for each in node.operands[:-1]):
        why = (
            "The text after `or` is not compared with anything. It is true by itself, so the condition always holds "
            "and the other case never happens."
        )
        return ("this condition always holds", why, Severity.HIGH)
    return None


def _calls(expr: ir.Expr) -> bool:
    """Whether evaluating it twice may give two results."""
    return any(isinstance(each, ir.Call | ir.Await | ir.Yield | ir.Unknown) for each in walk(expr))
