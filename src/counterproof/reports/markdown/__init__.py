"""The report as one Markdown file, in the order of A50: what to fix first stands at the top, the record and the entry
points at the end.

Blocks are separated by one blank line and made by the modules beside this one. The file holds no link, image or HTML at
all, so nothing in it can lead a reader or a browser anywhere.
"""

from counterproof.model.report import Report
from counterproof.reports.markdown.coverage import coverage
from counterproof.reports.markdown.findings import findings
from counterproof.reports.markdown.opening import executive_summary, statistics, title
from counterproof.reports.markdown.sections import sections
from counterproof.reports.sections import by_root, caveats, combinations, record


def render_markdown(report: Report) -> str:
    """The whole file, with a newline at its end."""
    blocks = [
        *title(report),
        *executive_summary(report),
        *statistics(report),
        *coverage(report),
        *sections(by_root(report)),
        *findings(report),
        *sections(combinations(report)),
        *sections(caveats(report)),
        *sections(record(report)),
    ]
    return "\n\n".join(blocks) + "\n"
