"""Project functions that raise or return normally, so that calling them is a check.

Invariant: each function is examined once, by its own statements. Not handled here: the labels that such a call adds.
"""

from collections.abc import Iterable

from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

MAX_NODES = 600
"""A longer function does more than check."""

MAX_STATEMENTS = 6
"""Statement limit for functions whose name does not say that they check."""


class RaisingFunctions:
    """The project functions that raise or return normally; each is examined once."""

    def __init__(self, functions: Iterable[FunctionInfo]) -> None:
        short = [each for each in functions if len(each.node.body) <= MAX_STATEMENTS and _has_guard(each.node)]
        self._answers: dict[int, bool | None] = {each.id: _answer(each) for each in short}
        self.names = frozenset(each.node.name for each in short if self._answers[each.id] is not None)
        """The names of the short ones."""

    def answer(self, info: FunctionInfo, strict: bool) -> bool | None:
        """The function's return value when it does not raise; a long function counts only if its name says that it checks."""
        if strict and info.id not in self._answers:
            self._answers[info.id] = _answer(info)
        return self._answers.get(info.id)


def _has_guard(node: ir.Function) -> bool:
    """`if …: raise`, a cheap test made first."""
    ends = [branch.body[-1] for each in node.body if isinstance(each, ir.If) for branch in each.branches if branch.body]
    return any(isinstance(each, ir.Raise) or (isinstance(each, ir.ExprStatement) and _aborts(each.value)) for each in ends)


def _aborts(node: ir.Node) -> bool:
    return isinstance(node, ir.Call) and last_name(node.callee) == "abort"


def _answer(info: FunctionInfo) -> bool | None:
    """The return value of a function that raises or returns normally: True, or an ignored value; None for other functions."""
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
