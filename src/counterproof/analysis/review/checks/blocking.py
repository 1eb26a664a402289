"""Blocking calls in async code: while one waits, nothing else of the event loop runs."""

from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.names import dotted
from counterproof.analysis.syntax.walk import children
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

_BLOCKING = {
    "time.sleep": "asyncio.sleep",
    "requests.get": "an async client",
    "requests.post": "an async client",
    "requests.put": "an async client",
    "requests.patch": "an async client",
    "requests.delete": "an async client",
    "requests.request": "an async client",
    "urllib.request.urlopen": "an async client",
    "subprocess.run": "asyncio.create_subprocess_exec",
    "subprocess.check_output": "asyncio.create_subprocess_exec",
    "subprocess.check_call": "asyncio.create_subprocess_exec",
    "os.system": "asyncio.create_subprocess_exec",
}


def blocking(view: View) -> Iterator[Claim]:
    """Such calls directly in the body of an `async def`."""
    for module, function in view.functions(tests=False):
        if not function.is_async:
            continue
        pending: list[ir.Node] = [*function.body]
        while pending:
            node = pending.pop(0)
            if isinstance(node, ir.Function | ir.Lambda | ir.Class):
                continue  # handed to a thread, as often as not
            pending += children(node)
            name = dotted(node.callee, module) if isinstance(node, ir.Call) else None
            if name in _BLOCKING and view.touches(module.path, node.line, node.end):
                yield Claim(
                    kind="blocking call in async code",
                    domain="io",
                    title=f"{name}() blocks the event loop",
                    severity=Severity.HIGH,
                    confidence=Confidence.HIGH,
                    at=at(module.path, node.line),
                    why=f"{function.name} is `async def`, and {name} waits without giving way: every other task of the loop "
                    "stands still until it returns, requests of other users included.",
                    fix=f"Use {_BLOCKING[name]}, or run the call in a thread",
                )
