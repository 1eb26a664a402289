"""The report of a review in every format. The same report gives the same bytes.

Invariant: all text from the reviewed files or an agent passes through `inert`. Nothing is decided here.
"""

from collections.abc import Callable

from counterproof.model.formats import files
from counterproof.model.review.report import ReviewReport
from counterproof.reports.concise import reviewed
from counterproof.reports.html.document import write_page
from counterproof.reports.markdown.sections import write_markdown
from counterproof.reports.review.comments import as_comments
from counterproof.reports.review.content import document
from counterproof.reports.review.github import as_github
from counterproof.reports.review.json_form import as_json
from counterproof.reports.review.results import as_sarif

__all__ = ["FILE_NAMES", "document", "render"]

FILE_NAMES = files("review")

_WRITERS: dict[str, Callable[[ReviewReport, str], str]] = {
    "markdown": lambda report, _: write_markdown(document(report)),
    "html": lambda report, _: write_page(document(report)),
    "json": lambda report, _: as_json(report),
    "sarif": lambda report, _: as_sarif(report),
    "github": as_github,
    "github-review": as_comments,
    "concise": lambda report, _: reviewed(report),
}


def render(report: ReviewReport, name: str, folder: str = "") -> str:
    """The report in one format. `folder` is the target's folder in the repository that a runner checked out."""
    return _WRITERS[name](report, folder)
