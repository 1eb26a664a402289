"""A derivation worded as a finding.

Always holds: every line named exists and every quote is the line as it stands; a broken way lowers confidence. Does not belong
here: deciding whether there is something to report.
"""

from counterproof.analysis.backward.derivation import Derivation, Way
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.steps import arrival_of, steps_of
from counterproof.analysis.flow.findings import proof, remedy_for
from counterproof.analysis.flow.values import Source
from counterproof.analysis.proofs import broken_by, entry_guards, fact_at, handler_links, reach_of, step_fact, unknown_reach
from counterproof.model.finding import Finding
from counterproof.model.proof import Assumption, ConsideredGuard, Guess, Link, Part, Proof, Shape, Verdict
from counterproof.model.recon import EntryPoint
from counterproof.model.severity import Confidence, Rating


def finding_of(backward: Backward, derivation: Derivation) -> Finding:
    """The finding that the shortest open way shows."""
    rule = derivation.rule
    way = derivation.open_ways[0]
    entry = arrival_of(backward.program, derivation, way).entry
    where = derivation.at
    sure = way.broken is None and derivation.certain
    flow = backward.flow(way)
    poc, reason = proof(_source(way), derivation.rule.poc, entry, (step.code for step in flow.steps))
    return Finding(
        id="",
        rule=rule.id,
        title=rule.title,
        dimension=rule.dimension,
        cwe=rule.cwe,
        severity=rule.severity,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        location=where,
        evidence=backward.quotes.evidence(where),
        impact=rule.consequence,
        rating=Rating(reach_of(entry), rule.impact),
        function=derivation.function,
        source=f"{way.origin.text} at {way.origin.at}",
        sink=f"{derivation.call} at {where}",
        flow=flow,
        guards=tuple(f"passed {each.text} at {each.at}, which does not stop this" for each in way.defences),
        remedy=remedy_for(rule, backward.quotes.evidence(where)),
        poc=poc,
        no_poc_reason=reason,
        validation=steps_of(backward.program, derivation),
        proof=_proof(backward, derivation, way, entry),
    )


def _source(way: Way) -> Source:
    origin = way.origin
    return Source(origin.channel, origin.text, origin.parameter, origin.at.path, origin.at.start)


def _proof(backward: Backward, derivation: Derivation, way: Way, entry: EntryPoint | None) -> Proof:
    """The way as facts, origin first (A55)."""
    origin = fact_at(backward.program.project, way.origin.at)
    links = [*handler_links(backward.program.project, entry), *((Link(Part.ENTRY, origin),) if origin else ())]
    facts = (step_fact(backward.program.project, hop.kind, hop.path, hop.line, hop.symbol) for hop in way.hops)
    links += [Link(Part.STEP, fact) for fact in facts if fact is not None]
    sink = fact_at(backward.program.project, derivation.at)
    links += [Link(Part.SINK, sink)] if sink else []
    met = tuple(ConsideredGuard(each.label, Verdict.OTHER_ATTACK, each.at) for each in way.defences)
    unsure = () if derivation.certain else (Assumption(Guess.UNKNOWN_RECEIVER, derivation.call, derivation.at),)
    return Proof(
        Shape.FLOW,
        tuple(dict.fromkeys(links)),
        guards=(*entry_guards(entry), *met),
        assumptions=(*broken_by(way.broken, derivation.at), *unsure, *unknown_reach(entry)),
    )
