"""Bringing together what one request writes and another reads.

Always holds: the write must be of the same table or model and of the same column, as far as columns are known. Does not belong
here: wording.
"""

from collections.abc import Sequence

from counterproof.analysis.flow.sources import LOCAL_CHANNELS
from counterproof.analysis.flow.values import STORED, Source, Step, StepKind, Taint, steps_of
from counterproof.model.flow import Break

MAX_WRITES = 50
"""Writes kept per place; the first ones win."""


class Writes:
    """Request data that goes into stores, by place."""

    def __init__(self) -> None:
        self._by_place: dict[str, list[tuple[str, Taint, tuple[str, int]]]] = {}

    def take(self, call: str, taints: tuple[Taint, ...], path: str, line: int) -> None:
        place, _, column = call.partition("\n")
        known = self._by_place.setdefault(place, [])
        for taint in taints:
            source = taint.origin
            if not isinstance(source, Source) or source.channel in (STORED, *LOCAL_CHANNELS) or taint.broken:
                continue  # a write that had to be guessed explains nothing
            if len(known) < MAX_WRITES:
                known.append((column, taint, (path, line)))

    def explained(self, read: Taint) -> list[Taint]:
        """The ways on which request data comes into what is read back; empty where the code shows none."""
        source = read.origin
        if not isinstance(source, Source) or source.channel != STORED:
            return [read]
        found = self._found(source.name) if not read.broken else ()
        return [
            _through(written, read, source, at)
            for column, written, at in found
            if not column or not source.parameter or column.lower() == source.parameter.lower()
        ]

    def _found(self, place: str) -> Sequence[tuple[str, Taint, tuple[str, int]]]:
        """The writes of a place. Django calls the table of a model by its application and the model: `board_article`."""
        if place in self._by_place or "_" not in place:
            return self._by_place.get(place, ())
        model = place.rpartition("_")[2].lower()
        return next((writes for name, writes in self._by_place.items() if name.lower() == model and name != model), ())


def _through(written: Taint, read: Taint, source: Source, at: tuple[str, int]) -> Taint:
    """One way: from the request into the store, and from there to the reader."""
    name = f"{source.name}.{source.parameter}" if source.parameter else source.name
    chain = Step(StepKind.CALL, at[0], at[1], f"stored in {name}", written.step)
    for step in steps_of(read.step):
        kind = StepKind.ASSIGN if step.kind is StepKind.SOURCE else step.kind
        chain = Step(kind, step.path, step.line, step.note, chain, step.symbol)
    return Taint(written.origin, written.passed | read.passed, chain, written.broken or read.broken or Break.ASYNC_BOUNDARY)
