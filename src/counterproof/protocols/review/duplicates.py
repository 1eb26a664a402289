"""When two findings are one (R12, R22, R38): by location and class, never by an agent's wording or numbering.

An analyst's class is its kind, a fixed word; a model's is the weakness, since its wording is free. Findings of two agents are
also one if they share the root cause of an audit (file, function, weakness, sink or missing guard), or the changed lines and the
failure: specialists of different domains give one defect different weaknesses. Two claims of one agent are two problems, however
close. If an analyst saw the problem too, its finding is kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from counterproof.model.kinship import kin
from counterproof.model.review.classes import classed
from counterproof.model.review.conversion import said
from counterproof.model.review.finding import Failure, ReviewFinding, Twin

NEAR = 5
"""The most lines between two locations of one problem as cited by different specialists."""

Ranges = Mapping[str, tuple[tuple[int, int], ...]]
"""Changed lines by file; a file without any changed as a whole."""

Group = tuple[ReviewFinding, tuple[ReviewFinding, ...]]
"""A finding and its duplicates by other specialists."""


def identity(finding: ReviewFinding) -> tuple[str, int, str]:
    """The identity that stays the same when an agent rewords or renumbers."""
    kind = f"CWE-{_weakness(finding)}" if finding.model else finding.kind
    return (finding.location.path, finding.location.start, kind)


def same(one: ReviewFinding, other: ReviewFinding, changed: Ranges | None = None) -> bool:
    """True if both are the same problem at the same location. `changed` are the lines of the change, {} if every line counts."""
    if one.location.path != other.location.path:
        return False
    if (one.specialist, one.model) == (other.specialist, other.model):
        return one.location == other.location and _alike(one, other)
    near = abs(one.location.start - other.location.start) <= NEAR
    return (_alike(one, other) and (near or _one_cause(one, other))) or _one_failure(one, other, changed or {})


def _alike(one: ReviewFinding, other: ReviewFinding) -> bool:
    if not one.model and not other.model:
        return one.kind == other.kind
    return _weakness(one) == _weakness(other)


def _weakness(finding: ReviewFinding) -> int:
    return kin(classed(finding).cwe)


def _one_cause(one: ReviewFinding, other: ReviewFinding) -> bool:
    """True if both name the same sink or missing guard of the same function."""
    return bool(one.mark) and (one.function, one.mark) == (other.function, other.mark)


def _one_failure(one: ReviewFinding, other: ReviewFinding, changed: Ranges) -> bool:
    """True if both name the same changed lines and the same failure."""
    if one.failure is Failure.UNSAID or one.failure is not other.failure:
        return False
    return _touched(one, changed) == _touched(other, changed)


def _touched(finding: ReviewFinding, changed: Ranges) -> set[int]:
    """The changed lines within a finding's location."""
    place = finding.location
    ranges = changed.get(place.path) or ((place.start, place.end),)
    return {line for low, high in ranges for line in range(max(low, place.start), min(high, place.end) + 1)}


def grouped(findings: Iterable[ReviewFinding], changed: Ranges | None = None) -> tuple[Group, ...]:
    """One group per problem, analysts' findings first, then by severity; at most one finding per agent in a group."""
    groups: list[list[ReviewFinding]] = []
    for finding in sorted(findings, key=lambda each: (bool(each.model), -each.severity.rank, each.id)):
        twin = min(
            (group for group in groups if _joins(finding, group, changed)),
            key=lambda group: abs(group[0].location.start - finding.location.start),
            default=None,
        )
        if twin is None:
            groups.append([finding])
        else:
            twin.append(finding)
    return tuple(sorted(((merged(*group), tuple(group[1:])) for group in groups), key=lambda each: each[0].id))


def _joins(finding: ReviewFinding, group: list[ReviewFinding], changed: Ranges | None) -> bool:
    """A repetition joins its own group; another agent joins a group without a claim of its own."""
    mine = [each for each in group if (each.specialist, each.model) == (finding.specialist, finding.model)]
    return same(finding, mine[0] if mine else group[0], changed)


def merged(head: ReviewFinding, *others: ReviewFinding) -> ReviewFinding:
    """The first finding with the sources, texts and locations of the others."""
    sources = (*head.sources, head.specialist, *(each.specialist for each in others))
    twins = (*head.twins, *(Twin(each.specialist, each.location, each.title, said(each), each.model) for each in others))
    return replace(head, sources=tuple(dict.fromkeys(sources)), twins=tuple(dict.fromkeys(twins)))


def together(findings: Iterable[ReviewFinding]) -> tuple[tuple[str, ...], ...]:
    """Ids of different problems on the same lines: shown together, not merged."""
    groups: dict[tuple[str, int], list[str]] = {}
    for each in findings:
        groups.setdefault((each.location.path, each.location.start), []).append(each.id)
    return tuple(tuple(ids) for ids in groups.values() if len(ids) > 1)
