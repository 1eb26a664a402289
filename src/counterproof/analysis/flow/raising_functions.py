"""Functions of the project that raise or let pass, so that a call of one is a check.

Invariant: each function is looked at once, by its own statements. Not handled here: what a call of one tells.
"""

from collections.abc import Iterable

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

MAX_NODES = 600
"""A longer function does more than check."""

MAX_STATEMENTS = 6
"""Where the name does not say that a function checks, a longer one does something else."""


class RaisingFunctions:
    """Which functions of a project raise or let pass, looked at once."""

    def __init__(self, functions: Iterable[FunctionInfo]) -> None:
        short = [each for each in functions if len(each.node.body) <= MAX_STATEMENTS and _has_guard(each.node)]
        self._answers: dict[int, bool | None] = {each.id: _answer(each) for each in short}
        self.names = frozenset(each.node.name for each in short if self._answers[each.id] is not None)
        """What the short ones are called."""

    def answer(self, info: FunctionInfo, strict: bool) -> bool | None:
        """What the function answers where it lets pass; a long one counts only where its name says that it checks."""
        if strict and info.id not in self._answers:
            self._answers[info.id] = _answer(info)
        return self._answers.get(info.id)


def _has_guard(node: ir.Function) -> bool:
    """`if …: raise`, which is asked without a look at anything else."""
    ends = [branch.body[-1] for each in node.body if isinstance(each, ir.If) for branch in each.branches if branch.body]
    return any(isinstance(each, ir.Raise) or (isinstance(each, ir.ExprStatement) and _aborts(each.value)) for each in ends)


def _aborts(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and last_name(node.callee) == "abort"


def _answer(info: FunctionInfo) -> bool | None:
    """What a function answers that raises or lets pass: True, or nothing that counts; None where it is not one of those."""
    raises = yes = False
    for node, count in zip(walk(*info.node.body), range(MAX_NODES + 1), strict=False):
        if count == MAX_NODES:
            return None
        raises = raises or isinstance(node, ir.Raise) or _aborts(node)
        if isinstance(node, ir.Return) and isinstance(node.value, ir.Const):
            if node.value.value is False:
                return None
            yes = yes or node.value.value is True
    return yes if raises else None


def is_abstract(node: ir.Function) -> bool:
    """A body that only says it must be overridden."""
    for statement in node.body:
        if isinstance(statement, ir.Raise):
            raised = statement.value.callee if isinstance(statement.value, ir.Call) else statement.value
            return isinstance(raised, ir.Name) and raised.id == "NotImplementedError"
    return False
