"""What running a function once tells about every call of it.

Always holds: a summary speaks only of the function's own parameters, of enclosing functions' parameters, and of real sources.
Does not belong here: making a summary, and replaying it at a call.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from counterproof.analysis.flow.hits import Hit
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import Param, Value
from counterproof.analysis.syntax import ir


class LaterCall(NamedTuple):
    """A call of a parameter, or of a part of one."""

    called: Param
    given: tuple[Value, ...]
    node: ir.Call
    function: FunctionInfo | None
    """The function in which the call stands."""


@dataclass(slots=True, eq=False)
class Summary:
    """`changes` are parameters whose contents the function changed; `hits` all sinks met, its callees' included."""

    returns: Value
    changes: dict[int, Value] = field(default_factory=dict[int, Value])
    hits: tuple[Hit, ...] = ()
    never_returns: bool = False
    later: tuple[LaterCall, ...] = ()
    """Calls that it makes of its parameters."""
