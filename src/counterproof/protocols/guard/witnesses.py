"""Two witnesses (A29): what a model says, and what the analysers establish on their own, which no text can talk round.

The rule: a model may add claims and doubts; it cannot take away what the analysers established. So an instruction hidden in
the code can make a model fall silent or lie, and the analysers' findings still stand.

Always holds: pure; every judgement that comes out carries reasons and a line of one of the witnesses. How the analysers come
to their word does not belong here.
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.model.dimension import Dimension
from counterproof.model.finding import Corroboration, Finding
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict

NEAR = 2

JUDGED = (Dimension.D2, Dimension.D3, Dimension.D9)
"""Here reading a place again shows that a check is absent, which is the claim itself; whether one is needed is a judgement, so it
counts as no second result."""

ABSENCES = (256, 257, 522)
"""The same for secrets that are kept or compared as they are: a second reading sees that nothing hashes them there, and not
whether they are kept there at all. Of such claims that a second reading bore out, one in twelve was true."""


def same_problem(claim: Finding, seen: Finding) -> bool:
    """One weakness at one place, whoever worded it. A sink may be cited a line or two apart."""
    one, other = claim.location, seen.location
    if one.path != other.path or claim.cwe != seen.cwe:
        return False
    return one.start <= other.end + NEAR and other.start <= one.end + NEAR


def paired(
    claims: tuple[Finding, ...], seen: tuple[Finding, ...], witness: Callable[[Finding], Corroboration]
) -> tuple[tuple[Finding, Corroboration], ...]:
    """What both saw, what the analysers saw alone, then what the agent claims alone or against them."""
    found: list[tuple[Finding, Corroboration]] = []
    matched: set[int] = set()
    for each in seen:
        agreeing = [index for index, claim in enumerate(claims) if same_problem(claim, each)]
        matched.update(agreeing)
        found.append((each, Corroboration.BOTH if agreeing else Corroboration.ANALYSERS_ALONE))
    found += [(claim, witness(claim)) for index, claim in enumerate(claims) if index not in matched]
    return tuple(found)


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


def reconciled(said: Judgement | None, derived: Judgement, finding: Finding, swayed: bool) -> Judgement | None:
    """The judgement of a validator that a model drives, beside the analysers' own. None: the model gave no word.

    `swayed`: the model met text that speaks to it, so what it says in the code's favour is not believed.
    """
    if derived.verdict is Verdict.CONFIRMED:
        return derived
    if said is None:
        return None
    if derived.verdict is Verdict.REJECTED:
        return replace(derived, verdict=Verdict.DOWNGRADED) if said.verdict is Verdict.CONFIRMED else derived
    if said.verdict is Verdict.CONFIRMED:
        return said
    established = finding.corroboration in (Corroboration.BOTH, Corroboration.ANALYSERS_ALONE)
    return derived if swayed or established else said


def reconciled_hit(said: HitJudgement | None, derived: HitJudgement, swayed: bool) -> HitJudgement | None:
    """The same for a hit of the baseline scan. Where the witnesses disagree a person decides."""
    if derived.verdict is HitVerdict.CONFIRMED:
        return derived
    if said is None:
        return None
    if derived.verdict is HitVerdict.REJECTED:
        if said.verdict is HitVerdict.CONFIRMED:
            return HitJudgement(derived.hit_id, HitVerdict.NEEDS_MANUAL, f"the witnesses disagree: {derived.reason}")
        return derived
    return derived if said.verdict is HitVerdict.REJECTED and swayed else said
