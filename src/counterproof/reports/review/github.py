"""A review for GitHub's runner: annotations at the lines of a change, then the summary, as for an audit (R35).

Invariant: every accepted finding is annotated, most severe first, up to GitHub's limit; no other line can be a command.
"""

from counterproof.model.review.conversion import as_reported
from counterproof.model.review.report import ReviewReport
from counterproof.reports.github import annotations
from counterproof.reports.inert import workflow_line
from counterproof.reports.review.content import document
from counterproof.reports.screen import fitted


def as_github(report: ReviewReport, folder: str = "") -> str:
    """The log lines. `folder` is the target's folder in the repository, if it is not the top."""
    rows = sorted(as_reported(report), key=lambda row: -row.severity.rank)
    said = (workflow_line(row.text) for row in fitted(document(report).summary))
    return "\n".join((*annotations(rows, folder), *said)) + "\n"
