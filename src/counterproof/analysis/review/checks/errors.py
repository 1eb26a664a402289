"""Errors that are caught whatever they are and then forgotten."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.names import dotted
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

_EVERYTHING = ("Exception", "BaseException")


def swallowed(view: View) -> Iterator[Claim]:
    """`except Exception: pass` and its like: nothing is said, returned or raised."""
    for module in view.modules(tests=False):
        for node in walk(*module.body):
            if not isinstance(node, ir.Handler) or not view.touches(module.path, node.line, node.end):
                continue
            broad = node.kind is None or dotted(node.kind, module) in _EVERYTHING
            if broad and all(_silent(each) for each in node.body):
                line = node.line if view.touches(module.path, node.line, node.line) else node.end
                caught = "every error" if node.kind is None else f"every {dotted(node.kind, module)}"
                yield Claim(
                    kind="error is swallowed",
                    domain="error-handling",
                    title=f"{caught} is caught and forgotten",
                    severity=Severity.MEDIUM,
                    confidence=Confidence.HIGH,
                    at=at(module.path, line),
                    why=f"The handler takes {caught}, programming mistakes included, and leaves no trace: no log, no value, no "
                    "new error. When this part breaks, nobody learns of it.",
                    fix="Catch the error that is expected here, or log it",
                )


def _silent(statement: ir.Statement) -> bool:
    """`pass`, `...`, `continue`."""
    if isinstance(statement, ir.Jump):
        return statement.kind == "continue"
    return isinstance(statement, ir.ExprStatement) and isinstance(statement.value, ir.Const)
