"""One line per finding in compiler style: `FILE:LINE: severity confidence rule message`.

Invariant: first-page findings come first, then claims to check, each group most severe first; suspected and accepted findings
are left out. Every finding is a single line, whatever the reviewed code contains.
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
    return concise(sorted(as_reported(report), key=lambda row: -row.severity.rank))


def concise(rows: Iterable[ReportedFinding]) -> str:
    """The lines, each with its line break; "" if there are none."""
    shown = (row for row in rows if not row.accepted and row.confidence is not Confidence.SUSPECTED)
    return "".join(f"{_line(row)}\n" for row in shown)


def _line(row: ReportedFinding) -> str:
    finding = row.finding
    message = ": ".join(dict.fromkeys(text for text in (finding.title, impact_sentence(row)) if text))
    place, sure = f"{finding.location.path}:{finding.location.start}", f"{row.severity.value} {row.confidence.value}"
    return terminal_text(" ".join(f"{place}: {sure} {rule_id(finding)} {message}".split()))
