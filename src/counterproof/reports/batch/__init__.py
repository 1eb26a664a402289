"""The report on all targets of a batch: an HTML page, Markdown, a JSON document, a CSV table.

Invariant: all have the same content, because all are made from `document`; names, addresses and sentences are hostile and are
made harmless in each format; each target's own reports are in subfolders and linked. Not handled here: the content of those
reports.
"""

from typing import Final

from counterproof.reports.batch.content import content
from counterproof.reports.batch.document import BatchReport, document, render_json
from counterproof.reports.batch.table import render_csv
from counterproof.reports.html.document import write_page
from counterproof.reports.markdown.sections import write_markdown

__all__ = ["FILE_NAMES", "BatchReport", "document", "rendered"]

FILE_NAMES: Final = {"html": "index.html", "markdown": "index.md", "json": "batch.json", "csv": "batch.csv"}


def rendered(report: BatchReport) -> tuple[tuple[str, str], ...]:
    """The name and text of each file."""
    made = document(report)
    shown = content(made)
    return (
        (FILE_NAMES["json"], render_json(made)),
        (FILE_NAMES["csv"], render_csv(made)),
        (FILE_NAMES["markdown"], write_markdown(shown)),
        (FILE_NAMES["html"], write_page(shown)),
    )
