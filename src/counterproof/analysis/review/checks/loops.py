"""Queries inside loops: one round trip for each element where one for all would do.

Always: the same statement with another value each time; a loop that runs different statements has no other way.
"""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location, at
from counterproof.model.severity import Confidence, Severity

_QUERIES = ("get", "filter", "exclude", "create", "get_or_create", "update_or_create", "count", "exists", "first")
_REQUESTS = (
    "requests.get",
    "requests.post",
    "requests.put",
    "requests.delete",
    "httpx.get",
    "httpx.post",
    "urllib.request.urlopen",
)
_EXECUTE = ("execute", "executemany", "scalar", "scalars")
_CONNECTIONS = ("cursor", "cur", "conn", "connection", "session", "db")


def asked_in_loop(view: View) -> Iterator[Claim]:
    """Calls in a `for` loop that depend on its element."""
    for module, function in view.functions(tests=False):
        if "/migrations/" in f"/{module.path}":
            continue  # run once, over what is there
        for loop in walk(*function.body):
            if isinstance(loop, ir.Loop) and loop.target is not None and not _fixed(loop.iterable):
                yield from _in(view, module, loop)


def _fixed(iterable: ir.Expr | None) -> bool:
    """A literal or a short range is no growing collection."""
    if isinstance(iterable, ir.Sequence):
        return True
    return isinstance(iterable, ir.Call) and isinstance(iterable.callee, ir.Name) and iterable.callee.id == "range"


def _in(view: View, module: ir.Module, loop: ir.Loop) -> Iterator[Claim]:
    names = {node.id for node in walk(loop.target) if isinstance(node, ir.Name)} if loop.target else set[str]()
    leaves = any(isinstance(each, ir.Return | ir.Jump) and getattr(each, "kind", "break") == "break" for each in walk(*loop.body))
    if leaves:
        return  # a search that ends at the first hit
    for node in walk(*loop.body):
        if not isinstance(node, ir.Call):
            continue
        what = _asks(node)
        if what and view.touches(module.path, node.line, node.end) and _depends(node, names):
            yield _claim(module.path, node, loop, what)
            return


def _depends(call: ir.Node, names: set[str]) -> bool:
    return any(isinstance(node, ir.Name) and node.id in names for node in walk(call))


def _asks(call: ir.Call) -> str:
    if not isinstance(call.callee, ir.Attribute):
        return ""
    owner = call.callee.value
    if call.callee.name in _QUERIES and isinstance(owner, ir.Attribute) and owner.name == "objects":
        return f"a query (objects.{call.callee.name})"
    if call.callee.name in _EXECUTE and len(call.arguments) > 1 and isinstance(owner, ir.Name | ir.Attribute):
        last = owner.id if isinstance(owner, ir.Name) else owner.name
        return f"a query ({last}.{call.callee.name})" if last in _CONNECTIONS else ""
    return ""


def _claim(path: str, call: ir.Call, loop: ir.Loop, what: str) -> Claim:
    return Claim(
        kind="query in a loop",
        domain="io",
        title=f"{what} for each element of a loop"[:200],
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        at=Location(path, call.line, call.line),
        why=f"The loop at {at(path, loop.line)} makes {what} with each element. "
        "Each costs a round trip, so the time that this takes grows with the data.",
        fix="Ask once for all elements before the loop, or in batches",
    )
