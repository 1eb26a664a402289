"""Several agents' claims side by side: which of them speak of one problem, and how many agents say so.

The rule that matters: two claims of one agent are two problems, however near they lie (A39: nearness is not sameness). So claims
are matched one to one between agents, nearest first, and no group holds two of the same agent. Merging by nearness alone loses
the second of two neighbouring flaws.

Invariant: pure; every claim is in exactly one group; the same hands in the same order give the same groups. Whether a claim
is true does not belong here.
"""

from collections import Counter
from dataclasses import dataclass

from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.kinship import kin

NEAR = 10
"""Lines. Agents cite the decorator, the signature or the call of one problem."""

SHARE = 3
"""One in three must agree: with fewer, guesses get in; with more, what only the better agents see is lost."""


@dataclass(frozen=True, slots=True)
class Hand:
    """What one agent hands in."""

    agent: str
    claims: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """One problem as those who saw it put it, each agent once, in the order of the hands."""

    claims: tuple[tuple[str, Finding], ...]

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(agent for agent, _ in self.claims)

    @property
    def spokesman(self) -> Finding:
        """A claim that was really made: of the most named weakness, in the middle of the places."""
        counts = Counter(claim.cwe for _, claim in self.claims)
        named = min(counts, key=lambda cwe: (-counts[cwe], cwe))
        fitting = sorted((claim for _, claim in self.claims if claim.cwe == named), key=lambda claim: claim.location)
        return fitting[len(fitting) // 2]

    def distance(self, claim: Finding) -> int | None:
        """Lines between a claim and the nearest of the group; None where it is about something else."""
        first = self.claims[0][1]
        if first.location.path != claim.location.path or kin(first.cwe) != kin(claim.cwe):
            return None
        return min(abs(each.location.start - claim.location.start) for _, each in self.claims)


def aligned(hands: tuple[Hand, ...], near: int = NEAR) -> tuple[Shared, ...]:
    """The problems that these agents speak of, in the order in which they were first named."""
    if len({hand.agent for hand in hands}) != len(hands):
        raise InvalidValue("two hands are signed by one agent")
    groups: list[Shared] = []
    for hand in hands:
        matches = _matches(hand.claims, groups, near)
        for index, claim in enumerate(hand.claims):
            if index in matches:
                group = groups[matches[index]]
                groups[matches[index]] = Shared((*group.claims, (hand.agent, claim)))
            else:
                groups.append(Shared(((hand.agent, claim),)))
    return tuple(groups)


def _matches(claims: tuple[Finding, ...], groups: list[Shared], near: int) -> dict[int, int]:
    """For each claim that fits one, its group: nearest pairs first, each claim and each group once."""
    pairs: list[tuple[int, bool, int, int]] = []
    for index, claim in enumerate(claims):
        for number, group in enumerate(groups):
            lines = group.distance(claim)
            if lines is not None and lines <= near:
                named = any(each.cwe == claim.cwe for _, each in group.claims)
                pairs.append((lines, not named, index, number))
    found: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, index, number in sorted(pairs):
        if index not in found and number not in taken:
            found[index] = number
            taken.add(number)
    return found


def quorum_of(agents: int) -> int:
    """How many of so many agents must agree before a claim that nothing else supports is passed on."""
    return max(1, -(-agents // SHARE))
