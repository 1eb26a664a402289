"""The report as Markdown: a main file, in the order of A50, and an appendix with the claims in full and the record.

Blocks are separated by one blank line and built by the other modules of this package. The files contain no links, images or
HTML, so nothing in them can lead a reader or a browser anywhere.
"""

from collections.abc import Iterator

from counterproof.model.report import Report
from counterproof.reports import first_page
from counterproof.reports.inert import code, prose
from counterproof.reports.markdown.findings import cards
from counterproof.reports.markdown.sections import sections
from counterproof.reports.sections import by_root, caveats, combinations, opening, posture, record
from counterproof.reports.sections.blocks import Section


def render_markdown(report: Report) -> str:
    """The main file, ending with a newline."""
    summary = Section("summary", "Executive summary", (*opening.result(report), *opening.summary(report)))
    return _file(
        _title(report),
        sections((summary,)),
        ("## Findings",),
        cards(first_page.groups(report).confirmed, "No confirmed finding."),
        sections(combinations(report)),
        sections((opening.coverage(report),)),
        sections(by_root(report)),
        sections(caveats(report)),
        ("The claims and recommendations in full, the protocol's record and the entry points are in appendix.md.",),
    )


def _title(report: Report) -> Iterator[str]:
    yield f"# Security audit of {code(report.target)}"
    if report.banners:
        yield "\n>\n".join(f"> ⚠️ **{prose(banner)}**" for banner in report.banners)


def render_appendix(report: Report) -> str:
    """The appendix, with a newline at its end."""
    found = first_page.groups(report)
    return _file(
        (f"# Appendix to the security audit of {code(report.target)}", "## Claims to check"),
        cards(found.claims, "None."),
        ("## Suspected",),
        cards(found.suspected, "None."),
        ("## Accepted",) if found.accepted else (),
        cards(found.accepted, ""),
        sections(each for each in (posture.in_full(report),) if each),
        sections((opening.statistics(report),)),
        sections(record(report)),
    )


def _file(*parts: Iterator[str] | tuple[str, ...]) -> str:
    return "\n\n".join(block for part in parts for block in part) + "\n"
