"""A derivation worded as a finding.

Always holds: every line named exists and every quote is the line as it stands; a broken way lowers confidence. Does not belong
here: deciding whether there is something to report.
"""

from counterproof.analysis.backward.derivation import Derivation, Way
from counterproof.analysis.backward.derive import Backward
from counterproof.analysis.backward.steps import arrival_of, steps_of
from counterproof.analysis.flow.proof import proof
from counterproof.analysis.flow.values import Source
from counterproof.model.finding import Finding
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Confidence, Rating, Reach


def finding_of(backward: Backward, derivation: Derivation) -> Finding:
    """The finding that the shortest open way shows."""
    info = derivation.rule.info
    way = derivation.open_ways[0]
    entry = arrival_of(backward.program, derivation, way).entry
    where = derivation.at
    sure = way.broken is None and derivation.certain
    poc, reason = proof(_source(way), derivation.rule.poc, entry)
    return Finding(
        id="",
        rule=info.id,
        title=info.title,
        dimension=info.dimension,
        cwe=info.cwe,
        severity=info.severity,
        confidence=Confidence.HIGH if sure else Confidence.MEDIUM,
        location=where,
        evidence=backward.quotes.evidence(where),
        impact=info.consequence,
        rating=Rating(_reach(entry), info.impact),
        function=derivation.function,
        source=f"{way.origin.text} at {way.origin.at}",
        sink=f"{derivation.call} at {where}",
        flow=backward.flow(way),
        guards=tuple(f"passed {each.text} at {each.at}, which does not stop this" for each in way.defences),
        remedy=info.remedy,
        poc=poc,
        no_poc_reason=reason,
        validation=steps_of(backward.program, derivation),
    )


def _source(way: Way) -> Source:
    origin = way.origin
    return Source(origin.channel, origin.text, origin.parameter, origin.at.path, origin.at.start)


def _reach(entry: EntryPoint | None) -> Reach:
    return Reach.LOW_PRIVILEGE if entry is not None and entry.guard is Guard.PRESENT else Reach.ANONYMOUS
