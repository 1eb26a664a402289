"""Phase 4b, the only place that deduplicates and sets severity in standard and deep (A38, A39, A41).

Confirmed findings stay, downgraded ones are recalibrated, rejected ones are removed and listed. What nobody validated is
labelled so; where it would be grave, calibration holds it at Medium for a person to look at.
"""

from dataclasses import dataclass, replace

from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.severity import Confidence, Severity
from counterproof.protocols.audit.deduplication import deduplicated
from counterproof.protocols.audit.validation import BATCH_STEPS, FULL_STEPS

NEEDS_MANUAL = "needs_manual"
VALIDATED = "validated"
PRE_VALIDATED = "pre-validated"
UNVALIDATED = "unvalidated"
UNREPRODUCED = "no proof of concept"


@dataclass(frozen=True, slots=True)
class Ruled:
    """One finding with what phase 4 says of it."""

    finding: Finding
    labels: tuple[str, ...]


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


def best_judgement(finding: Finding, judgements: tuple[Judgement, ...]) -> Judgement | None:
    """The first judgement that counts. A bare word does not (A38)."""
    steps = BATCH_STEPS if finding.severity.rank <= Severity.MEDIUM.rank else FULL_STEPS
    return next((each for each in judgements if each.finding_id == finding.id and each.counts(steps)), None)


def resolve(
    findings: tuple[Finding, ...],
    judgements: tuple[Judgement, ...],
    trusted: frozenset[str],
    hits: tuple[HitJudgement, ...],
) -> Resolved:
    """Apply the verdicts, add confirmed hits, deduplicate. `trusted` are ids that routing accepts without a judgement."""
    kept: list[Finding] = []
    labels: dict[str, tuple[str, ...]] = {}
    rejected: list[Rejected] = []
    tally = dict.fromkeys(Verdict, 0)
    unvalidated = 0
    for finding in findings:
        judgement = best_judgement(finding, judgements)
        if judgement is None:
            unvalidated += finding.id not in trusted
            labels[finding.id] = (PRE_VALIDATED,) if finding.id in trusted else (UNVALIDATED,)
            kept.append(finding)
            continue
        tally[judgement.verdict] += 1
        if judgement.verdict is Verdict.REJECTED:
            rejected.append(_rejection(finding, judgement))
            continue
        labels[finding.id] = (VALIDATED,) if judgement.verdict is Verdict.CONFIRMED else (Verdict.DOWNGRADED.value,)
        kept.append(_judged(finding, judgement))
    kept.extend(_from_hits(hits, len(findings)))
    distinct, dropped = deduplicated(tuple(kept))
    ruled = tuple(_ruled(finding, labels.get(finding.id, (VALIDATED,))) for finding in distinct)
    return Resolved(ruled, tuple(rejected), dropped, tally[Verdict.CONFIRMED], tally[Verdict.DOWNGRADED], unvalidated)


def _rejection(finding: Finding, judgement: Judgement) -> Rejected:
    failed = [step.reason for step in judgement.validation.steps if step.result.value in ("fail", "partial")]
    return Rejected(finding, "; ".join(failed), str(judgement.at))


def _judged(finding: Finding, judgement: Judgement) -> Finding:
    """The validator's own four steps replace the finder's; a confirmation by a second method is verification."""
    broken = finding.flow is not None and finding.flow.broken_by is not None
    if judgement.verdict is Verdict.CONFIRMED:
        confidence = finding.confidence if broken else Confidence.VERIFIED
    else:
        confidence = min(finding.confidence, Confidence.MEDIUM, key=lambda each: each.rank)
    return replace(finding, validation=judgement.validation, confidence=confidence)


def _from_hits(hits: tuple[HitJudgement, ...], already: int) -> list[Finding]:
    confirmed = [hit.finding for hit in hits if hit.verdict is HitVerdict.CONFIRMED and hit.finding]
    return [replace(finding, id=f"F{already + number:03}", found_by=("semgrep",)) for number, finding in enumerate(confirmed, 1)]


def _ruled(finding: Finding, labels: tuple[str, ...]) -> Ruled:
    """Grave findings carry a proof of concept, or the reason why there is none and a flag for a person (A41)."""
    grave = finding.severity.rank >= Severity.HIGH.rank
    if grave and not finding.poc:
        labels = tuple(dict.fromkeys((*labels, UNREPRODUCED, NEEDS_MANUAL)))
        reason = finding.no_poc_reason or "the finder gave no proof of concept and no reason"
        finding = replace(finding, no_poc_reason=reason)
    return Ruled(finding, labels)
