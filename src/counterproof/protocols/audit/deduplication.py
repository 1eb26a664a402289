"""Decides which findings are one problem, and which of their data is kept (A39, A62). Proximity alone is not enough: two sinks
on neighbouring lines with different flows stay two findings.

Invariant: every source and location is kept; each field keeps its better-evidenced value; the rating is the higher of the two,
so merging never downgrades a finding; a claimed reach never raises an analyst's. Not handled here: the confidence of the result.
"""

from collections.abc import Callable
from dataclasses import replace

from counterproof.model.finding import MAX_EVIDENCE_LINES, Corroboration, Finding, StepResult, Validation
from counterproof.model.flow import Flow
from counterproof.model.kinship import kin
from counterproof.model.location import Location
from counterproof.model.proof import Part, Shape, shows_reach, strength
from counterproof.model.root_cause import is_copy, is_one_cause, meet, root_cause, way
from counterproof.model.severity import Rating
from counterproof.model.text import lines_in
from counterproof.protocols.audit.severity import calibrate, points

NEAR = 5
CITED_NEAR = 2
"""The most lines between the locations at which an analyst and a model cite one sink."""

Weigh = Callable[[Finding], tuple[int, ...]]
"""A sort key: the duplicate with the greater key supplies the location and the title."""


def same(one: Finding, other: Finding) -> bool:
    """True if two findings are one issue: one root cause, wherever two witnesses name it; the same location; two agents nearby
    in one function; the same flow nearby; or one source feeding several sinks of a kind in a function."""
    witnesses = bool(one.rule) is not bool(other.rule)
    agents = _by_two_agents(one, other)
    if (witnesses or agents) and is_one_cause(one, other):
        return True
    if one.cwe != other.cwe or one.location.path != other.location.path:
        return False
    if one.location.start == other.location.start or _cut_short(one, other) or _cut_short(other, one):
        return True
    if witnesses and distance(one, other) <= CITED_NEAR:
        return True
    if not one.function or one.function != other.function:
        return False
    return _one_flow(one, other) or (agents and distance(one, other) <= NEAR)


def _cut_short(one: Finding, other: Finding) -> bool:
    """True if one analyst's proof starts in the middle of the other's path, without an entry."""
    if not one.rule or one.proof is None or one.proof.shape is not Shape.FLOW or one.function != other.function:
        return False
    return Part.ENTRY in one.proof.missing and any(meet(one.location, each) for each in way(other))


def _by_two_agents(one: Finding, other: Finding) -> bool:
    """True if two models claim one weakness in one function. If one agent states two, it means two."""
    claimed = not (one.rule or other.rule or one.hearsay or other.hearsay)
    return claimed and set(one.found_by).isdisjoint(other.found_by)


def distance(one: Finding, other: Finding) -> int:
    """Lines between two locations in one file; 0 if they overlap."""
    return max(one.location.start - other.location.end, other.location.start - one.location.end, 0)


def _one_flow(one: Finding, other: Finding) -> bool:
    source = _source(one)
    if source is None or source != _source(other):
        return False
    return abs(one.location.start - other.location.start) <= NEAR or (bool(one.rule) and one.rule == other.rule)


def _source(finding: Finding) -> Location | None:
    return finding.flow.source.location if finding.flow else None


def by_evidence(finding: Finding) -> tuple[int, ...]:
    """Sort key: facts that the engine established first, then the better supported claim."""
    checked, closed = strength(finding.proof)
    return (bool(finding.rule), not finding.hearsay, finding.confidence.rank, checked, closed, calibrate(finding).total)


def merge(one: Finding, other: Finding, weigh: Weigh = by_evidence) -> Finding:
    """Merge two findings of one problem: the location and title of the greater by `weigh`, and the better-evidenced value of
    every other field."""
    weightier = weigh(one) > weigh(other) or (weigh(one) == weigh(other) and one.id < other.id)
    main, extra = (one, other) if weightier else (other, one)
    both = {bool(main.rule), bool(extra.rule)} == {True, False}
    apart = both or not main.rule
    return replace(
        main,
        rule=main.rule or extra.rule,
        confidence=max(main.confidence, extra.confidence, key=lambda each: each.rank),
        evidence=_evidence(main, extra),
        impact=_texts(main.impact, extra.impact) if apart else main.impact,
        rating=_rating(main, extra),
        function=main.function or extra.function,
        source=main.source or extra.source,
        sink=main.sink or extra.sink,
        flow=_better_flow(main, extra),
        guards=tuple(dict.fromkeys((*main.guards, *extra.guards))),
        remedy=main.remedy or extra.remedy,
        poc=_texts(main.poc, extra.poc) if apart else main.poc or extra.poc,
        no_poc_reason=main.no_poc_reason or extra.no_poc_reason,
        validation=_better_steps(main.validation, extra.validation),
        found_by=tuple(sorted({*main.found_by, *extra.found_by})),
        also=_places(main, extra),
        proof=max(main.proof, extra.proof, key=strength),
        severity=max(main.severity, extra.severity, key=lambda each: each.rank),
        corroboration=Corroboration.BOTH if both else _corroboration(main, extra),
        unquoted=main.unquoted and extra.unquoted,
    )


