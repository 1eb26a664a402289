"""Same issue or not (A39). Nearness alone is not sameness: two sinks on neighbouring lines with different flows stay two."""

from collections.abc import Callable, Container
from dataclasses import replace

from counterproof.model.finding import MAX_EVIDENCE_LINES, Finding
from counterproof.model.flow import Flow
from counterproof.model.location import Location
from counterproof.model.proof import Proof, ceiling
from counterproof.model.severity import Confidence
from counterproof.model.text import lines_in

NEAR = 5

Weigh = Callable[[Finding], tuple[int, ...]]
"""Which of two duplicates is kept: the greater."""

_UP = {
    Confidence.PATTERN: Confidence.MEDIUM,
    Confidence.MEDIUM: Confidence.HIGH,
    Confidence.HIGH: Confidence.VERIFIED,
    Confidence.VERIFIED: Confidence.VERIFIED,
}


def same(one: Finding, other: Finding) -> bool:
    """One issue seen twice: same place; or same flow nearby; or one source feeding several sinks of a kind in a function."""
    if one.cwe != other.cwe or one.location.path != other.location.path:
        return False
    if one.location.start == other.location.start:
        return True
    if not one.function or one.function != other.function:
        return False
    source = _source(one)
    if source is None or source != _source(other):
        return False
    near = abs(one.location.start - other.location.start) <= NEAR
    return near or (bool(one.rule) and one.rule == other.rule)


def _source(finding: Finding) -> Location | None:
    return finding.flow.source.location if finding.flow else None


def by_severity(finding: Finding) -> tuple[int, ...]:
    """The finder's own word, then how sure it was."""
    return (finding.severity.rank, finding.confidence.rank)


def merge(one: Finding, other: Finding, weigh: Weigh = by_severity, firm: Container[str] = ()) -> Finding:
    """The weightier of the two with everything the other adds; independent finders raise the confidence one step.

    Where a validator downgraded either of them (`firm`), its word on the confidence stands and nothing raises it.
    """
    weightier = weigh(one) > weigh(other) or (weigh(one) == weigh(other) and one.id < other.id)
    main, extra = (one, other) if weightier else (other, one)
    flow = _better_flow(main, extra)
    confidence = max(main.confidence, extra.confidence, key=lambda each: each.rank)
    if not set(main.found_by) & set(extra.found_by):
        confidence = _UP[confidence]
    if main.id in firm or extra.id in firm:
        confidence = main.confidence
    if flow and flow.broken_by:
        confidence = min(confidence, Confidence.MEDIUM, key=lambda each: each.rank)
    hearsay = main.hearsay and extra.hearsay  # two recorded runs may have copied the same mistake
    if hearsay:
        confidence = min(confidence, Confidence.MEDIUM, key=lambda each: each.rank)
    lines = list(dict.fromkeys((*lines_in(main.evidence), *lines_in(extra.evidence))))
    evidence = main.evidence if main.location != extra.location else "\n".join(lines[:MAX_EVIDENCE_LINES])
    places = {*main.also, *extra.also, extra.location} - {main.location}
    return replace(
        main,
        rule=main.rule or extra.rule,
        confidence=confidence,
        evidence=evidence,
        found_by=tuple(sorted({*main.found_by, *extra.found_by})),
        also=tuple(sorted(places)),
        guards=tuple(dict.fromkeys((*main.guards, *extra.guards))),
        poc=main.poc or extra.poc,
        no_poc_reason=main.no_poc_reason or extra.no_poc_reason,
        flow=flow,
        proof=_better_proof(main.proof, extra.proof),
        severity=max(main.severity, extra.severity, key=lambda each: each.rank),
        corroboration=main.corroboration if hearsay or not main.hearsay else extra.corroboration,
        unquoted=main.unquoted and extra.unquoted,
    )


def _better_flow(main: Finding, extra: Finding) -> Flow | None:
    """The complete one of two flows, or else the unbroken one. A broken one stands in for none only where it costs no
    confidence (A57)."""
    flows = sorted((each.flow for each in (main, extra) if each.flow), key=lambda flow: (not flow.complete, bool(flow.broken_by)))
    if flows and not flows[0].broken_by:
        return flows[0]
    if any(each.flow is None and each.confidence.rank > Confidence.MEDIUM.rank for each in (main, extra)):
        return None
    return flows[0] if flows else None


def _better_proof(main: Proof | None, extra: Proof | None) -> Proof | None:
    """The proof that bears more; between equals the main finding's."""
    return extra if ceiling(extra).rank > ceiling(main).rank or main is None else main


def deduplicated(
    findings: tuple[Finding, ...], weigh: Weigh = by_severity, firm: Container[str] = ()
) -> tuple[tuple[Finding, ...], tuple[tuple[str, str], ...]]:
    """The distinct issues in order, and (dropped, kept) pairs of ids for the record."""
    kept: dict[tuple[str, int], list[Finding]] = {}
    dropped: list[tuple[str, str]] = []
    for finding in sorted(findings, key=lambda each: (each.location, each.cwe, each.id)):
        group = kept.setdefault((finding.location.path, finding.cwe), [])
        match = next((index for index, each in enumerate(group) if same(each, finding)), None)
        if match is None:
            group.append(finding)
            continue
        merged = merge(group[match], finding, weigh, firm)
        gone = finding.id if merged.id == group[match].id else group[match].id
        dropped.append((gone, merged.id))
        group[match] = merged
    distinct = [finding for group in kept.values() for finding in group]
    return tuple(sorted(distinct, key=lambda each: (each.location, each.cwe, each.id))), tuple(dropped)
