"""Loops over something that they change, loops that empty something without asking whether it is empty, and queries inside loops.

Always: a query counts if it is the same statement with another value each time; a loop that runs different ones has no other way.
"""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.review.expression_texts import written
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

_VIEWS = ("items", "keys", "values")
_SHRINKING = ("pop", "popitem", "clear", "remove", "discard", "add")
_TAKING = ("pop", "popleft")


def changed(view: View) -> Iterator[Claim]:
    """`for … in d.items(): del d[k]`, without a way out of the loop behind the change."""
    for module, function in view.functions():
        for loop in walk(*function.body):
            over = _iterated(loop) if isinstance(loop, ir.Loop) else ""
            if isinstance(loop, ir.Loop) and over and view.touches(module.path, loop.line, loop.end):
                line = _shrinks(loop.body, over)
                if line:
                    yield _changed_claim(module.path, loop.line, line, over, view)


def _iterated(loop: ir.Loop) -> str:
    """The thing itself, or a view of a mapping; a copy is another thing."""
    over = loop.iterable
    if isinstance(over, ir.Call) and isinstance(over.callee, ir.Attribute) and over.callee.name in _VIEWS and not over.arguments:
        return written(over.callee.value)
    return written(over) if isinstance(over, ir.Name | ir.Attribute) else ""


def _shrinks(block: tuple[ir.Statement, ...], over: str) -> int:
    """The line that takes something away, unless the same block leaves the loop afterwards."""
    for index, statement in enumerate(block):
        leaves = any(isinstance(each, ir.Return | ir.Raise | ir.Jump) for each in block[index + 1 :])
        if _removes(statement, over) and not leaves:
            return statement.line
        if isinstance(statement, ir.If):
            for inner in (*(each.body for each in statement.branches), statement.otherwise):
                line = 0 if leaves else _shrinks(inner, over)
                if line:
                    return line
    return 0


def _removes(statement: ir.Statement, over: str) -> bool:
    if isinstance(statement, ir.Delete):
        return any(isinstance(each, ir.Index) and written(each.value) == over for each in statement.targets)
    call = statement.value if isinstance(statement, ir.ExprStatement | ir.Assign) else None
    if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Attribute) or call.callee.name not in _SHRINKING:
        return False
    return written(call.callee.value) == over and not (call.callee.name == "pop" and not call.arguments)


def _changed_claim(path: str, loop: int, line: int, over: str, view: View) -> Claim:
    return Claim(
        kind="changed while it is iterated",
        title=f"{over} changes while the loop goes over it",
        severity=Severity.HIGH,
        at=at(path, line if view.touches(path, line, line) else loop),
        why=f"The loop at line {loop} goes over {over}, and line {line} changes its size. A mapping or a set raises a "
        "RuntimeError at the next step; a list skips the element behind each one that is taken away.",
        fix="Go over a copy (`list(…)`), or gather what has to go and take it away afterwards",
    )


def emptied(view: View) -> Iterator[Claim]:
    """`while True:` that takes from a collection in its first statement, and nowhere looks whether there is anything left."""
    for module, function in view.functions(tests=False):
        for loop in walk(*function.body):
            if not isinstance(loop, ir.Loop) or not _endless(loop) or not loop.body:
                continue
            taken = _taken(loop.body[0])
            touched = taken and view.touches(module.path, loop.line, loop.body[0].end)
            if touched and _local(function, taken) and not _looked_at(loop.body[1:], taken):
                yield _emptied_claim(module.path, loop.line, taken)


def _endless(loop: ir.Loop) -> bool:
    return loop.target is None and isinstance(loop.test, ir.Const) and bool(loop.test.value)


def _taken(statement: ir.Statement) -> str:
    call = statement.value if isinstance(statement, ir.Assign | ir.ExprStatement) else None
    if not isinstance(call, ir.Call) or not isinstance(call.callee, ir.Attribute) or call.callee.name not in _TAKING:
        return ""
    return call.callee.value.id if isinstance(call.callee.value, ir.Name) else ""


def _local(function: ir.Function, name: str) -> bool:
    """Made in this function, so that nobody else fills it."""
    return any(
        isinstance(node, ir.Assign) and any(isinstance(each, ir.Name) and each.id == name for each in node.targets)
        for node in function.body
    )


def _looked_at(rest: tuple[ir.Statement, ...], name: str) -> bool:
    """Whether some condition speaks of the collection."""
    for node in walk(*rest):
        tests: list[ir.Expr | None] = []
        if isinstance(node, ir.Branch | ir.Conditional) or (isinstance(node, ir.Loop) and node.test is not None):
            tests = [node.test]
        if any(isinstance(each, ir.Name) and each.id == name for test in tests if test for each in walk(test)):
            return True
    return False


def _emptied_claim(path: str, line: int, name: str) -> Claim:
    return Claim(
        kind="emptied without an end",
        title=f"the loop takes from {name} until it is empty, and then once more",
        severity=Severity.MEDIUM,
        at=at(path, line),
        why=f"`while True` takes an element of {name} in each round and nothing asks whether there is one. When no other way "
        "out is met, the last round raises an IndexError.",
        fix=f"Let the loop run `while {name}:`",
    )


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
        title=f"{what} for each element of a loop"[:200],
        severity=Severity.MEDIUM,
        confidence=Confidence.MEDIUM,
        at=Location(path, call.line, call.line),
        why=f"The loop at {at(path, loop.line)} makes {what} with each element. "
        "Each costs a round trip, so the time that this takes grows with the data.",
        fix="Ask once for all elements before the loop, or in batches",
    )
