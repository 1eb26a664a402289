"""Explains one finding or hardening recommendation in plain text: flow, considered guards, validation, severity sum.

For a terminal: all text from the reviewed code is made inert here.
"""

from collections.abc import Iterator

from counterproof.model.posture import PostureEntry
from counterproof.model.report import Report, ReportedFinding
from counterproof.reports import first_page, wording
from counterproof.reports.inert import MAX_TEXT, line
from counterproof.reports.screen import wrapped
from counterproof.reports.sections import finding, posture
from counterproof.reports.sections.blocks import Section
from counterproof.reports.text import write_text


def explain(report: Report, row: ReportedFinding | PostureEntry) -> str:
    """The whole explanation of a finding or of a hardening recommendation, ending with a newline."""
    if isinstance(row, PostureEntry):
        head = (f"{row.number}  {row.severity.value.upper()}  {line(row.title)}",)
        entry = Section("posture", "Hardening recommendation, not counted as a finding", posture.entry(row))
        return write_text(head, (entry, *finding.exception(row)))
    found = row.finding
    head = (
        f"{line(row.number)}  {row.severity.value.upper()}  {line(found.title)}",
        f"{line(str(found.location))}  CWE-{found.cwe}  {found.dimension.value} {found.dimension.label}",
        *wrapped("; ".join(_origins(row)), limit=MAX_TEXT),
        f"fingerprint {line(row.fingerprint)}",
        *_labels(row),
        *_alike(report, row),
    )
    return write_text(head, finding.in_full(row))


def _alike(report: Report, row: ReportedFinding) -> Iterator[str]:
    """The other findings that the report shows on the same line."""
    if others := first_page.alike(report, row):
        yield from wrapped(f"the same problem: {', '.join(f'{each.number} {each.finding.location}' for each in others)}")


def _origins(row: ReportedFinding) -> list[str]:
    found = row.finding
    finders = [f"found by {', '.join(found.found_by)}"] if found.found_by else []
    rule = [f"rule {found.rule}"] if found.rule else []
    seen = wording.witnesses(found)
    return [f"confidence {row.confidence.value}", *finders, *([seen] if seen else []), *rule]


def _labels(row: ReportedFinding) -> Iterator[str]:
    words = [*wording.labels(row), *(each for each in (row.history, row.accepted) if each)]
    if words:
        yield from wrapped("; ".join(words), limit=MAX_TEXT)
