"""Renders a report in every format. Pure: the same `Report` gives the same text, and no format adds facts.

Text from the reviewed code is hostile; only `inert` makes it harmless (X11).
"""

from typing import Final

from counterproof.model.errors import UserError
from counterproof.model.formats import files
from counterproof.model.report import Report

FILE_NAMES: Final = files("audit")

FORMATS: Final[tuple[str, ...]] = (*FILE_NAMES, "summary", "github")
"""The complete formats; `concise` has only the findings, for other programs."""


def render(report: Report, format: str, folder: str = "") -> str:  # noqa: A002 (the word that the command line uses)
    """The report in one format. Renderers are imported on demand. Annotations name files relative to the repository that a runner
    checked out: `folder` is the target's folder in it."""
    match format:
        case "markdown":
            from counterproof.reports.markdown import render_markdown as renderer
        case "appendix":
            from counterproof.reports.markdown import render_appendix as renderer
        case "html":
            from counterproof.reports.html import render_html as renderer
        case "json":
            from counterproof.reports.document import render_json as renderer
        case "sarif":
            from counterproof.reports.sarif import render_sarif as renderer
        case "summary":
            from counterproof.reports.summary import render_summary as renderer
        case "github":
            from counterproof.reports.github import render_github

            return render_github(report, folder)
        case "concise":
            from counterproof.reports.concise import audited as renderer
        case _:
            raise UserError(f"unknown report format: {format!r}", f"use one of: {', '.join(FORMATS)}")
    return renderer(report)
