"""The content required of a typed reason (A53, R37): more than repeating the finding's sink.

One rule for audits, reviews and plans. Invariant: pure; the engine has already checked that the line does what the reason
says. Not handled here: how many reasons are needed.
"""

from counterproof.model.fact import Fact, Operation
from counterproof.model.finding import Finding
from counterproof.model.proof import Part

_TESTS = (Operation.COMPARE, Operation.BRANCH, Operation.RAISE)


def is_reason(fact: Fact, finding: Finding) -> bool:
    """True if a fact can be used against a finding. Repeating the finding's sink is not enough; if no proof names the sink,
    only a test at the finding's own lines is enough."""
    place = finding.location
    if fact.at.path != place.path or not place.start <= fact.at.start <= place.end:
        return True
    sinks = [link.fact for link in finding.proof.links if link.part is Part.SINK] if finding.proof else []
    if not sinks:
        return fact.operation in _TESTS
    return all((fact.operation, _last(fact.symbol)) != (sink.operation, _last(sink.symbol)) for sink in sinks)


def _last(symbol: str) -> str:
    return symbol.rpartition(".")[2]
