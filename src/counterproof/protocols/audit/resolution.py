"""Phase 4b, the only place that deduplicates and sets severity in standard and deep (A38, A39, A41).

Confirmed findings stay, downgraded ones are recalibrated, rejected ones are removed and listed. What nobody validated is
labelled so; where it would be grave, calibration holds it at Medium for a person to look at.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.severity import Confidence, Severity
from counterproof.protocols.audit.deduplication import deduplicated
from counterproof.protocols.audit.severity import calibrate, capped

NEEDS_MANUAL = "needs_manual"
VALIDATED = "validated"
PRE_VALIDATED = "pre-validated"
DOWNGRADED = Verdict.DOWNGRADED.value
ACCEPTED = "accepted"
UNVALIDATED = "unvalidated"
UNREPRODUCED = "no proof of concept"

HELD = (UNVALIDATED, ACCEPTED)
"""Labels that never stand behind more than Medium (A38)."""

_STANDING = {UNVALIDATED: 0, ACCEPTED: 1, DOWNGRADED: 2, PRE_VALIDATED: 3, VALIDATED: 3}
"""From what nobody looked at to what nothing speaks against. A finding that was drawn for a second look and confirmed stands no
higher than one that was not drawn: else the draw, which changes with every finding, would decide which of several places speaks
for a weakness, and a run would call old code new."""


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


Opinion = tuple[Judgement, ...]
"""What one validator handed in."""


def verdict_on(finding: Finding, opinions: tuple[Opinion, ...], steps: int) -> Judgement | None:
    """The judgement that counts. A bare word does not (A38), nor does a validator who contradicts itself; where validators
    contradict each other nobody is believed and a person decides."""
    words = [word for opinion in opinions if (word := _own_word(finding, opinion, steps))]
    return words[0] if len({word.verdict for word in words}) == 1 else None


def _own_word(finding: Finding, opinion: Opinion, steps: int) -> Judgement | None:
    words = [each for each in opinion if each.finding_id == finding.id and each.counts(steps)]
    return words[0] if len({word.verdict for word in words}) == 1 else None


def resolve(
    findings: tuple[Finding, ...],
    verdicts: Mapping[str, Judgement],
    unjudged: Mapping[str, str],
    hits: tuple[HitJudgement, ...],
) -> Resolved:
    """Apply the verdicts, add confirmed hits, deduplicate. `unjudged` are labels for what routing let pass without one."""
    kept: list[Finding] = []
    labels: dict[str, str] = {}
    rejected: list[Rejected] = []
    tally = Counter(judgement.verdict for judgement in verdicts.values())
    for finding in findings:
        judgement = verdicts.get(finding.id)
        if judgement is None:
            labels[finding.id] = unjudged.get(finding.id, UNVALIDATED)
            kept.append(finding)
        elif judgement.verdict is Verdict.REJECTED:
            rejected.append(_rejection(finding, judgement))
        else:
            labels[finding.id] = VALIDATED if judgement.verdict is Verdict.CONFIRMED else DOWNGRADED
            kept.append(_judged(finding, judgement))
    unvalidated = sum(label == UNVALIDATED for label in labels.values())
    scanned = _from_hits(hits, len(findings))
    labels.update({finding.id: VALIDATED if finding.validation.passed else ACCEPTED for finding in scanned})
    firm = [finding_id for finding_id, label in labels.items() if label == DOWNGRADED]
    distinct, dropped = deduplicated((*kept, *scanned), lambda each: _weight(each, labels[each.id]), firm)
    ruled = tuple(Ruled(finding, (labels[finding.id],)) for finding in distinct)
    return Resolved(ruled, tuple(rejected), dropped, tally[Verdict.CONFIRMED], tally[Verdict.DOWNGRADED], unvalidated)


def _weight(finding: Finding, label: str) -> tuple[int, ...]:
    """What the finding would be reported as; between equals the one that stands on more, then the finder's word."""
    level = capped(calibrate(finding).level, finding.confidence)[0]
    if label in HELD:
        level = min(level, Severity.MEDIUM, key=lambda each: each.rank)
    return (level.rank, _STANDING[label], finding.severity.rank)


def _rejection(finding: Finding, judgement: Judgement) -> Rejected:
    failed = [step.reason for step in judgement.validation.steps if step.result.value in ("fail", "partial")]
    return Rejected(finding, "; ".join(failed), str(judgement.at))


def _judged(finding: Finding, judgement: Judgement) -> Finding:
    """The validator's own four steps replace the finder's; a confirmation by a second method is verification."""
    broken = finding.flow is not None and finding.flow.broken_by is not None
    if judgement.verdict is Verdict.CONFIRMED:
        confidence = finding.confidence if broken or finding.hearsay else Confidence.VERIFIED
    else:
        confidence = min(finding.confidence, Confidence.MEDIUM, key=lambda each: each.rank)
    return replace(finding, validation=judgement.validation, confidence=confidence)


def _from_hits(hits: tuple[HitJudgement, ...], already: int) -> list[Finding]:
    confirmed = [hit.finding for hit in hits if hit.verdict is HitVerdict.CONFIRMED and hit.finding]
    return [replace(finding, id=f"F{already + number:03}", found_by=("semgrep",)) for number, finding in enumerate(confirmed, 1)]
