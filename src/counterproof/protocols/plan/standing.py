"""How a challenge's status may change (P5). A wish that breaks a rule is refused with the reason; the status stays."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from counterproof.model.plan.challenge import Basis, Challenge, Proposal, Standing, Weight

TRANSITIONS: dict[Standing, tuple[Standing, ...]] = {
    Standing.OPEN: (Standing.RESOLVED, Standing.UNRESOLVED, Standing.DEFERRED, Standing.WITHDRAWN),
    Standing.UNRESOLVED: (Standing.RESOLVED, Standing.UNRESOLVED, Standing.DEFERRED, Standing.WITHDRAWN),
    Standing.DEFERRED: (Standing.OPEN, Standing.RESOLVED, Standing.WITHDRAWN),
    Standing.RESOLVED: (Standing.OPEN,),
    Standing.WITHDRAWN: (),
}
"""From, to. Staying UNRESOLVED may add a mitigation; what was settled is opened again only on evidence."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a wish may lean on: ids and places that were checked, and challenges that the user answered."""

    evidence: Collection[str]
    answered: Collection[str]


def refusal(challenge: Challenge, wish: Proposal, known: Known) -> str:
    """Why this wish is refused; '' if it stands."""
    if wish.status not in TRANSITIONS[challenge.status]:
        return f"{challenge.id} cannot go from {challenge.status} to {wish.status}"
    if wish.status is Standing.DEFERRED and challenge.severity is not Weight.MINOR:
        return f"{challenge.id} is {challenge.severity}; only MINOR challenges are deferred"
    if wish.status in (Standing.RESOLVED, Standing.WITHDRAWN) and not wish.resolution.strip():
        return f"{challenge.id} is not {wish.status} without saying how"
    if challenge.status is Standing.RESOLVED and wish.basis is not Basis.EVIDENCE:
        return f"{challenge.id} was settled and is opened again only on evidence"
    return _baseless(challenge, wish, known)


def _baseless(challenge: Challenge, wish: Proposal, known: Known) -> str:
    if wish.basis is Basis.USER and challenge.id not in known.answered:
        return f"{challenge.id}: the user has not answered it"
    if wish.basis is Basis.EVIDENCE:
        if not wish.evidence:
            return f"{challenge.id}: the evidence is not named"
        missing = [each for each in wish.evidence if each not in known.evidence]
        if missing:
            return f"{challenge.id}: {missing[0][:200]} is not among what was checked"
    return ""


def moved(challenge: Challenge, wish: Proposal) -> Challenge:
    """The challenge after a wish that stands."""
    return replace(challenge, status=wish.status, resolution=wish.resolution.strip() or challenge.resolution)
