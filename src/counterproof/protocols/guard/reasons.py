"""The content required of a typed reason (A53, R37): more than repeating the finding.

One rule for code and documents, in audits and reviews. Invariant: pure; the engine checks elsewhere that the line does what the
reason says, and that the line is related to the finding. Not handled here: how many reasons are needed.
"""

import re
from dataclasses import dataclass

from counterproof.model.fact import Fact, Operation
from counterproof.model.location import Location

REPEATS = "its reason only repeats the finding"
UNRELATED = "its reason has nothing to do with the finding"

_TESTS = (Operation.COMPARE, Operation.BRANCH, Operation.RAISE)
_NAME = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Stated:
    """What a finding says itself: the `places` that it cites, the `sinks` of its proof, and its `words`."""

    places: tuple[Location, ...]
    sinks: tuple[Fact, ...] = ()
    words: str = ""

    def cites(self, line: Location) -> bool:
        return any(line.path == place.path and place.start <= line.start <= place.end for place in self.places)


def is_reason(fact: Fact, stated: Stated, against: bool = True) -> bool:
    """True if a fact says more than the finding: it is at another line, or at a line of the finding it is something else than
    the sink, a symbol that the finding does not name, or a test. A test there is a reason against the finding, not for it.
    A line without a grammar only repeats its words."""
    if not stated.cites(fact.at):
        return True
    if fact.operation is Operation.MENTION:
        return False
    if stated.sinks:
        return all((fact.operation, _last(fact.symbol)) != (sink.operation, _last(sink.symbol)) for sink in stated.sinks)
    if against and fact.operation in _TESTS:
        return True
    name = _last(fact.symbol)
    return bool(name) and name not in _NAME.findall(stated.words)


def _last(symbol: str) -> str:
    return symbol.strip().rpartition(".")[2]
