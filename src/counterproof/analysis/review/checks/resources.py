"""Files that are opened and never closed."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity


def left_open(view: View) -> Iterator[Claim]:
    """`f = open(…)` in a function that neither closes `f`, nor hands it to anybody."""
    for module, function in view.functions(tests=False):
        for node in walk(*function.body):
            if not isinstance(node, ir.Assign) or len(node.targets) != 1 or not _opens(node.value):
                continue
            target = node.targets[0]
            if isinstance(target, ir.Name) and view.touches(module.path, node.line, node.end) and _forgotten(function, target.id):
                yield Claim(
                    kind="file is not closed",
                    domain="invariants",
                    title=f"{function.name}() opens a file and never closes it",
                    severity=Severity.LOW,
                    confidence=Confidence.HIGH,
                    at=at(module.path, node.line),
                    why=f"{target.id} is never closed and never leaves the function. What was written may stay in a buffer, and "
                    "under load the process runs out of file handles.",
                    fix="Use `with open(…) as …:`",
                )


def _opens(value: ir.Expr | None) -> bool:
    return isinstance(value, ir.Call) and isinstance(value.callee, ir.Name) and value.callee.id == "open"


def _forgotten(function: ir.Function, name: str) -> bool:
    """Used only through its own methods, none of which closes it."""
    through = {id(node.value) for node in walk(*function.body) if isinstance(node, ir.Attribute) and node.name != "close"}
    mentions = [node for node in walk(*function.body) if isinstance(node, ir.Name) and node.id == name]
    stored = {id(each) for node in walk(*function.body) if isinstance(node, ir.Assign) for each in node.targets}
    return all(id(node) in through or id(node) in stored for node in mentions)