def _texts(one: str, other: str) -> str:
    """Both texts on separate lines; a text contained in the other is omitted."""
    if other in one:
        return one
    return other if one in other else f"{one}\n{other}"


def _places(main: Finding, extra: Finding) -> tuple[Location, ...]:
    """All locations, except a claim's own if it is already on the path to the sink."""
    shown = () if extra.rule else [each for each in way(main) if each not in main.also]
    further = {extra.location} if not any(meet(extra.location, each) for each in shown) else set[Location]()
    if extra.scope and any(meet(extra.scope, each) for each in shown):
        further = set[Location]()
    return tuple(sorted({*main.also, *extra.also, *further} - {main.location}))


def _evidence(main: Finding, extra: Finding) -> str:
    if main.location != extra.location:
        return main.evidence
    lines = dict.fromkeys((*lines_in(main.evidence), *lines_in(extra.evidence)))
    return "\n".join(list(lines)[:MAX_EVIDENCE_LINES])


def _rating(main: Finding, extra: Finding) -> Rating:
    """The higher rating, but with the reach that the engine established, or the analyst's, instead of a claimed one."""
    shown = [each.rating for each in (main, extra) if each.rating.entry or (each.rule and each.proof and shows_reach(each.proof))]
    known = shown or [each.rating for each in (main, extra) if each.rule]
    ratings = [main.rating, extra.rating]
    if known and not (main.rule and extra.rule):
        most = max(known, key=lambda each: points(each.reach))
        ratings = [replace(each, reach=most.reach, entry=most.entry) for each in ratings]
    return max(ratings, key=lambda each: calibrate(replace(main, rating=each)).total)


def _better_flow(main: Finding, extra: Finding) -> Flow | None:
    """The complete flow of the two, or else the unbroken one. A broken flow replaces a missing one only if nothing is proved."""
    proved = any(each.flow is None and each.proof is not None and each.proof.whole for each in (main, extra))
    flows = [each.flow for each in (main, extra) if each.flow and not (proved and each.flow.broken_by)]
    return min(flows, key=lambda flow: (not flow.complete, flow.broken_by is not None), default=None)


def _better_steps(one: Validation, other: Validation) -> Validation:
    def passed(validation: Validation) -> int:
        return sum(step.result is StepResult.PASS and step.at is not None for step in validation.steps)

    return other if passed(other) > passed(one) else one


def _corroboration(main: Finding, extra: Finding) -> Corroboration:
    return Corroboration.BOTH if Corroboration.BOTH in (main.corroboration, extra.corroboration) else main.corroboration


def deduplicated(
    findings: tuple[Finding, ...], weigh: Weigh = by_evidence
) -> tuple[tuple[Finding, ...], tuple[tuple[str, str], ...]]:
    """The distinct issues in order, and the (dropped, kept) id pairs."""
    ordered = sorted(findings, key=lambda each: (states_less(each), each.location, each.cwe, each.id))
    distinct, dropped = _joined(ordered, lambda each: {(place.path, kin(each.cwe)) for place in way(each)}, same, weigh)
    folded, copies = _joined(distinct, lambda each: {(root_cause(each).code, each.function)}, is_copy, weigh)
    return tuple(sorted(folded, key=lambda each: (each.location, each.cwe, each.id))), (*dropped, *copies)


def _joined(
    findings: list[Finding],
    keys: Callable[[Finding], set[tuple[object, ...]]],
    alike: Callable[[Finding, Finding], bool],
    weigh: Weigh,
) -> tuple[list[Finding], list[tuple[str, str]]]:
    """Merge findings that are alike; only findings that share a key are compared."""
    kept: list[Finding] = []
    numbers: dict[tuple[object, ...], set[int]] = {}
    dropped: list[tuple[str, str]] = []
    for finding in findings:
        near = sorted({number for key in keys(finding) for number in numbers.get(key, ())})
        match = next((number for number in near if alike(kept[number], finding)), None)
        if match is None:
            match = len(kept)
            kept.append(finding)
        else:
            merged = merge(kept[match], finding, weigh)
            dropped.append((finding.id if merged.id == kept[match].id else kept[match].id, merged.id))
            kept[match] = merged
        for key in keys(kept[match]):
            numbers.setdefault(key, set()).add(match)
    return kept, dropped


def states_less(finding: Finding) -> tuple[bool, bool]:
    """Sort key: findings that state a sink before claims that only name a location, which join one of them."""
    return (not finding.rule, finding.proof is None and finding.flow is None)
