"""The vulnerabilities of a dependency, each once: records that are aliases of one another are one vulnerability.

Invariant: the same data and dependencies give the same order. Not handled here: wording of findings.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cmp_to_key

from counterproof.analysis.dependencies.osv.record import Advisory, Affected, Event
from counterproof.analysis.dependencies.osv.selection import Package
from counterproof.analysis.dependencies.versions import compare
from counterproof.model.severity import Severity

_BEGINNING = "0"
_ORDER = {"fixed": 0, "introduced": 1, "last_affected": 2}


class _Incomparable(Exception):
    """Raised for two texts of which at least one is not a version."""


def is_affected(affected: Affected, version: str) -> bool | None:
    """Whether this version of the package is affected; None if unknown.

    Invariant: a version that its ecosystem's ordering cannot parse is unknown, never unaffected."""
    if version in affected.versions:
        return True
    unknown = False
    for events in affected.ranges:
        try:
            if _in_range(affected.ecosystem, events, version):
                return True
        except _Incomparable:
            unknown = True
    if any(compare(affected.ecosystem, version, each) == 0 for each in affected.versions):
        return True
    return None if unknown else False


def fixed_in(affected: Affected, version: str) -> str:
    """The first version after this one at which a range ends; '' if none is given."""
    later = [
        event.version
        for events in affected.ranges
        for event in events
        if event.kind == "fixed" and (compare(affected.ecosystem, event.version, version) or 0) > 0
    ]
    return min(later, key=cmp_to_key(lambda left, right: compare(affected.ecosystem, left, right) or 0), default="")


def _in_range(ecosystem: str, events: tuple[Event, ...], version: str) -> bool:
    inside = False
    for event in sorted(events, key=cmp_to_key(lambda left, right: _turn_order(ecosystem, left, right))):
        order = _compared(ecosystem, version, event.version)
        if event.kind == "introduced" and order >= 0:
            inside = True
        elif (event.kind == "fixed" and order >= 0) or (event.kind == "last_affected" and order > 0):
            inside = False
    return inside


def _turn_order(ecosystem: str, left: Event, right: Event) -> int:
    return _compared(ecosystem, left.version, right.version) or _ORDER[left.kind] - _ORDER[right.kind]


def _compared(ecosystem: str, left: str, right: str) -> int:
    """'0' stands for the start of all versions."""
    if left == right:
        return 0
    if _BEGINNING in (left, right):
        return 1 if right == _BEGINNING else -1
    order = compare(ecosystem, left, right)
    if order is None:
        raise _Incomparable
    return order


_PREFERRED = ("CVE-", "GHSA-")


@dataclass(frozen=True, slots=True)
class Vulnerable:
    """One vulnerability of one version. `fixed` is the first version without it, '' if unknown."""

    id: str
    aliases: tuple[str, ...]
    summary: str
    severity: Severity | None
    fixed: str
    malicious: bool


def matches(package: Package, version: str, advisories: Iterable[Advisory]) -> tuple[tuple[Vulnerable, ...], bool]:
    """The vulnerabilities of a version, most severe first, and whether some record could not be compared with it."""
    hits: list[tuple[Advisory, str]] = []
    unclear = False
    for advisory in advisories:
        parts = [each for each in advisory.affected if (each.ecosystem, each.name) == package]
        answers = [is_affected(each, version) for each in parts]
        if any(answers):
            fixes = [fixed_in(each, version) for each, answer in zip(parts, answers, strict=True) if answer]
            hits.append((advisory, _latest(package[0], fixes)))
        unclear = unclear or (None in answers and not any(answers))
    merged = [_one(package[0], group) for group in _groups(hits)]
    return tuple(sorted(merged, key=_worst_first)), unclear


def _worst_first(each: Vulnerable) -> tuple[bool, int, str]:
    return (not each.malicious, -(each.severity.rank if each.severity else -1), each.id)


def _groups(hits: list[tuple[Advisory, str]]) -> list[list[tuple[Advisory, str]]]:
    """Group hits that share an id or an alias, directly or through others."""
    groups: list[tuple[set[str], list[tuple[Advisory, str]]]] = []
    for hit in sorted(hits, key=lambda each: each[0].id):
        names = {hit[0].id, *hit[0].aliases}
        joined = [group for group in groups if group[0] & names]
        groups = [group for group in groups if not group[0] & names]
        groups.append((names.union(*(group[0] for group in joined)), [*(each for group in joined for each in group[1]), hit]))
    return [group for _, group in groups]


def _one(ecosystem: str, group: list[tuple[Advisory, str]]) -> Vulnerable:
    names = sorted({name for advisory, _ in group for name in (advisory.id, *advisory.aliases)}, key=_preference)
    severities = [advisory.severity for advisory, _ in group if advisory.severity]
    summaries = [advisory.summary for advisory, _ in group if advisory.summary]
    return Vulnerable(
        names[0],
        tuple(names[1:]),
        summaries[0] if summaries else "",
        max(severities, key=lambda each: each.rank, default=None),
        _latest(ecosystem, [fixed for _, fixed in group]),
        any(advisory.malicious for advisory, _ in group),
    )


def _preference(name: str) -> tuple[int, str]:
    rank = next((index for index, prefix in enumerate(_PREFERRED) if name.startswith(prefix)), len(_PREFERRED))
    return rank, name


def _latest(ecosystem: str, versions: list[str]) -> str:
    """The latest of some versions, ignoring ''."""
    known = [each for each in versions if each]
    return max(known, key=cmp_to_key(lambda left, right: compare(ecosystem, left, right) or 0), default="")
