"""Renders a report in every format. Pure: the same `Report` gives the same text, and no format adds facts.

Text from the reviewed code is hostile; only `inert` makes it harmless (X11).
"""

from typing import Final

from counterproof.model.errors import UserError
from counterproof.model.report import Report

FILE_NAMES: Final[dict[str, str]] = {
    "markdown": "report.md",
    "appendix": "appendix.md",
    "html": "report.html",
    "json": "report.json",
    "sarif": "report.sarif",
}
"""The formats written to files, with the file names."""

FORMATS: Final[tuple[str, ...]] = (*FILE_NAMES, "summary", "github")
"""All complete formats. The last two are for a terminal and for a runner's log, and have no file."""

CONCISE: Final = "concise"
"""A format with findings only, for other programs."""


def render(report: Report, format: str) -> str:  # noqa: A002 (the word that the command line uses)
    """The report in one of `FORMATS`. Renderers are imported on demand."""
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
            from counterproof.reports.github import render_github as renderer
        case "concise":
            from counterproof.reports.concise import audited as renderer
        case _:
            raise UserError(f"unknown report format: {format!r}", f"use one of: {', '.join(FORMATS)}")
    return renderer(report)
