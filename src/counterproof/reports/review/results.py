"""The report as SARIF 2.1.0, one result a finding that stands. Dismissed ones are not in it."""

from typing import Any
from urllib.parse import quote

from counterproof import __version__
from counterproof.model.canonical import digest
from counterproof.model.review.finding import Shown, shown
from counterproof.model.review.position import Resolved
from counterproof.model.review.report import ReviewReport
from counterproof.reports.inert import json_text, message

_LEVELS = {Shown.CRITICAL: "error", Shown.IMPORTANT: "warning", Shown.MINOR: "note"}


def as_sarif(report: ReviewReport) -> str:
    """The whole log."""
    kept = [each for each in report.resolved if each.kept]
    kinds = sorted({each.finding.kind for each in kept})
    rules = [{"id": _rule(kind), "shortDescription": {"text": message(kind)}} for kind in kinds]
    driver = {"name": "Counterproof review", "version": __version__, "rules": rules}
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, kinds) for each in kept],
    }
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json_text(log) + "\n"


def _rule(kind: str) -> str:
    return "-".join("".join(each if each.isalnum() else " " for each in kind).lower().split())


def _result(each: Resolved, kinds: list[str]) -> dict[str, Any]:
    finding = each.finding
    region = {"startLine": finding.location.start, "endLine": finding.location.end}
    place = {"artifactLocation": {"uri": quote(finding.location.path)}, "region": region}
    return {
        "ruleId": _rule(finding.kind),
        "ruleIndex": kinds.index(finding.kind),
        "level": _LEVELS[shown(each.severity)],
        "message": {"text": message(f"{finding.title}. {finding.evidence}")},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"counterproof/v1": digest(f"{finding.location.path}|{finding.kind}|{finding.quote}")},
        "properties": {"vote": each.label, "specialists": list(finding.sources), "confidence": finding.confidence.value},
    }
