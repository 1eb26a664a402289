"""Whether a JavaScript handler uses the logged-in user. Not handled here: guards before it."""

from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import children, last_name, walk

_IDENTITY = vocabulary("session currentuser principal owner ownerid createdby creator isowner decoded claims locals authuser")
_HOLDERS = frozenset({"req", "request", "ctx", "context", "state", "_req", "c"})
_KNOWN = vocabulary("user userid auth account uid username currentuser session jwt token tokenpayload member")
_SHOWING = frozenset({"render", "json", "send", "view", "flash", "log", "info", "debug", "redirect"})
MAX_NODES = 20_000


def speaks_of_the_caller(function: ir.Function) -> bool:
    """Whether a function uses who is logged in, other than to show it."""
    pending: list[ir.Node] = list(function.body)
    holders = _holders(function)
    for _ in range(MAX_NODES):
        if not pending:
            return False
        node = pending.pop()
        if isinstance(node, ir.Name) and "".join(words(node.id)) in _IDENTITY:
            return True
        if isinstance(node, ir.Attribute) and _is_caller(node, holders):
            return True
        if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute) and node.callee.name in _SHOWING:
            pending.extend(inner for each in node.arguments for inner in walk(each) if isinstance(inner, ir.Call))
        else:
            pending.extend(children(node))
    return False


def _holders(function: ir.Function) -> frozenset[str]:
    """Names of the request: the usual ones, what a handler calls its first parameter, and further names for those."""
    first = function.parameters[0].name if len(function.parameters) > 1 else ""
    known = _HOLDERS | {first} if first and first != "this" else _HOLDERS
    copies = [each for each in function.body if isinstance(each, ir.Assign) and isinstance(each.value, ir.Name)]
    again = [each.targets[0] for each in copies if isinstance(each.value, ir.Name) and each.value.id in known]
    return known | {each.id for each in again if isinstance(each, ir.Name)}


def _is_caller(node: ir.Attribute, holders: frozenset[str]) -> bool:
    name = "".join(words(node.name))
    if name in _IDENTITY:
        return True
    holder = last_name(node.value)
    return holder in holders and name in _KNOWN
