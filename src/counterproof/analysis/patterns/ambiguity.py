"""How fast the number of ways to match a text grows with its length: exponentially, or as a power of it.

Exponential: a repetition that can match the same text in two ways and return to the same state. Power: consecutive repetitions
that match the same character, so that a run of it can be split in many ways. Both cost time only if the match can still fail
afterwards. Invariant: steps are bounded; in doubt a pattern is harmless. Not handled here: parsing patterns.
"""

from collections import deque
from dataclasses import dataclass
from functools import lru_cache

from counterproof.analysis.patterns.automaton import Automaton, automaton

MAX_STEPS = 60_000

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """`exponential`, or the `degree` of the power: 1 if a text is read once from each start, 2 and more otherwise.

    `searched` is the degree if a match may start anywhere, so that a run of characters is tried from each of its characters."""

    exponential: bool
    degree: int
    searched: int


HARMLESS = Ambiguity(False, 1, 1)


@lru_cache(maxsize=4_096)
def ambiguity(pattern: str, flags: int = 0) -> Ambiguity:
    """The worst-case matching cost of this pattern on a failing text."""
    graph = automaton(pattern, flags)
    if graph is None:
        return HARMLESS
    following = _following(graph)
    exponential = any(_doubles(graph, component, following) for component in _components(following))
    return Ambiguity(exponential, *_degrees(graph, following))


def _following(graph: Automaton) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in graph.takes]
    for source, target in sorted(graph.edges):
        found[source].append(target)
    return found


def _components(following: list[list[int]]) -> list[frozenset[int]]:
    """Strongly connected states: states that lead back to themselves, with all states between."""
    reach = [_reached(following, place) for place in range(len(following))]
    seen: set[int] = set()
    found: list[frozenset[int]] = []
    for place, reached in enumerate(reach):
        if place in reached and place not in seen:
            together = frozenset(each for each in reached if place in reach[each])
            seen |= together
            found.append(together)
    return found


def _reached(following: list[list[int]], start: int) -> set[int]:
    found: set[int] = set()
    pending = list(following[start])
    while pending:
        place = pending.pop()
        if place not in found:
            found.add(place)
            pending += following[place]
    return found


def _doubles(graph: Automaton, component: frozenset[int], following: list[list[int]]) -> bool:
    """Return True if some text leads from a state of a repetition back to it in two ways, and the match may fail afterwards."""
    if component & set(graph.last):
        return False
    if any(graph.edges[source, target] > 1 for source in component for target in following[source] if target in component):
        return True
    forward: dict[Pair, list[Pair]] = {}
    back: dict[Pair, list[Pair]] = {}
    pending = deque((place, place) for place in sorted(component))
    seen = set(pending)
    steps = 0
    while pending:
        pair = pending.popleft()
        forward[pair] = _steps(graph, component, following, pair)
        steps += len(forward[pair])
        if steps > MAX_STEPS:
            return False
        for after in forward[pair]:
            back.setdefault(after, []).append(pair)
            if after not in seen:
                seen.add(after)
                pending.append(after)
    return _meets_again(back, component)


def _steps(graph: Automaton, component: frozenset[int], following: list[list[int]], pair: Pair) -> list[Pair]:
    ones = [each for each in following[pair[0]] if each in component]
    others = [each for each in following[pair[1]] if each in component]
    return [(one, other) for one in ones for other in others if graph.takes[one] & graph.takes[other]]


def _meets_again(back: dict[Pair, list[Pair]], component: frozenset[int]) -> bool:
    """Return True if two different states, reached by one text from one state, lead to one state again."""
    pending = [(place, place) for place in component]
    seen = set(pending)
    while pending:
        for before in back.get(pending.pop(), ()):
            if before[0] != before[1]:
                return True
            if before not in seen:
                seen.add(before)
                pending.append(before)
    return False


def _degrees(graph: Automaton, following: list[list[int]]) -> tuple[int, int]:
    """The longest sequence of repetitions that match the same character, followed by something that can fail; and the same for a
    search, plus one if the pattern may start with that character."""
    most = searched = 1
    for sign in _signs(graph):
        taking = frozenset(place for place, takes in enumerate(graph.takes) if takes & sign)
        longest = _rows(graph, following, taking)
        most = max(most, max(longest.values(), default=0))
        if not graph.anchored and not _begins_once(graph, taking, sign):
            searched = max(searched, *(1 + longest[place] for place in graph.first if place in taking), 1)
    return most, max(most, searched)


def _begins_once(graph: Automaton, taking: frozenset[int], sign: int) -> bool:
    """Return True if a search cannot start inside a run that a repetition matches: `(?<! ) +$`, but not `(?<! ) .*$`."""
    repeated = (graph.takes[place] for place in taking if graph.edges[place, place])
    return bool(graph.never_after & sign) and not any(takes & ~graph.never_after for takes in repeated)


def _signs(graph: Automaton) -> list[int]:
    """One character for each group of characters that no set of the pattern distinguishes."""
    repeated = 0
    for place, takes in enumerate(graph.takes):
        repeated |= takes if graph.edges[place, place] else 0
    groups = [repeated]
    for takes in {*graph.takes}:
        groups = [part for group in groups for part in (group & takes, group & ~takes) if part]
    return [group & -group for group in groups if group]


def _rows(graph: Automaton, following: list[list[int]], taking: frozenset[int]) -> dict[int, int]:
    """The most repetitions on one path through these states, from each. States are numbered in pattern order."""
    longest: dict[int, int] = {}
    for place in sorted(taking, reverse=True):
        own = 1 if graph.edges[place, place] else 0
        after = [longest[each] for each in following[place] if each > place and each in longest]
        ends = place in graph.last
        longest[place] = own + max(after, default=0) if not ends or after else -99
    return longest
