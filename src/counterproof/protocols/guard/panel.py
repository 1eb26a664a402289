"""Compares several agents' claims: which of them concern one problem, and how many agents report it.

Two claims of one agent are two problems, however close they are (A39). So claims are matched one to one between agents,
nearest first, and no group contains two claims of one agent. Merging by proximity alone would lose the second of two
neighbouring flaws.

Invariant: pure; every claim is in exactly one group; the same input in the same order gives the same groups. Not handled here:
whether a claim is true.
"""

from collections import Counter
from dataclasses import dataclass

from counterproof.model.errors import InvalidValue
from counterproof.model.finding import Finding
from counterproof.model.kinship import kin

NEAR = 10
"""In lines. Agents cite the decorator, the signature or the call of one problem."""

SHARE = 3
"""One in three agents must agree: with fewer, guesses pass; with more, findings of only the better agents are lost."""


@dataclass(frozen=True, slots=True)
class Hand:
    """The claims of one agent."""

    agent: str
    claims: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """One problem with the claims of those who reported it, each agent once, in input order."""

    claims: tuple[tuple[str, Finding], ...]

    @property
    def agents(self) -> tuple[str, ...]:
        return tuple(agent for agent, _ in self.claims)

    @property
    def spokesman(self) -> Finding:
        """A representative claim that an agent actually made: of the most frequent weakness, with the median location."""
        counts = Counter(claim.cwe for _, claim in self.claims)
        named = min(counts, key=lambda cwe: (-counts[cwe], cwe))
        fitting = sorted((claim for _, claim in self.claims if claim.cwe == named), key=lambda claim: claim.location)
        return fitting[len(fitting) // 2]

    def distance(self, claim: Finding) -> int | None:
        """Lines between a claim and the nearest one of the group; None if it concerns something else."""
        first = self.claims[0][1]
        if first.location.path != claim.location.path or kin(first.cwe) != kin(claim.cwe):
            return None
        return min(abs(each.location.start - claim.location.start) for _, each in self.claims)


def aligned(hands: tuple[Hand, ...], near: int = NEAR) -> tuple[Shared, ...]:
    """The problems that these agents report, in order of first mention."""
    if len({hand.agent for hand in hands}) != len(hands):
        raise InvalidValue("two results are signed by one agent")
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
    """The group of each matching claim: nearest pairs first, each claim and each group once."""
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
    """How many agents must agree before a claim without other support is passed on."""
    return max(1, -(-agents // SHARE))
