"""What is put into a server's session: data that later code takes for the server's own.

Always holds: a name that the sender chooses is recorded always; a value only under a name that speaks of who someone is or what
they may do, and only where the function asked nobody about it. Does not belong here: what is read from a session.
"""

import re

from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.sinks import record
from counterproof.analysis.flow.values import Value, gathered
from counterproof.analysis.flow.words import words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.names import last_name
from counterproof.analysis.syntax.walk import walk

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_IDENTITY = words("""user userid uid username login account owner customer member role roles admin administrator superuser staff
    permission permissions privilege privileges group groups tenant auth authenticated authorized authorised level access""")
_REMEMBERED = words("""referer referrer next url uri path page redirect return back language locale lang theme agent message error
    errors notice time attempts count by sort order filter view tab""")
"""As the last word of a name: an address, a choice or a note that a person's name only stands beside."""
_CONSULTING = words("""check verify verified auth authenticate authorize login signin valid validate execute executemany
    query filter find fetch fetchone lookup password hash compare exists select scalar user users account objects""")
MAX_NODES = 5_000


def check_store(frame: Frame, target: ir.Index, owner: Value, key: Value, value: Value) -> None:
    """Record `session[key] = value` where a rule calls that a sink."""
    found = frame.engine.sinks.any_element(owner.path)
    if not found:
        return
    dangerous = [key] if gathered(key) else []
    if isinstance(key.const, str) and _speaks_of_identity(key.const) and not _consulted(frame, target.line):
        dangerous.append(value)
    for rule, sink in found:
        record(frame, rule, sink, target, dangerous)


def _parts(name: str) -> frozenset[str]:
    return frozenset(each.lower() for each in _WORD.findall(name[:200]))


def _speaks_of_identity(name: str) -> bool:
    spoken = [each.lower() for each in _WORD.findall(name[:200])]
    return bool(_IDENTITY.intersection(spoken)) and spoken[-1] not in _REMEMBERED


def _consulted(frame: Frame, line: int) -> bool:
    """Whether the function asks a store or a check about something up to this line."""
    if frame.function is None:
        return False
    for count, node in enumerate(walk(*frame.function.node.body)):
        if count > MAX_NODES:
            return True
        if isinstance(node, ir.Call) and node.line <= line and _asks(node):
            return True
    return False


def _asks(call: ir.Call) -> bool:
    """A call by the name of a check or a search that is given more than literals."""
    data = any(not isinstance(each.value, ir.Const) for each in call.arguments)
    return data and bool(_parts(last_name(call.callee)) & _CONSULTING)
