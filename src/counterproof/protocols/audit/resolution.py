"""Phase 4b, the only place that deduplicates and sets severity in standard and deep (A38, A39, A41).

Confirmed findings stay, downgraded ones are recalibrated, rejected ones are removed and listed. What nobody validated is
labelled so; where it would be grave, calibration holds it at Medium for a person to look at. "Validated" means that somebody
other than the finder answered all the steps: an analyst by another method, or a model that is not the finder's (A53).
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.model.severity import Confidence, Severity
from counterproof.protocols.audit.deduplication import deduplicated
from counterproof.protocols.audit.ruling import Ruling
from counterproof.protocols.audit.severity import calibrate, capped

NEEDS_MANUAL = "needs_manual"
VALIDATED = "validated"
PRE_VALIDATED = "pre-validated"
DOWNGRADED = Verdict.DOWNGRADED.value
ACCEPTED = "accepted"
UNVALIDATED = "unvalidated"
UNREPRODUCED = "no proof of concept"
DISPUTED = "disputed"
ONE_MODEL = "one model found and judged it"

HELD = (UNVALIDATED, ACCEPTED, PRE_VALIDATED, ONE_MODEL)
"""Labels that never stand behind more than Medium (A38, A53)."""

_STANDING = {UNVALIDATED: 0, ACCEPTED: 1, ONE_MODEL: 1, DOWNGRADED: 2, PRE_VALIDATED: 3, VALIDATED: 3}
"""From what nobody looked at to what nothing speaks against. A finding that was drawn for a second look and confirmed stands no
higher than one that was not drawn: else the draw, which changes with every finding, would decide which of several places speaks
for a weakness, and a run would call old code new."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """One finding with what phase 4 says of it, and what its validators said. `kinds` are the types, as (rule, CWE), of all
    that was merged into it: it shares the severity of each."""

    finding: Finding
    labels: tuple[str, ...]
    said: tuple[str, ...] = ()
    kinds: tuple[tuple[str, int], ...] = ()


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
) -> Resolved:
    """Apply the rulings, add confirmed hits, deduplicate. `unjudged` are labels for what routing let pass without one."""
    kept: list[Finding] = []
    labels: dict[str, tuple[str, ...]] = {}
    rejected: list[Rejected] = []
    tally: Counter[Verdict] = Counter()
    for finding in findings:
        ruling = rulings.get(finding.id, Ruling())
        if ruling.judgement:
            tally[ruling.judgement.verdict] += 1
        if ruling.judgement and ruling.judgement.verdict is Verdict.REJECTED:
            rejected.append(_rejection(finding, ruling, ruling.judgement))
            continue
        label = _label(ruling) or unjudged.get(finding.id, UNVALIDATED)
        labels[finding.id] = (label, DISPUTED) if ruling.disputed else (label,)
        kept.append(_judged(finding, ruling))
    unvalidated = sum(UNVALIDATED in each for each in labels.values())
    scanned = _from_hits(hits, len(findings))
    labels.update({each.id: (VALIDATED if each.rule and each.validation.passed else ACCEPTED,) for each in scanned})
    firm = [finding_id for finding_id, each in labels.items() if DOWNGRADED in each]
    distinct, dropped = deduplicated((*kept, *scanned), lambda each: _weight(each, labels[each.id][0]), firm)
    given = {each.id: each for each in (*kept, *scanned)}
    ruled = tuple(_ruled(finding, labels, rulings, _merged_into(finding.id, dropped), given) for finding in distinct)
    return Resolved(ruled, tuple(rejected), dropped, tally[Verdict.CONFIRMED], tally[Verdict.DOWNGRADED], unvalidated)


def _label(ruling: Ruling) -> str:
    """'' where nobody's word counts."""
    if ruling.judgement is None:
        return ""
    if ruling.lone:
        return ONE_MODEL
    return VALIDATED if ruling.judgement.verdict is Verdict.CONFIRMED else DOWNGRADED


def _ruled(
    finding: Finding,
    labels: Mapping[str, tuple[str, ...]],
    rulings: Mapping[str, Ruling],
    merged: tuple[str, ...],
    given: Mapping[str, Finding],
) -> Ruled:
    """The finding with its own label; what was said of those that were merged into it, and a dispute about one, come along."""
    disputed = any(DISPUTED in labels[each] for each in merged)
    said = tuple(dict.fromkeys(text for each in merged if each in rulings for text in rulings[each].said))
    kinds = tuple(dict.fromkeys((given[each].rule, given[each].cwe) for each in merged))
    own = labels[finding.id][:1]
    return Ruled(finding, (*own, DISPUTED) if disputed else own, said, kinds)


def _merged_into(kept: str, dropped: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """The ids of everything that ended in this finding, itself included."""
    merged = {kept}
    for gone, into in reversed(dropped):
        merged |= {gone} if into in merged else set()
    return tuple(sorted(merged))


def _weight(finding: Finding, label: str) -> tuple[int, ...]:
    """What the finding would be reported as; between equals the one that stands on more, then the finder's word."""
    points = calibrate(finding)
    level = capped(points.level, finding.confidence)[0]
    if label in HELD:
        level = min(level, Severity.MEDIUM, key=lambda each: each.rank)
    return (level.rank, _STANDING[label], points.total, finding.severity.rank)


def _rejection(finding: Finding, ruling: Ruling, judgement: Judgement) -> Rejected:
    failed = [step.reason for step in judgement.validation.steps if step.result.value in ("fail", "partial")]
    refuted = f"the engine confirms the defence: {ruling.refuted}" if ruling.refuted else ""
    return Rejected(finding, "; ".join(each for each in (refuted, *failed) if each), str(judgement.at))


def _judged(finding: Finding, ruling: Ruling) -> Finding:
    """The validator's own four steps replace the finder's. A confirmation by a second method is verification; one by another
    model is good for high confidence; one by the finder's own model is good for nothing."""
    judgement = ruling.judgement
    if judgement is None or ruling.lone:
        return finding
    broken = finding.flow is not None and finding.flow.broken_by is not None
    if judgement.verdict is not Verdict.CONFIRMED:
        least = Confidence.PATTERN if ruling.disputed and not finding.rule else Confidence.MEDIUM
        confidence = min(finding.confidence, least, key=lambda each: each.rank)
    elif broken or finding.hearsay:
        confidence = finding.confidence
    else:
        reached = Confidence.HIGH if ruling.by_model else Confidence.VERIFIED
        confidence = max(finding.confidence, reached, key=lambda each: each.rank)
    return replace(finding, validation=judgement.validation, confidence=confidence)


def _from_hits(hits: tuple[HitJudgement, ...], already: int) -> list[Finding]:
    confirmed = [hit.finding for hit in hits if hit.verdict is HitVerdict.CONFIRMED and hit.finding]
    return [replace(finding, id=f"F{already + number:03}", found_by=("semgrep",)) for number, finding in enumerate(confirmed, 1)]
