"""How a challenge's status may change (P5, P19). A proposal that breaks a rule is rejected with the reason; the status stays."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace

from counterproof.model.plan.challenge import Basis, Challenge, Proposal, Standing, Weight

TRANSITIONS: dict[Standing, tuple[Standing, ...]] = {
    Standing.OPEN: (Standing.RESOLVED, Standing.UNRESOLVED, Standing.DEFERRED, Standing.WITHDRAWN),
    Standing.UNRESOLVED: (Standing.RESOLVED, Standing.UNRESOLVED, Standing.DEFERRED, Standing.WITHDRAWN),
    Standing.DEFERRED: (Standing.OPEN, Standing.RESOLVED, Standing.WITHDRAWN),
    Standing.RESOLVED: (Standing.OPEN,),
    Standing.WITHDRAWN: (),
}
"""From status to allowed statuses. Staying UNRESOLVED may add a mitigation; a settled challenge is reopened only on evidence."""
_SETTLED = (Standing.RESOLVED, Standing.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Known:
    """The evidence that proposals may use. `evidence`: ids and locations that were checked. `decided`: challenges that the
    user decided. `refuting`: for each challenge the unknowns that refute it with a verified quotation. `proved`: challenges
    raised by analysis; `established`: unknowns that it settled."""

    evidence: Collection[str]
    decided: Collection[str] = ()
    refuting: Mapping[str, Collection[str]] = field(default_factory=dict[str, Collection[str]])
    proved: Collection[str] = ()
    established: Collection[str] = ()


def refusal(challenge: Challenge, wish: Proposal, known: Known) -> str:
    """Why this proposal is rejected; '' if it is accepted."""
    if wish.status not in TRANSITIONS[challenge.status]:
        return f"{challenge.id} cannot go from {challenge.status} to {wish.status}"
    if wish.status is Standing.DEFERRED and challenge.severity is not Weight.MINOR:
        return f"{challenge.id} is {challenge.severity}; only MINOR challenges are deferred"
    if challenge.status is Standing.RESOLVED and wish.basis is not Basis.EVIDENCE:
        return f"{challenge.id} was resolved and can be reopened only with new evidence"
    return _baseless(challenge, wish, known) or (_unsettled(challenge, wish, known) if wish.status in _SETTLED else "")


def _baseless(challenge: Challenge, wish: Proposal, known: Known) -> str:
    if wish.basis is Basis.USER and challenge.id not in known.decided:
        return f"{challenge.id}: it is still waiting for the user's decision"
    if wish.basis is Basis.EVIDENCE:
        if not wish.evidence:
            return f"{challenge.id}: no evidence is named"
        missing = [each for each in wish.evidence if each not in known.evidence]
        if missing:
            return f"{challenge.id}: {missing[0][:200]} is not among the verified evidence"
    return ""


def _unsettled(challenge: Challenge, wish: Proposal, known: Known) -> str:
    """Why a challenge stays: only the user's decision or refuting evidence settles one (P19), and one proved by analysis is
    refuted only by facts that analysis established (F19)."""
    if not wish.resolution.strip():
        return f"{challenge.id} cannot become {wish.status} without saying how"
    if wish.basis is Basis.USER:
        return ""
    if wish.basis is Basis.DEBATE:
        return f"{challenge.id} can only be resolved by evidence or by the user's decision, not by debate"
    refuting = [each for each in wish.evidence if each in known.refuting.get(challenge.id, ())]
    if not refuting:
        return f"{challenge.id}: none of the evidence refutes it with text found at its source"
    if challenge.id in known.proved and not any(each in known.established for each in refuting):
        return f"{challenge.id} was proved from the code; only evidence that the code confirms can refute it"
    return ""


def moved(challenge: Challenge, wish: Proposal) -> Challenge:
    """The challenge after an accepted proposal."""
    return replace(challenge, status=wish.status, resolution=wish.resolution.strip() or challenge.resolution)
