"""The map in three formats: lines for a terminal, one HTML file, and JSON with a schema.

Invariant: all three show the same document; texts from the reviewed code are made harmless in each.
"""

from counterproof.reports.map.document import MapDocument, document, render_json
from counterproof.reports.map.page import render_html
from counterproof.reports.map.terminal import render_terminal

__all__ = ["MapDocument", "document", "render_html", "render_json", "render_terminal"]
