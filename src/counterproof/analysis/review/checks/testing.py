"""Tests that assert nothing: they pass as long as nothing raises."""

import re
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

_CHECKING = re.compile(
    r"assert|expect|verify|check|raises|warns|fail|should|ensure|compare|snapshot|validate|match", re.IGNORECASE
)

_HANDED_ON = re.compile(r"assert|expect", re.IGNORECASE)
"""A helper that asserts may be handed to what runs it."""


def asserts_nothing(view: View) -> Iterator[Claim]:
    """New test functions without an assertion, a `with` block, or a call that could be one."""
    for module, function in view.functions():
        if not view.project.files[module.path].test or not function.name.startswith("test"):
            continue
        if not view.touches(module.path, function.line, function.line) or function.decorators or _checks(function, module):
            continue
        yield Claim(
            kind="test asserts nothing",
            domain="testing",
            title=f"{function.name} asserts nothing",
            severity=Severity.LOW,
            confidence=Confidence.MEDIUM,
            at=at(module.path, function.line),
            why="The test runs code and looks at nothing that comes of it. Unless something raises, a wrong result passes.",
            fix="Assert what the code should have done, or say in the name that not raising is the point",
        )


def _checks(function: ir.Function, module: ir.Module) -> bool:
    asserting = {each.name for each in module.functions if any(isinstance(node, ir.Assert) for node in walk(*each.body))}
    for node in walk(*function.body):
        if isinstance(node, ir.Assert | ir.With | ir.Raise | ir.Yield):
            return True
        if isinstance(node, ir.Name) and _HANDED_ON.search(node.id):
            return True
        callee = node.callee if isinstance(node, ir.Call) else None
        name = callee.name if isinstance(callee, ir.Attribute) else callee.id if isinstance(callee, ir.Name) else ""
        if name and (name in asserting or _CHECKING.search(name)):
            return True
    return not any(isinstance(node, ir.Call) for node in walk(*function.body)) or "raise" in function.name
