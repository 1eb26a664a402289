"""The history of findings: fixed since an earlier run, accepted."""

from typing import Final

from counterproof.model.report import Report
from counterproof.reports import wording
from counterproof.reports.sections.blocks import Section, code, own, rows_of, text

MAX_FIXED: Final = 500


def fixed(report: Report) -> tuple[Section, ...]:
    """Findings of the earlier run that no longer occur."""
    rows = ((own(each.severity.value), text(each.title), code(each.place), code(each.fingerprint)) for each in report.fixed)
    headings = ("Severity", "Problem", "Where it was", "Fingerprint")
    intro = "Found by the earlier run and not by this one; findings in files that were left out also count as fixed."
    return rows_of("fixed", "Fixed since the earlier run", headings, rows, intro, MAX_FIXED)


def accepted(report: Report) -> tuple[Section, ...]:
    """Findings accepted until a date. They are still findings; they just do not fail the run."""
    rows = (
        (text(each.number), own(each.severity.value), text(each.finding.title), text(each.accepted))
        for each in wording.by_severity(report)
        if each.accepted
    )
    headings = ("No.", "Severity", "Problem", "Accepted")
    intro = "These remain findings, but they do not fail the run until the date given."
    return rows_of("accepted", "Accepted exceptions", headings, rows, intro, MAX_FIXED)
