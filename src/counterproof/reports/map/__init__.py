"""The map in three formats: lines for a terminal, one HTML file, and JSON with a schema.

Invariant: all three show the same document; texts from the reviewed code are made harmless in each.
"""

from counterproof.reports.html.document import write_page
from counterproof.reports.map.content import content
from counterproof.reports.map.document import MapDocument, document, render_json
from counterproof.reports.map.terminal import render_terminal

__all__ = ["MapDocument", "document", "render_html", "render_json", "render_terminal"]


def render_html(made: MapDocument) -> str:
    """The whole file, with a newline at its end."""
    return write_page(content(made))
