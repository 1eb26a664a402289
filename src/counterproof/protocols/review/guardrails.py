"""Guardrails (R23 to R28). Each trip is recorded and shown; none relies on an agent's cooperation."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from counterproof.model.review.conversion import said
from counterproof.model.review.finding import ReviewFinding, Shown
from counterproof.model.severity import Severity
from counterproof.protocols.guard.destructive import destructive
from counterproof.protocols.review.refinement import MAX_FINDINGS

MIN_EVIDENCE = 100


@dataclass(frozen=True, slots=True)
class Trip:
    """One guardrail that was triggered."""

    guardrail: str
    finding_id: str
    text: str


@dataclass(frozen=True, slots=True)
class Guarded:
    """Findings after the guardrails, and the guardrails' actions."""

    findings: tuple[ReviewFinding, ...]
    trips: tuple[Trip, ...]


def guard(findings: Iterable[ReviewFinding], scope: Collection[str], strict: bool) -> Guarded:
    """Scope, evidence and count, in this order, for one specialist's findings."""
    kept: list[ReviewFinding] = []
    trips: list[Trip] = []
    for finding in findings:
        if finding.location.path not in scope:
            if strict:
                trips.append(Trip("scope", finding.id, f"{finding.location} is outside the scope: rejected"))
                continue
            trips.append(Trip("scope", finding.id, f"{finding.location} is outside the scope: demoted to Minor"))
            finding = finding.at_most(Severity.LOW)
        if finding.shown is not Shown.MINOR and evidence_size(finding) < MIN_EVIDENCE:
            trips.append(Trip("evidence", finding.id, f"less than {MIN_EVIDENCE} characters of evidence: demoted to Minor"))
            finding = finding.at_most(Severity.LOW)
        kept.append(finding)
    for finding in kept[MAX_FINDINGS:]:
        trips.append(Trip("count", finding.id, f"dropped: one specialist reported more than {MAX_FINDINGS} findings"))
    kept = kept[:MAX_FINDINGS]
    trips += [Trip("destructive fix", each.id, f"the fix holds {why}") for each in kept if (why := destructive(each.fix))]
    return Guarded(tuple(kept), tuple(trips))


def evidence_size(finding: ReviewFinding) -> int:
    """The number of non-blank characters. A model's own words count; the line that the engine quotes for it does not (R37)."""
    text = said(finding) if finding.model else finding.evidence
    return sum(not character.isspace() for character in text)


def inflated(findings: Iterable[ReviewFinding]) -> str:
    """Why a specialist's severities look inflated; '' if they do not (R28)."""
    severities = [each.shown for each in findings]
    total = len(severities)
    critical = severities.count(Shown.CRITICAL)
    weighty = critical + severities.count(Shown.IMPORTANT)
    if 2 * critical > total:
        return f"{critical} of {total} findings are Critical"
    if 5 * weighty > 4 * total:
        return f"{weighty} of {total} findings are Critical or Important"
    return ""
