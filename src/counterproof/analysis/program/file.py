"""A file for traversal: its sites, the parent of every node, the block of a statement, and where control ends.

Invariant: built in one pass, without recursion. Not handled here: the effect of statements on variables.
"""

from collections.abc import Iterator
from functools import cached_property

from counterproof.analysis.program.everyday import NO_RETURN
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import children
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import LEAVES

MAX_NESTING = 60
"""Nesting limit of blocks when testing whether control continues."""

_ENDS = ("abort", "exit", "bail", "fail")


class File(Outline):
    """One module with its sites and the context of each node."""

    @cached_property
    def parents(self) -> dict[int, ir.Node]:
        """By the id of the child node. Built on first use: most modules never need it."""
        found: dict[int, ir.Node] = {}
        pending: list[ir.Node] = list(self.module.body)
        while pending:
            node = pending.pop()
            for each in children(node):
                found[id(each)] = node
                if type(each) not in LEAVES:
                    pending.append(each)
        return found

    def parent(self, node: ir.Node) -> ir.Node | None:
        return self.parents.get(id(node))

    def above(self, node: ir.Node) -> Iterator[tuple[ir.Node, ir.Node]]:
        """(child, parent) pairs from a node up to the module."""
        child, parent = node, self.parent(node)
        while parent is not None:
            yield child, parent
            child, parent = parent, self.parent(parent)

    def function(self, node: ir.Node) -> ir.Function | None:
        """The function that a node runs in; decorators and defaults run outside their function."""
        for child, parent in self.above(node):
            if isinstance(parent, ir.Function) and any(child is each for each in parent.body):
                return parent
        return None

    def owner(self, function: ir.Function) -> ir.Class | None:
        return self.classes.get(function.owner) if function.owner else None


def ends(outline: Outline, block: tuple[ir.Statement, ...], nesting: int = 0) -> bool:
    """Return True if control cannot continue after this block."""
    return nesting < MAX_NESTING and any(_ends(outline, each, nesting) for each in block)


def _ends(outline: Outline, statement: ir.Statement, nesting: int) -> bool:
    match statement:
        case ir.Return() | ir.Raise() | ir.Jump():
            return True
        case ir.ExprStatement(value=value):
            return _never_returns(outline, value)
        case ir.If(branches=branches, otherwise=otherwise):
            every = all(ends(outline, each.body, nesting + 1) for each in branches)
            return every and ends(outline, otherwise, nesting + 1)
        case ir.With(body=body):
            return ends(outline, body, nesting + 1)
        case ir.Try(body=body, handlers=handlers, final=final):
            every = all(ends(outline, each.body, nesting + 1) for each in handlers)
            return (every and ends(outline, body, nesting + 1)) or ends(outline, final, nesting + 1)
        case _:
            return False


def _never_returns(outline: Outline, value: ir.Expr) -> bool:
    call = value.value if isinstance(value, ir.Await) else value
    if not isinstance(call, ir.Call):
        return False
    dotted = outline.dotted(call.callee)
    return dotted in NO_RETURN or dotted.rpartition(".")[2] in _ENDS
