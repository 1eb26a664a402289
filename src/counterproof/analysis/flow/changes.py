"""What a function leaves changed in what it was given, and what its arguments have passed where it comes to an end.

Always holds: all ends count, so that what a check found out on one path only is not believed where its answer is not asked for.
Does not belong here: taking a change over at a call.
"""

from functools import reduce

from counterproof.analysis.flow.frame import Env, Frame
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import Value, joined


def changes(frame: Frame, info: FunctionInfo, given: Env) -> dict[int, Value]:
    """By position: the parameters that are still what was given, but not as it was."""
    ends = [env for _, _, env in frame.exits or ()]
    if not frame.ended or not ends:
        ends.append(frame.env)
    found: dict[int, Value] = {}
    for position, parameter in enumerate(info.node.parameters):
        last, first = _at_all(ends, parameter.name), given.get(parameter.name)
        if last is not None and first is not None and last is not first and last.sym == first.sym is not None:
            found[position] = last
    return found


def _at_all(ends: list[Env], name: str) -> Value | None:
    values = [value for each in ends if (value := each.get(name)) is not None]
    return reduce(lambda left, right: left if left is right else joined(left, right), values) if values else None
