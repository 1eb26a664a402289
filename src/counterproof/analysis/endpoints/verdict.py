"""Whether something checks who is calling, with the line that says so. What could not be decided is unknown, never absent."""

from collections.abc import Iterable
from dataclasses import dataclass

from counterproof.analysis.outline.words import vocabulary, words
from counterproof.model.recon import Guard


@dataclass(frozen=True, slots=True)
class Verdict:
    """`evidence` is `file:line what`, '' where nothing was found."""

    guard: Guard
    evidence: str = ""


_RIGHTS = vocabulary("admin administrator role roles staff superuser permission permissions")
"""Words of guards that ask for more than a login."""

OPEN = Verdict(Guard.ABSENT)


def present(path: str, line: int, what: str) -> Verdict:
    return Verdict(Guard.PRESENT, f"{path}:{line} {what}")


def unknown(path: str, line: int, what: str) -> Verdict:
    return Verdict(Guard.UNKNOWN, f"{path}:{line} {what}")


def strongest(verdicts: Iterable[Verdict]) -> Verdict:
    """One guard on the way is enough, and of several the one that asks for most; failing that, one doubt is enough to leave the
    question open."""
    every = list(verdicts)
    for wanted in (Guard.PRESENT, Guard.UNKNOWN):
        found = [verdict for verdict in every if verdict.guard is wanted]
        if found:
            return next((each for each in found if _RIGHTS & {*words(each.evidence.partition(" ")[2])}), found[0])
    return OPEN
