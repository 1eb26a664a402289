"""Two witnesses (A29): whether a model and the analysers describe the same weakness, and the weight of the analysers'
judgement of a claim.

Invariant: pure. Not handled here: how the analysers judge, and the fate of a claim (see `standing`).
"""

from dataclasses import replace

from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import Judgement, Verdict

JUDGED = (Dimension.D2, Dimension.D3, Dimension.D9)
"""For these, re-reading a location only repeats the claim that a check is absent; whether one is needed is a judgement, so
re-reading is no second result."""

ABSENCES = (256, 257, 522)
"""The same for secrets stored or compared in plain text: re-reading shows only that no hash is used there, not that secrets
are stored at all. One in twelve of the claims confirmed that way was true."""


def second_result(finding: Finding, derived: Judgement) -> Judgement:
    """The weight of the analysers' judgement of a finding. Their own findings name a rule, and are judged by another method.
    For another's claim that something is missing they can only say that the code looks as claimed, which confirms nothing; the
    judgement must say so."""
    missing = finding.dimension in JUDGED or finding.cwe in ABSENCES
    if derived.verdict is Verdict.CONFIRMED and not finding.rule and missing:
        return replace(derived, verdict=Verdict.DOWNGRADED)
    return derived


def corroboration_of(derived: Judgement | None) -> Corroboration:
    """The analysers' own judgement of a claim's location."""
    if derived is None or derived.verdict is Verdict.DOWNGRADED:
        return Corroboration.AGENT_ALONE
    return Corroboration.BOTH if derived.verdict is Verdict.CONFIRMED else Corroboration.CONTRADICTED
