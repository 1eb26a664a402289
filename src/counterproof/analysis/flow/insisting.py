"""Checks that raise: `validate_path(path)` as a statement, after which the path is one that it lets pass.

Always holds: only for functions from outside the project, by their names; those of the project are run. Does not belong here:
questions that are answered.
"""

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.guards import called_name, promised
from counterproof.analysis.flow.promising import insisted
from counterproof.analysis.syntax import ir


def insist(frame: Frame, call: ir.Call) -> None:
    """What holds from here on for the arguments of a call that nobody asked for an answer."""
    labels = insisted(called_name(call))
    if labels:
        promised(frame, call, labels)
