"""When two findings are one (R12, R22, R38): by location and class, never by an agent's wording or numbering.

An analyst's class is its kind, a fixed word; a model's is the weakness, since its wording is free. Two claims of one agent are
two problems, however close. If an analyst saw the problem too, its finding is kept.
"""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.kinship import kin
from counterproof.model.review.classes import classed
from counterproof.model.review.finding import ReviewFinding

NEAR = 5
"""The most lines between two locations of one problem as cited by different specialists."""

Group = tuple[ReviewFinding, tuple[ReviewFinding, ...]]
"""A finding and its duplicates by other specialists."""


def identity(finding: ReviewFinding) -> tuple[str, int, str]:
    """The identity that stays the same when an agent rewords or renumbers."""
    kind = f"CWE-{_weakness(finding)}" if finding.model else finding.kind
    return (finding.location.path, finding.location.start, kind)


def same(one: ReviewFinding, other: ReviewFinding) -> bool:
    """True if both are the same kind of problem at the same location."""
    if one.location.path != other.location.path or not _alike(one, other):
        return False
    if (one.specialist, one.model) == (other.specialist, other.model):
        return one.location == other.location
    return abs(one.location.start - other.location.start) <= NEAR


def _alike(one: ReviewFinding, other: ReviewFinding) -> bool:
    if not one.model and not other.model:
        return one.kind == other.kind
    return _weakness(one) == _weakness(other)


def _weakness(finding: ReviewFinding) -> int:
    return kin(classed(finding).cwe)


def grouped(findings: Iterable[ReviewFinding]) -> tuple[Group, ...]:
    """One group per problem, analysts' findings first, then by severity; at most one finding per agent in a group."""
    groups: list[list[ReviewFinding]] = []
    for finding in sorted(findings, key=lambda each: (bool(each.model), -each.severity.rank, each.id)):
        twin = min(
            (group for group in groups if _joins(finding, group)),
            key=lambda group: abs(group[0].location.start - finding.location.start),
            default=None,
        )
        if twin is None:
            groups.append([finding])
        else:
            twin.append(finding)
    return tuple(sorted(((_headed(group), tuple(group[1:])) for group in groups), key=lambda each: each[0].id))


def _joins(finding: ReviewFinding, group: list[ReviewFinding]) -> bool:
    """A repetition joins its own group; another agent joins a group without a claim of its own."""
    mine = [each for each in group if (each.specialist, each.model) == (finding.specialist, finding.model)]
    return same(finding, mine[0] if mine else group[0])


def _headed(group: list[ReviewFinding]) -> ReviewFinding:
    sources = (*group[0].sources, *(each.specialist for each in group))
    return replace(group[0], sources=tuple(dict.fromkeys(sources)))


def together(findings: Iterable[ReviewFinding]) -> tuple[tuple[str, ...], ...]:
    """Ids of different problems on the same lines: shown together, not merged."""
    groups: dict[tuple[str, int], list[str]] = {}
    for each in findings:
        groups.setdefault((each.location.path, each.location.start), []).append(each.id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)
