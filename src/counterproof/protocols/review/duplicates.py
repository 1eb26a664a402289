"""Near-duplicates (R22): the same problem seen by several specialists becomes one finding with all its sources."""

from collections.abc import Iterable
from dataclasses import replace

from counterproof.model.review.finding import ReviewFinding

NEAR = 5
"""Lines between two places of one problem."""


def merged(findings: Iterable[ReviewFinding]) -> tuple[ReviewFinding, ...]:
    """One finding per problem, the worst severity first among equals. The same lines with another kind stay two."""
    kept: list[ReviewFinding] = []
    for finding in sorted(findings, key=lambda each: (-each.severity.rank, each.id)):
        twin = next((index for index, other in enumerate(kept) if same(finding, other)), None)
        if twin is None:
            kept.append(replace(finding, sources=finding.sources or (finding.specialist,)))
        else:
            sources = (*kept[twin].sources, finding.specialist)
            kept[twin] = replace(kept[twin], sources=tuple(dict.fromkeys(sources)))
    return tuple(sorted(kept, key=lambda each: each.id))


def same(one: ReviewFinding, other: ReviewFinding) -> bool:
    """The same kind of problem in the same place, as different specialists would point at it."""
    if one.location.path != other.location.path or one.kind != other.kind:
        return False
    if one.specialist == other.specialist:
        return one.location == other.location
    return abs(one.location.start - other.location.start) <= NEAR


def together(findings: Iterable[ReviewFinding]) -> tuple[tuple[str, ...], ...]:
    """Ids of different problems on the same lines: shown together, not merged."""
    groups: dict[tuple[str, int], list[str]] = {}
    for each in findings:
        groups.setdefault((each.location.path, each.location.start), []).append(each.id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)
