"""Checks that raise: `validate_path(path)`, after which the path is one that it lets pass.

Always holds: functions of the project are run on the values at hand, whatever they are called, and count only where they raise
and never answer no; of functions from outside, the name counts, and only where nobody asks for their answer. Does not belong
here: questions.
"""

from counterproof.analysis.flow.address_checks import checks_address
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.guards import promised
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.marks import mark_address
from counterproof.analysis.flow.models import insisted, sounds_strict
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.names import last_name


def insist(frame: Frame, call: ir.Call, asked: bool = False) -> None:
    """What holds for the arguments of a call from here on; `asked` says that its answer is kept."""
    name = last_name(call.callee)
    strict = sounds_strict(name)
    if not strict and name not in frame.engine.raising.names:
        return
    target = frame.value(call.callee)
    if isinstance(target.of, FunctionInfo):
        answer = frame.engine.raising.answer(target.of, strict)
        places = [each.value for each in call.arguments if not each.spread and frame.value(each.value).taints]
        if answer is not None and places:
            for place in places if checks_address(target.of) else ():
                mark_address(frame, place)
            frame.engine.predicate(frame, target.of, target.bound, call, answer)
    elif strict and not asked:
        promised(frame, call, insisted(name))
