"""The work that a model's submission proves: cited files, followed flows (A52, A59)."""

from counterproof.model.contract import AgentReply
from counterproof.model.finding import Finding
from counterproof.model.ledger import Trace
from counterproof.model.location import Location
from counterproof.model.proof import Guess, Proof, Shape


def files_cited(reply: AgentReply) -> frozenset[str]:
    """Files that a reply cites with a line."""
    flows = [*reply.flows, *(each.flow for each in reply.findings if each.flow)]
    return frozenset((
        *(each.location.path for each in reply.findings),
        *(step.location.path for flow in flows for step in flow.steps),
        *(each.file for each in reply.false_positives),
        *(each.at.path for each in reply.answers),
        *(each.at.path for each in reply.judgements if each.at),
    ))  # fmt: skip


def places_of(finding: Finding) -> tuple[Location, ...]:
    """The locations of a finding, and of the steps that lead there."""
    return (finding.location, *(step.location for step in (finding.flow.steps if finding.flow else ())))


def trace_of(finding: Finding, proof: Proof | None) -> tuple[Trace, ...]:
    """The trace represented by a stated flow: complete if the checker confirmed every fact and every hop."""
    if proof is None or proof.shape is not Shape.FLOW:
        return ()
    kind = f"CWE-{finding.cwe}"
    open_points = [each for each in proof.open_points if each.guess is not Guess.NO_ANALYST]
    if not open_points:
        return (Trace(finding.dimension, kind, finding.location, True, origin=str(proof.links[0].fact)),)
    return (Trace(finding.dimension, kind, finding.location, False, broken_by=open_points[0].guess.value),)
