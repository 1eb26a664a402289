"""Documents as self-contained HTML files: no request, no template engine, no active content except our own script.

A page is readable without a script. With it, cards and tables can be filtered and sorted. Hostile text is stopped twice:
`markup` escapes it, and the policy forbids every script, style and request except our own.
"""

from counterproof.model.report import Report
from counterproof.reports.html.document import write_page


def render_html(report: Report) -> str:
    """The report of an audit, ending with a newline."""
    from counterproof.reports.audit import document

    return write_page(document(report))
