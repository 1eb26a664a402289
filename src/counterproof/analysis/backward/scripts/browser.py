"""What a script in the browser is handed by others: the address of its page, and messages of other windows.

Always holds: a name counts only where no scope around it defines it. Does not belong here: what a server is sent.
"""

from counterproof.analysis.backward.scripts.scopes import Scopes, Spot
from counterproof.analysis.flow.sources import BROWSER_CHANNELS, NAMED_SOURCES
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk

_PAGE = frozenset(name for name, channel in NAMED_SOURCES.items() if channel in BROWSER_CHANNELS)
_SENDERS = frozenset({"origin", "source"})


def is_of_the_page(scopes: Scopes, spot: Spot, node: ir.Attribute | ir.Index) -> bool:
    """`location.hash`, `document.referrer`."""
    names: list[str] = []
    current: ir.Expr = node
    while isinstance(current, ir.Attribute):
        names.append(current.name)
        current = current.value
    if not isinstance(current, ir.Name) or ".".join((current.id, *reversed(names))) not in _PAGE:
        return False
    values, owner = scopes.definitions(spot, current.id)
    return not values and owner is None


def hears_messages(scopes: Scopes, module: ir.Module, function: ir.Function) -> bool:
    """Whether other windows can send something to a function that does not ask who they are."""
    heard = any(_listens(each.node) for each in scopes.handed_over(scopes.names(module, function)) if each.module is module)
    return heard and not any(
        (isinstance(each, ir.Attribute) and each.name in _SENDERS) or (isinstance(each, ir.Name) and each.id in _SENDERS)
        for each in walk(*function.body)
    )


def _listens(call: ir.Node) -> bool:
    """`addEventListener("message", …)`."""
    if not isinstance(call, ir.Call) or not call.arguments:
        return False
    callee, event = call.callee, call.arguments[0].value
    name = last_name(callee)
    return name == "addEventListener" and isinstance(event, ir.Const) and event.value == "message"
