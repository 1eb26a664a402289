"""Decorators of the project that may turn callers away in a way that was not read.

Always holds: the guard that the entry point is known for is not among them, and neither is one that never turns anybody away.
Does not belong here: what a guard asks for, where that can be read.
"""

from counterproof.analysis.backward.program import Program
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.syntax.ir import Call, Decorator, Function, If, Raise, Return
from counterproof.analysis.syntax.names import last_name
from counterproof.analysis.syntax.walk import walk


def unread_guard(program: Program, operation: Operation) -> str:
    """`@member_of("group")`: the name of the first such decorator; "" where there is none."""
    by = operation.entry.guarded_by
    known = by.symbol.rpartition(".")[2] if by is not None else ""
    for each in operation.function.decorators:
        value = each.value.callee if isinstance(each.value, Call) else each.value
        if (name := last_name(value)) and name != known and _turns_away(program, operation, each):
            return name
    return ""


def _turns_away(program: Program, operation: Operation, decorator: Decorator) -> bool:
    value = decorator.value.callee if isinstance(decorator.value, Call) else decorator.value
    found = program.codebase.meaning(operation.ground.outline, value)
    if found is None or not isinstance(found.node, Function):
        return False
    return any(
        isinstance(inner, Raise | Return) for node in walk(*found.node.body) if isinstance(node, If) for inner in walk(node)
    )
