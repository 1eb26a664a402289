"""The history of findings: fixed since an earlier run, accepted.

Every function returns None if there is nothing to show.
"""

from typing import Final

from counterproof.model.report import Report
from counterproof.reports import wording
from counterproof.reports.sections.blocks import Section, Table, code, own, sentence, text
from counterproof.reports.sections.claims import more

MAX_FIXED: Final = 500


def fixed(report: Report) -> Section | None:
    """Findings of the earlier run that no longer occur."""
    if not report.fixed:
        return None
    rows = tuple(
        (own(each.severity.value), text(each.title), code(each.place), code(each.fingerprint))
        for each in report.fixed[:MAX_FIXED]
    )
    return Section(
        "fixed",
        "Fixed since the earlier run",
        (
            sentence("Found by the earlier run and not by this one; findings in files that were left out also count as fixed."),
            Table(("Severity", "Problem", "Where it was", "Fingerprint"), rows),
            *more(len(report.fixed), MAX_FIXED),
        ),
    )


def accepted(report: Report) -> Section | None:
    """Findings accepted until a date. They are still findings; they just do not fail the run."""
    rows = tuple(
        (text(each.number), own(each.severity.value), text(each.finding.title), text(each.accepted))
        for each in wording.by_severity(report)
        if each.accepted
    )
    if not rows:
        return None
    return Section(
        "accepted",
        "Accepted exceptions",
        (
            sentence("These remain findings, but they do not fail the run until the date given."),
            Table(("No.", "Severity", "Problem", "Accepted"), rows[:MAX_FIXED]),
            *more(len(rows), MAX_FIXED),
        ),
    )
