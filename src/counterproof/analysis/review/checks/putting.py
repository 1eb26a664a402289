"""Statements and commands put together from a parameter, in code under review that nothing calls with untrusted data yet.

Always: the text is put together in the function itself, from a parameter of its own that no annotation makes a number. What
request data reaches today is the data flow's business; this is about who calls it tomorrow.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.names import dotted
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location
from counterproof.model.severity import Confidence, Severity

_EXECUTE = ("execute", "executemany", "executescript", "raw", "text")
_SQL = re.compile(r"\s{0,50}(?:select|insert|update|delete|replace|drop|alter|create)\s", re.I)
_SHELL = ("os.system", "os.popen")
_PROCESSES = ("subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen")
_NUMBERS = ("int", "float", "bool", "UUID", "Decimal", "date", "datetime")


def put_together(view: View) -> Iterator[Claim]:
    for module, function in view.functions(tests=False):
        given = frozenset(each.name for each in function.parameters if not _is_number(each))
        for node in walk(*function.body):
            if isinstance(node, ir.Call) and node.arguments and view.touches(module.path, node.line, node.end):
                what = _runs(node, module)
                text = _text(function, node.arguments[0].value)
                name = _put_in(text, given) if what else ""
                if name and (what == "command" or _is_statement(text)):
                    yield _claim(Location(module.path, node.line, node.line), what, name)


def _is_number(parameter: ir.Parameter) -> bool:
    named = list(walk(parameter.annotation)) if parameter.annotation is not None else []
    return any(isinstance(each, ir.Name) and each.id in _NUMBERS for each in named) or parameter.name in ("self", "cls")


def _runs(call: ir.Call, module: ir.Module) -> str:
    """What the call does with its first argument."""
    name = dotted(call.callee, module) or ""
    if name in _SHELL:
        return "command"
    shell = any(
        each.keyword == "shell" and isinstance(each.value, ir.Const) and each.value.value is True for each in call.arguments
    )
    if name in _PROCESSES:
        return "command" if shell else ""
    last = call.callee.name if isinstance(call.callee, ir.Attribute) else name.rpartition(".")[2]
    return "statement" if last in _EXECUTE else ""


def _text(function: ir.Function, value: ir.Expr) -> ir.Expr:
    """The expression itself, or what the one assignment to a variable put there."""
    if not isinstance(value, ir.Name):
        return value
    assigned = [
        node.value
        for node in walk(*function.body)
        if isinstance(node, ir.Assign) and any(isinstance(each, ir.Name) and each.id == value.id for each in node.targets)
    ]
    return assigned[0] if len(assigned) == 1 and assigned[0] is not None else value


def _put_in(text: ir.Expr, given: frozenset[str]) -> str:
    """The parameter that stands in the text as it came."""
    match text:
        case ir.Concat(parts=parts) | ir.Format(parts=parts):
            pieces: tuple[ir.Expr, ...] = parts
        case ir.Call(callee=ir.Attribute(value=ir.Const(), name="format"), arguments=arguments):
            pieces = tuple(each.value for each in arguments)
        case ir.Binary(operator="%", operands=(ir.Const(), right)):
            pieces = right.items if isinstance(right, ir.Sequence) else (right,)
        case _:
            return ""
    return next((each.id for each in pieces if isinstance(each, ir.Name) and each.id in given), "")


def _is_statement(text: ir.Expr) -> bool:
    first = next((node.value for node in walk(text) if isinstance(node, ir.Const) and isinstance(node.value, str)), "")
    return _SQL.match(str(first)) is not None


def _claim(place: Location, what: str, name: str) -> Claim:
    return Claim(
        kind=f"{what} put together",
        domain="injection",
        title=f"the parameter {name} becomes part of a {what}"[:200],
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        at=place,
        why=f"Whatever a caller passes as {name} is read as part of the {what} itself, not as a value in it. "
        "A caller that passes on what a user typed lets that user decide what runs.",
        fix="Pass the value as a bound parameter" if what == "statement" else "Pass the arguments as a list, without a shell",
    )
