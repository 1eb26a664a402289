"""Which evidence concerns the location of a challenge, and which challenges are one concern (P22).

Invariant: decided by locations and lines alone, never by wording. A quotation from elsewhere may be true but settles nothing;
the same concern from several roles is one challenge.
"""

from collections.abc import Iterable

from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.contract import Grounds
from counterproof.model.plan.research import Unknown, quoted, verified

NEAR = 5
"""The lines around a location that belong to it."""


def cites(unknown: Unknown, ground: Grounds) -> bool:
    """True if an answer quotes the location that a challenge rests on, or a word that the challenge says does not occur."""
    parts = verified(unknown.finding)
    if parts is None:
        return False
    own = [_placed(each) for each in (*ground.places, *ground.plan_sources)]
    path, line = _placed(parts.source)
    near = any(path == other and abs(line - at) <= NEAR for other, at in own)
    return near or any(word in quoted(parts.finding) for word in ground.search)


def repeats(fresh: Challenge, ground: Grounds, known: Iterable[tuple[Challenge, Grounds]]) -> str:
    """The id of the challenge that a new one repeats: it says the same, or concerns the same lines of the plan and adds no
    location; '' if it is new."""
    for challenge, other in known:
        same = " ".join(fresh.claim.lower().split()) == " ".join(challenge.claim.lower().split())
        lines = set(ground.plan_lines) & set(other.plan_lines)
        shared = set(ground.sources) & set(other.sources)
        if (same or (lines and shared)) and not set(ground.sources) - set(other.sources):
            return challenge.id
        if lines and shared and challenge.iteration_introduced == fresh.iteration_introduced:
            return challenge.id
    return ""


def joined(ground: Grounds, added: Iterable[Grounds]) -> Grounds:
    """The grounds of a challenge with those of the challenges that repeat it."""
    own = [ground, *(each for each in added if each.challenge_id == ground.challenge_id)]
    return Grounds(
        ground.challenge_id,
        tuple(dict.fromkeys(line for each in own for line in each.plan_lines)),
        tuple(dict.fromkeys(place for each in own for place in each.places)),
        tuple(dict.fromkeys(word for each in own for word in each.search)),
    )


def _placed(source: str) -> tuple[str, int]:
    path, _, line = source.rpartition(":")
    return (path, int(line)) if line.isdigit() else (source, 0)
