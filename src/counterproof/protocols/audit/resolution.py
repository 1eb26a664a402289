"""Phase 4b, the only deduplication in standard and deep (A38, A39, A41).

Confirmed and downgraded findings stay, rejected ones are removed and listed, unjudged ones are labelled. A label states the
result of validation; `confidence` decides the confidence.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.proof import shows_reach
from counterproof.model.severity import Rating
from counterproof.protocols.audit.confidence import NOBODY, confidence_of, merged_confidence
from counterproof.protocols.audit.deduplication import by_evidence, deduplicated
from counterproof.protocols.audit.ruling import Ruling
from counterproof.protocols.audit.severity import calibrate, points

NEEDS_MANUAL = "needs_manual"
VALIDATED = "validated"
PRE_VALIDATED = "pre-validated"
DOWNGRADED = Verdict.DOWNGRADED.value
ACCEPTED = "accepted"
UNVALIDATED = "unvalidated"
UNREPRODUCED = "no proof of concept"
DISPUTED = "disputed"

SETTLED = (VALIDATED, PRE_VALIDATED, ACCEPTED)
"""Labels counted in the validation statistics; readers see the confidence instead."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """One finding with its confidence, its phase 4 label and its validators' verdicts."""

    finding: Finding
    labels: tuple[str, ...]
    said: tuple[str, ...] = ()
    confidence: Confidence = Confidence.CLAIMED
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rejected:
    """A finding that a validator refuted, kept for the record."""

    finding: Finding
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """The outcome of phase 4. `dropped` are (dropped, kept) pairs of deduplication."""

    ruled: tuple[Ruled, ...]
    rejected: tuple[Rejected, ...]
    dropped: tuple[tuple[str, str], ...]
    confirmed: int
    downgraded: int
    unvalidated: int


def resolve(
    findings: tuple[Finding, ...],
    rulings: Mapping[str, Ruling],
    unjudged: Mapping[str, str],
    hits: tuple[HitJudgement, ...],
    contexts: Mapping[str, frozenset[str]] = MappingProxyType({}),
) -> Resolved:
    """Apply the rulings, add confirmed hits, deduplicate. `unjudged` are labels of findings that routing passed without a
    validator; `contexts` the independent finders of each finding."""
    kept: list[Finding] = []
    labels: dict[str, tuple[str, ...]] = {}
    rejected: list[Rejected] = []
    tally: Counter[Verdict] = Counter()
    for finding in findings:
        ruling = rulings.get(finding.id, NOBODY)
        if ruling.judgement:
            tally[ruling.judgement.verdict] += 1
        if ruling.judgement and ruling.judgement.verdict is Verdict.REJECTED:
            rejected.append(_rejection(finding, ruling, ruling.judgement))
            continue
        labels[finding.id] = _labels(finding, ruling, unjudged)
        judged = replace(finding, validation=ruling.judgement.validation) if ruling.judgement else finding
        kept.append(replace(judged, rating=reached_by(finding, ruling)))
    unvalidated = sum(UNVALIDATED in each for each in labels.values())
    scanned = _from_hits(hits, len(findings))
    labels.update({each.id: (VALIDATED if each.rule and each.validation.passed else ACCEPTED,) for each in scanned})
    sure = {each.id: confidence_of(each, rulings.get(each.id, NOBODY)) for each in (*kept, *scanned)}
    distinct, dropped = deduplicated(
        (*kept, *scanned), lambda each: (int(bool(each.rule)), sure[each.id].rank, *by_evidence(each))
    )
    ruled = tuple(_ruled(finding, labels, rulings, _merged_into(finding.id, dropped), sure, contexts) for finding in distinct)
    return Resolved(ruled, tuple(rejected), dropped, tally[Verdict.CONFIRMED], tally[Verdict.DOWNGRADED], unvalidated)


def reached_by(finding: Finding, ruling: Ruling) -> Rating:
    """The rating with the reach according to the map (A40). If an analyst's proof shows the reach, it is only raised."""
    reached, rating = ruling.reached, finding.rating
    if reached is None:
        return rating
    known = bool(finding.rule) and finding.proof is not None and shows_reach(finding.proof)
    if known and points(reached.reach) <= points(rating.reach):
        return rating
    return replace(rating, reach=reached.reach, entry=reached.entry)


def _labels(finding: Finding, ruling: Ruling, unjudged: Mapping[str, str]) -> tuple[str, ...]:
    own = unjudged.get(finding.id, UNVALIDATED)
    if ruling.judgement is not None:
        own = VALIDATED if ruling.judgement.verdict is Verdict.CONFIRMED else DOWNGRADED
    return (own, *((ruling.relation,) if ruling.relation else ()), *((DISPUTED,) if ruling.disputed else ()))


def _ruled(
    finding: Finding,
    labels: Mapping[str, tuple[str, ...]],
    rulings: Mapping[str, Ruling],
    merged: tuple[str, ...],
    sure: Mapping[str, Confidence],
    contexts: Mapping[str, frozenset[str]],
) -> Ruled:
    """The finding with its own label, and with the verdicts and disputes of the findings merged into it."""
    further = dict.fromkeys(label for each in merged for label in labels[each][1:])
    judged = [rulings[each] for each in merged if each in rulings]
    said, doubts = (tuple(dict.fromkeys(each)) for each in (chain(*(r.said for r in judged)), chain(*(r.doubts for r in judged))))
    found_apart = len({context for each in merged for context in contexts.get(each, ())}) > 1
    confidence = merged_confidence(tuple(sure[each] for each in merged), found_apart, calibrate(finding).level)
    return Ruled(finding, (*labels[finding.id][:1], *further), said, confidence, doubts)


def _merged_into(kept: str, dropped: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The ids of all findings merged into this one, itself included."""
    merged = {kept}
    for gone, into in reversed(dropped):
        merged |= {gone} if into in merged else set()
    return tuple(sorted(merged))


def _rejection(finding: Finding, ruling: Ruling, judgement: Judgement) -> Rejected:
    failed = [step.reason for step in judgement.validation.steps if step.result.value in ("fail", "partial")]
    refuted = f"the engine confirms the defence: {ruling.refuted}" if ruling.refuted else ""
    return Rejected(finding, "; ".join(each for each in (refuted, *failed) if each), str(judgement.at))


def _from_hits(hits: tuple[HitJudgement, ...], already: int) -> list[Finding]:
    confirmed = [hit.finding for hit in hits if hit.verdict is HitVerdict.CONFIRMED and hit.finding]
    return [replace(finding, id=f"F{already + number:03}", found_by=("semgrep",)) for number, finding in enumerate(confirmed, 1)]
