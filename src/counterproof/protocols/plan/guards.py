"""What keeps the loop from growing (P9): how many challenges enter, how many may stand, and what happens to the rest."""

from collections.abc import Iterable
from dataclasses import dataclass

from counterproof.model.plan.challenge import Challenge, Origin, Standing, Weight

MAX_FROM_RESEARCH = 2
MAX_ACTIVE = 8
SET_ASIDE = "DEFERRED_SURFACED"


@dataclass(frozen=True, slots=True)
class Admission:
    """What enters and what is set aside, tagged and reported."""

    admitted: tuple[Challenge, ...]
    set_aside: tuple[Challenge, ...]


def admit(fresh: Iterable[Challenge], standing: Iterable[Challenge], researched: int = 0, tightened: bool = False) -> Admission:
    """Let new challenges in, the heaviest first. `researched` counts those that modes 2 and 3 brought this iteration.

    A BLOCKING one always enters. After a degradation nothing else does.
    """
    room = MAX_ACTIVE - sum(each.active for each in standing)
    from_research = MAX_FROM_RESEARCH - researched
    admitted: list[Challenge] = []
    aside: list[Challenge] = []
    for each in sorted(fresh, key=lambda challenge: challenge.severity.rank):
        research = each.origin in (Origin.SURFACED, Origin.PROBED)
        fits = room > 0 and not tightened and (from_research > 0 or not research)
        if fits or each.severity is Weight.BLOCKING:
            admitted.append(each)
            room -= 1
            from_research -= research
        else:
            aside.append(each)
    return Admission(tuple(admitted), tuple(aside))


def degraded(before: Iterable[Challenge], after: Iterable[Challenge], opening: Iterable[str]) -> bool:
    """More challenges were created than settled in this iteration; the opening brief does not count."""
    earlier = {each.id: each.status for each in before}
    ignored = set(opening)
    later = tuple(after)
    created = sum(each.id not in earlier and each.id not in ignored for each in later)
    settled = sum(_settled(each.status) and not _settled(earlier.get(each.id, Standing.OPEN)) for each in later)
    return created > settled


def _settled(status: Standing) -> bool:
    return status in (Standing.RESOLVED, Standing.DEFERRED, Standing.WITHDRAWN)
