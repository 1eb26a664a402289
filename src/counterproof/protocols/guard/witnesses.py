"""Two witnesses (A29): when a model and the analysers mean the same weakness, and what the analysers' word on a claim is worth.

Invariant: pure. How the analysers come to their word does not belong here, nor what becomes of a claim: see `standing`.
"""

from dataclasses import replace

from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import Judgement, Verdict

JUDGED = (Dimension.D2, Dimension.D3, Dimension.D9)
"""Here reading a place again shows that a check is absent, which is the claim itself; whether one is needed is a judgement, so it
counts as no second result."""

ABSENCES = (256, 257, 522)
"""The same for secrets that are kept or compared as they are: a second reading sees that nothing hashes them there, and not
whether they are kept there at all. Of such claims that a second reading bore out, one in twelve was true."""


def second_result(finding: Finding, derived: Judgement) -> Judgement:
    """What the analysers' judgement of a finding is worth. A finding of their own names its rule, and they judge it by another
    method. Of somebody else's claim that something is missing they can only say that the code looks as claimed: that confirms
    nothing, and whoever judges must say so."""
    missing = finding.dimension in JUDGED or finding.cwe in ABSENCES
    if derived.verdict is Verdict.CONFIRMED and not finding.rule and missing:
        return replace(derived, verdict=Verdict.DOWNGRADED)
    return derived


def corroboration_of(derived: Judgement | None) -> Corroboration:
    """What the analysers' own judgement of a claim's place says about the claim."""
    if derived is None or derived.verdict is Verdict.DOWNGRADED:
        return Corroboration.AGENT_ALONE
    return Corroboration.BOTH if derived.verdict is Verdict.CONFIRMED else Corroboration.CONTRADICTED
