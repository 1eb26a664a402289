"""Attack chains (A34): every pair of grave findings from different agents is asked whether one gives what the other needs.

An agent that hunts several dimensions looks at each by itself, so its findings in different dimensions count as different
hunts; only two findings of one dimension by one and the same agent are not a pair. So small teams have chains too.

What a weakness yields and needs is data, by CWE. A finding that only a logged-in caller can reach needs a way to become one.
For each finding that needs something, the strongest giver is kept, so that a chain is a story and not a cross product.
"""

from dataclasses import dataclass
from itertools import combinations

from counterproof.model.chain import Chain, Link
from counterproof.model.finding import Finding
from counterproof.model.severity import Reach, Severity
from counterproof.protocols.audit.severity import CHAIN_MEMBER, CHAIN_ROOT, calibrate, level

CREDENTIALS = "credentials"
SESSION = "a victim's session"
PRIVILEGE = "a privileged function"
DATABASE = "the database's content"
FILE_READ = "files of the server"
FILE_WRITE = "a file on the server"
INTERNAL = "the internal network"

MAX_LINKS = 3

YIELDS: dict[int, tuple[str, ...]] = {
    22: (FILE_READ,),
    73: (FILE_READ,),
    79: (SESSION,),
    89: (DATABASE, CREDENTIALS),
    256: (CREDENTIALS,),
    259: (CREDENTIALS,),
    284: (PRIVILEGE,),
    287: (PRIVILEGE,),
    306: (PRIVILEGE,),
    307: (CREDENTIALS,),
    312: (CREDENTIALS,),
    328: (CREDENTIALS,),
    330: (SESSION,),
    338: (SESSION,),
    345: (PRIVILEGE,),
    347: (PRIVILEGE,),
    384: (SESSION,),
    434: (FILE_WRITE,),
    522: (CREDENTIALS,),
    611: (FILE_READ, INTERNAL),
    639: (PRIVILEGE,),
    798: (CREDENTIALS,),
    862: (PRIVILEGE,),
    863: (PRIVILEGE,),
    916: (CREDENTIALS,),
    918: (INTERNAL,),
    943: (DATABASE, CREDENTIALS),
}

NEEDS: dict[int, tuple[str, ...]] = {
    256: (DATABASE,),
    312: (DATABASE, FILE_READ),
    327: (DATABASE,),
    328: (DATABASE,),
    522: (DATABASE,),
    916: (DATABASE,),
}

ENTRY = (CREDENTIALS, SESSION, PRIVILEGE)
"""Any of these turns an anonymous attacker into a caller who is let in."""


@dataclass(frozen=True, slots=True)
class Chained:
    """The chains that were found and how many pairs were asked."""

    chains: tuple[Chain, ...]
    pairs_checked: int


def needs(finding: Finding) -> tuple[str, ...]:
    entry = () if finding.rating.reach is Reach.ANONYMOUS else ENTRY
    return NEEDS.get(finding.cwe, ()) + entry


def yields(finding: Finding) -> tuple[str, ...]:
    return YIELDS.get(finding.cwe, ())


def grave(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Critical and High, by the finder's own word; calibration comes later."""
    return tuple(each for each in findings if each.severity.rank >= Severity.HIGH.rank)


def separate(one: Finding, other: Finding) -> bool:
    """Two findings that no single hunt brought in."""
    if one.id == other.id:
        return False
    return one.dimension is not other.dimension or len({*one.found_by, *other.found_by}) > 1


def link(first: Finding, then: Finding) -> Link | None:
    """The link from one finding to another, if there is one and they come from different hunts."""
    if not separate(first, then):
        return None
    capability = next((each for each in yields(first) if each in needs(then)), "")
    return Link(first.id, then.id, capability) if capability else None


def links(findings: tuple[Finding, ...]) -> tuple[Link, ...]:
    """All links between grave findings, in order."""
    serious = grave(findings)
    found = (link(first, then) for first in serious for then in serious)
    return tuple(each for each in found if each)


def chained(findings: tuple[Finding, ...]) -> Chained:
    """Chains for every grave finding that another one opens, strongest giver first; longer where givers need givers."""
    points = {finding.id: calibrate(finding).total for finding in findings}
    givers: dict[str, Link] = {}
    for each in links(findings):
        best = givers.get(each.then)
        if best is None or (points[each.first], best.first) > (points[best.first], each.first):
            givers[each.then] = each
    chains = [_chain(each, givers, points) for each in sorted(givers)]
    used_inside = {link_.then for chain in chains for link_ in chain.links[:-1]}
    kept = tuple(chain for chain in chains if chain.members[-1] not in used_inside)
    return Chained(kept, sum(separate(one, other) for one, other in combinations(grave(findings), 2)))


def _chain(end: str, givers: dict[str, Link], points: dict[str, int]) -> Chain:
    """From `end` back to a finding that needs nothing, never through the same finding twice."""
    path: list[Link] = []
    seen = {end}
    here = end
    while here in givers and len(path) < MAX_LINKS and givers[here].first not in seen:
        path.insert(0, givers[here])
        here = givers[here].first
        seen.add(here)
    total = max(points[member] for member in seen) + CHAIN_MEMBER
    return Chain(tuple(path), level(total), total)


def bonus(finding_id: str, chains: tuple[Chain, ...]) -> int:
    """What being part of a chain adds to a finding's calibration (A40)."""
    if any(chain.members[0] == finding_id for chain in chains):
        return CHAIN_ROOT
    return CHAIN_MEMBER if any(finding_id in chain.members for chain in chains) else 0
