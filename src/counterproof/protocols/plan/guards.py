"""Keeps the loop from growing (P9): how many challenges enter, how many may be active, and what happens to the rest."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from counterproof.model.plan.challenge import Challenge, Raiser, Standing, Weight

MAX_FROM_RESEARCH = 2
MAX_ACTIVE = 8
SET_ASIDE = "DEFERRED_SURFACED"


@dataclass(frozen=True, slots=True)
class Admission:
    """The challenges that enter, those set aside (tagged and reported), and active ones that were displaced."""

    admitted: tuple[Challenge, ...]
    set_aside: tuple[Challenge, ...]
    displaced: tuple[Challenge, ...] = ()


def admit(
    fresh: Iterable[Challenge],
    standing: Iterable[Challenge],
    researched: int = 0,
    tightened: bool = False,
    proved: Collection[str] = (),
) -> Admission:
    """Admit new challenges, first those proved by analysis, then the most severe. `researched` counts those from modes 2 and 3
    in this iteration.

    A BLOCKING challenge always enters. After a degradation only proved ones do. Other challenges never keep a proved one out:
    the least severe of them is displaced (F19).
    """
    active = [each for each in standing if each.active]
    yielding = sorted((each for each in active if _yields(each, proved)), key=lambda each: -each.severity.rank)
    room = MAX_ACTIVE - len(active)
    sure_room = MAX_ACTIVE - sum(each.id in proved for each in active)
    from_research = MAX_FROM_RESEARCH - researched
    admitted: list[Challenge] = []
    aside: list[Challenge] = []
    displaced: list[Challenge] = []
    for each in sorted(fresh, key=lambda challenge: (challenge.id not in proved, challenge.severity.rank)):
        research = each.origin in (Raiser.SURFACED, Raiser.PROBED)
        sure = each.id in proved and sure_room > 0
        if sure and room <= 0 and yielding:
            displaced.append(yielding.pop(0))
            room += 1
        fits = (sure or (room > 0 and not tightened)) and (from_research > 0 or not research)
        if fits or each.severity is Weight.BLOCKING:
            sure_room -= sure
            admitted.append(each)
            room -= 1
            from_research -= research
        else:
            aside.append(each)
    return Admission(tuple(admitted), tuple(aside), tuple(displaced))


def _yields(challenge: Challenge, proved: Collection[str]) -> bool:
    return challenge.id not in proved and challenge.severity is not Weight.BLOCKING


def degraded(before: Iterable[Challenge], after: Iterable[Challenge], opening: Iterable[str]) -> bool:
    """True if more challenges were created than settled in this iteration; the opening brief does not count."""
    earlier = {each.id: each.status for each in before}
    ignored = set(opening)
    later = tuple(after)
    created = sum(each.id not in earlier and each.id not in ignored for each in later)
    settled = sum(_settled(each.status) and not _settled(earlier.get(each.id, Standing.OPEN)) for each in later)
    return created > settled


def _settled(status: Standing) -> bool:
    return status in (Standing.RESOLVED, Standing.DEFERRED, Standing.WITHDRAWN)
