"""The entry point through which data reaches a location: the enclosing handler, or a handler that leads there.

Invariant: the nearest entry point wins; ties are resolved by the order of the entry points. Not handled here: guards.
"""

from counterproof.analysis.flow.engine import Engine
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.values import Taint, steps_of
from counterproof.model.recon import EntryKind, EntryPoint

_WAYS_IN = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.RPC, EntryKind.QUEUE, EntryKind.CLI)


class EntryFinder:
    """Finds entry points by the functions that a flow passes through."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._functions: dict[str, list[FunctionInfo]] = {}
        for info in engine.index.functions:
            self._functions.setdefault(info.module.path, []).append(info)

    def of(self, taint: Taint) -> EntryPoint | None:
        """The entry point of a flow: the first one met along its steps."""
        for step in steps_of(taint.step):
            for info in self.around(step.path, step.line):
                for entry in self._engine.handlers.entries(info):
                    if entry.kind in _WAYS_IN:
                        return entry
        return None

    def around(self, path: str, line: int) -> list[FunctionInfo]:
        """Functions that enclose a line, innermost first."""
        inside = [each for each in self._functions.get(path, ()) if each.node.line <= line <= each.node.end]
        return sorted(inside, key=lambda each: -each.node.line)
