"""A finding a line, as compilers print them: `FILE:LINE: severity confidence rule message`.

Always: what is on the first page, then the claims to check, each group with the most severe first; what is only suspected, Minor
in a review, or was accepted is left out. Every line is one line, whatever the reviewed code holds.
"""

from collections.abc import Iterable

from counterproof.model.confidence import Confidence
from counterproof.model.report import Report, ReportedFinding
from counterproof.model.review.conversion import as_reported
from counterproof.model.review.report import ReviewReport
from counterproof.reports.first_page import groups, impact_sentence
from counterproof.reports.inert import terminal_text
from counterproof.reports.sarif.rules import rule_id


def audited(report: Report) -> str:
    found = groups(report)
    return concise((*found.confirmed, *found.claims))


def reviewed(report: ReviewReport) -> str:
    first = {each.finding.id for each in report.first_page}
    return concise(sorted((row for row in as_reported(report) if row.number in first), key=lambda row: -row.severity.rank))


def concise(rows: Iterable[ReportedFinding]) -> str:
    """The lines, each with its line break; "" where there is nothing."""
    shown = (row for row in rows if not row.accepted and row.confidence is not Confidence.SUSPECTED)
    return "".join(f"{_line(row)}\n" for row in shown)


def _line(row: ReportedFinding) -> str:
    finding = row.finding
    message = ": ".join(dict.fromkeys(text for text in (finding.title, impact_sentence(row)) if text))
    place, sure = f"{finding.location.path}:{finding.location.start}", f"{row.severity.value} {row.confidence.value}"
    return terminal_text(" ".join(f"{place}: {sure} {rule_id(finding)} {message}".split()))
