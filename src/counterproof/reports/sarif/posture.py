"""Posture entries as SARIF results: all locations of an entry belong to one result, because all of them must change (A56)."""

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Finding
from counterproof.model.posture import PostureEntry
from counterproof.model.report import Calibration, Report, ReportedFinding
from counterproof.model.severity import Ground, Impact, Rating, Reach


def posture_rows(report: Report) -> tuple[ReportedFinding, ...]:
    return tuple(_row(each) for each in report.posture)


def _row(each: PostureEntry) -> ReportedFinding:
    finding = Finding(
        id=each.number,
        rule=each.rule,
        title=each.title,
        dimension=each.dimension,
        cwe=each.cwe,
        severity=each.severity,
        confidence=Ground.HIGH,
        location=each.places[0],
        evidence=each.evidence,
        impact=each.consequence,
        rating=Rating(Reach.ANONYMOUS, Impact.LOCAL),
        remedy=each.remedy,
        also=each.places[1:],
        posture=True,
    )
    return ReportedFinding(
        each.number,
        each.fingerprint,
        each.severity,
        Confidence.CLAIMED,
        finding,
        Calibration((), 0, each.severity),
        accepted=each.accepted,
    )
