"""Checks that raise: `validate_path(path)`, after which the path is one that it lets pass.

Always holds: functions of the project are run on the values at hand, whatever they are called, and count only where they raise
and never answer no; of functions from outside, the name counts, and only where nobody asks for their answer. Does not belong here: questions.
"""

from counterproof.analysis.flow.checking import checks_address
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.guards import called_name, promised
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marking import mark_address
from counterproof.analysis.flow.promising import insisted, sounds_strict
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

MAX_NODES = 600
"""A longer function does more than check."""

MAX_STATEMENTS = 6
"""Where the name does not say that a function checks, a longer one does something else."""


def insist(frame: Frame, call: ir.Call, asked: bool = False) -> None:
    """What holds for the arguments of a call from here on; `asked` says that its answer is kept."""
    name = called_name(call)
    strict = sounds_strict(name)
    if not strict and not call.arguments:
        return
    target = frame.value(call.callee)
    if isinstance(target.of, FunctionInfo):
        answer = _answer(target.of) if strict or len(target.of.node.body) <= MAX_STATEMENTS else None
        places = [each.value for each in call.arguments if not each.spread and frame.value(each.value).taints]
        if answer is not None and places:
            for place in places if checks_address(target.of) else ():
                mark_address(frame, place)
            frame.engine.predicate(frame, target.of, target.bound, call, answer)
    elif strict and not asked:
        promised(frame, call, insisted(name))


def _answer(info: FunctionInfo) -> bool | None:
    """What a function answers that raises or lets pass: True, or nothing that counts; None where it is not one of those."""
    raises = yes = False
    for node, count in zip(walk(*info.node.body), range(MAX_NODES + 1), strict=False):
        if count == MAX_NODES:
            return None
        raises = raises or isinstance(node, ir.Raise) or (isinstance(node, ir.Call) and called_name(node) == "abort")
        if isinstance(node, ir.Return) and isinstance(node.value, ir.Const):
            if node.value.value is False:
                return None
            yes = yes or node.value.value is True
    return yes if raises else None
