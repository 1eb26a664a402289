"""The report of a review in every format. The same report gives the same bytes.

Invariant: all text from the reviewed files or an agent passes through `inert`. Nothing is decided here.
"""

from collections.abc import Callable

from counterproof.model.review.report import ReviewReport
from counterproof.reports.concise import reviewed
from counterproof.reports.html.document import write_page
from counterproof.reports.markdown.sections import write_markdown
from counterproof.reports.review.comments import as_comments
from counterproof.reports.review.content import document
from counterproof.reports.review.github import as_github
from counterproof.reports.review.json_form import as_json
from counterproof.reports.review.results import as_sarif

__all__ = ["COMMENTS", "CONCISE", "FILE_NAMES", "FORMATS", "STREAM", "document", "render"]

FILE_NAMES = {
    "markdown": "review-report.md",
    "html": "review-report.html",
    "json": "review-report.json",
    "sarif": "review-report.sarif",
}
FORMATS = tuple(FILE_NAMES)
STREAM, COMMENTS, CONCISE = "github", "github-review", "concise"
"""Formats for a runner's log, a pull request, and other programs; they have no file."""

_WRITERS: dict[str, Callable[[ReviewReport], str]] = {
    "markdown": lambda report: write_markdown(document(report)),
    "html": lambda report: write_page(document(report)),
    "json": as_json,
    "sarif": as_sarif,
    STREAM: as_github,
    COMMENTS: as_comments,
    CONCISE: reviewed,
}


def render(report: ReviewReport, name: str) -> str:
    """The report in one format."""
    return _WRITERS[name](report)
