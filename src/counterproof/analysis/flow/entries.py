"""The entry point through which data reaches a location: the enclosing handler, or a handler that leads there.

Invariant: the nearest entry point wins; ties are resolved by the order of the entry points. Not handled here: guards.
"""

from counterproof.analysis.flow.engine import Engine
from counterproof.analysis.flow.values import Taint, steps_of
from counterproof.analysis.syntax.walk import functions_around
from counterproof.model.recon import EntryKind, EntryPoint

_WAYS_IN = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.RPC, EntryKind.QUEUE, EntryKind.CLI)


class EntryFinder:
    """Finds entry points by the functions that a flow passes through."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def of(self, taint: Taint) -> EntryPoint | None:
        """The entry point of a flow: the first one met along its steps."""
        index = self._engine.index
        for step in steps_of(taint.step):
            module = index.modules.get(step.path)
            for function in functions_around(module, step.line) if module is not None else ():
                for entry in self._engine.handlers.entries(index.function_of(function)):
                    if entry.kind in _WAYS_IN:
                        return entry
        return None
