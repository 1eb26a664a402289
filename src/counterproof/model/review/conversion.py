"""Converts a review's findings to the shared finding model, for everything that leaves the engine (R35).

Invariant: the same finding gives the same result; location, title, confidence and the finder's severity are kept, and the
displayed severity is that of the vote. Nothing is invented: a review rates neither reach nor impact, so both are derived from the
trust of the source and the severity, and there is no proof of concept. Not handled here: the wording of a review.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace

from counterproof.model.confidence import Confidence
from counterproof.model.finding import MAX_EVIDENCE_LINES, Finding
from counterproof.model.report import Calibration, ReportedFinding
from counterproof.model.review.classes import classed
from counterproof.model.review.finding import ReviewFinding, Trust
from counterproof.model.review.position import Resolution, Resolved, Stance
from counterproof.model.review.report import Change, ReviewReport
from counterproof.model.root_cause import named, root_cause
from counterproof.model.severity import Ground, Impact, Rating, Reach, Severity
from counterproof.model.text import lines_in

NO_PROOF = "a review does not run the code"
OLDER = "older than the change"
_REACH = {Trust.EXTERNAL: Reach.ANONYMOUS, Trust.AUTHENTICATED: Reach.LOW_PRIVILEGE}
_IMPACT = {Severity.CRITICAL: Impact.FULL, Severity.HIGH: Impact.PARTIAL, Severity.MEDIUM: Impact.PARTIAL}

_HISTORY = {Change.NEW: "new", Change.PERSISTS: "persisting", Change.REGRESSED: "new", Change.RESOLVED: ""}


def as_finding(finding: ReviewFinding) -> Finding:
    """The claim as a finding."""
    kind = classed(finding)
    return Finding(
        id=finding.id,
        rule=kind.rule,
        title=finding.title,
        dimension=kind.dimension,
        cwe=kind.cwe,
        severity=finding.severity,
        confidence=finding.confidence,
        location=finding.location,
        evidence=_quoted(finding.quote) or _quoted(finding.evidence),
        impact=said(finding),
        rating=Rating(_REACH.get(finding.trust, Reach.ADMIN), _IMPACT.get(finding.severity, Impact.LOCAL)),
        function=finding.function,
        source=str(finding.traced_source) if finding.traced_source else "",
        sink=str(finding.location) if finding.traced_source else "",
        remedy=finding.fix,
        no_poc_reason=NO_PROOF,
        found_by=finding.sources or (finding.specialist,),
        excerpt=finding.excerpt,
    )


def fingerprint(finding: ReviewFinding, occurrence: int) -> str:
    """The fingerprint that an audit gives the same finding."""
    return named(replace(root_cause(as_finding(finding)), mark=finding.mark), occurrence)


def said(finding: ReviewFinding) -> str:
    """The author's text without the quoted line at the end of the evidence."""
    return finding.evidence.partition(f"\n{finding.location}: ")[0]


def _quoted(text: str) -> str:
    return "\n".join([line for line in lines_in(text) if line.strip()][:MAX_EVIDENCE_LINES])


def as_reported(report: ReviewReport) -> tuple[ReportedFinding, ...]:
    """The accepted findings, in report order."""
    history = {name: _HISTORY[change] for name, change in report.changes}
    kept = tuple(each for each in report.resolved if each.kept)
    marks = _fingerprints(each.finding for each in kept)
    return tuple(
        replace(
            _reported(each.finding, mark),
            severity=each.severity,
            calibration=_calibration(each),
            labels=(each.label, each.finding.domain),
            dispute=_dispute(each),
            history=history.get(each.finding.id, ""),
        )
        for each, mark in zip(kept, marks, strict=True)
    )


def as_older(report: ReviewReport) -> tuple[ReportedFinding, ...]:
    """Defects that existed before the change, which were not voted on (R46)."""
    marks = tuple(_fingerprints((*(each.finding for each in report.resolved if each.kept), *report.older)))
    return tuple(
        replace(_reported(each, mark), labels=(OLDER, each.domain), history=_HISTORY[Change.PERSISTS])
        for each, mark in zip(report.older, marks[len(marks) - len(report.older) :], strict=True)
    )


def _fingerprints(findings: Iterable[ReviewFinding]) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for each in findings:
        alike = fingerprint(each, 0)
        yield fingerprint(each, seen[alike])
        seen[alike] += 1


def _reported(found: ReviewFinding, mark: str) -> ReportedFinding:
    finding = as_finding(found)
    confidence = Confidence.SUSPECTED if finding.confidence is Ground.PATTERN else Confidence.CLAIMED
    return ReportedFinding(finding.id, mark, found.severity, confidence, finding, Calibration((), 0, found.severity))


def _dispute(each: Resolved) -> str:
    """Who challenges an analyst's finding, and why; otherwise whether the votes differ."""
    against = next((one for one in each.positions if one.stance is Stance.CHALLENGE), None)
    if each.resolution is Resolution.DISPUTED and against:
        return f"{against.specialist} challenges it without refuting it: {against.evidence}"[:500]
    return "the votes differ on the severity" if each.severities_differ else ""


def _calibration(each: Resolved) -> Calibration:
    """A review adds up no points: the votes decide, and the note says where they changed the severity."""
    before, after = each.finding.severity, each.severity
    moved = f"severity by vote: {after.value}; by its finder: {before.value}" if after is not before else ""
    return Calibration((), 0, after, moved)
