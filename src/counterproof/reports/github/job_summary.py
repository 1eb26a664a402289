"""GitHub's job summary: the verdict, new and earlier findings, and what was not covered.

Invariant: bounded to the runner's limit (1 MiB); the same inert Markdown as the report. It contains only facts of the report.
"""

from collections.abc import Iterator
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.acceptance import counts_against
from counterproof.reports import triage, wording
from counterproof.reports.inert import cell, cell_code, code, prose
from counterproof.reports.markdown.table import bullets, table

MAX_ROWS: Final = 100
_MAX_CELL: Final = 300


def render_job_summary(report: Report) -> str:
    """The Markdown, with a newline at its end."""
    return "\n\n".join(_parts(report)) + "\n"


def _parts(report: Report) -> Iterator[str]:
    exit_code = report.outcome.exit
    yield f"## Counterproof: {wording.verdict(report)} in {code(report.target)}"
    yield f"Exit code {exit_code.value}: {wording.meaning(exit_code)}."
    sentences = [*report.banners, *(reason.text for reason in wording.unsaid_reasons(report))]
    if sentences:
        yield bullets(prose(each) for each in sentences)
    yield from _findings(report)
    if report.posture:
        yield f"Hardening: {prose(wording.posture_sentence(report))}."
    yield f"Coverage: {wording.coverage_sentence(report)}."
    unseen = triage.not_looked_at(report)
    if unseen:
        yield "### Limits of this audit"
        yield bullets(prose(each) for each in unseen)


def _findings(report: Report) -> Iterator[str]:
    against = [row for row in wording.by_severity(report) if counts_against(row)]
    compared = any(row.history for row in report.findings) or bool(report.fixed)
    if against:
        yield f"### {'New findings' if compared else 'Findings'}"
        yield table(["No.", "Severity", "Problem", "Where", "Fix"], (_row(each) for each in against[:MAX_ROWS]))
        if len(against) > MAX_ROWS:
            yield f"and {wording.counted(len(against) - MAX_ROWS, 'more finding')} in the full report."
    elif compared:
        yield "Nothing is new."
    since = triage.since(report)
    if since:
        yield f"In all: {since}."


def _row(row: ReportedFinding) -> list[str]:
    finding = row.finding
    return [
        cell(row.number),
        row.severity.value,
        f"{cell(finding.title, _MAX_CELL)} (CWE-{finding.cwe})",
        cell_code(str(finding.location)),
        cell(finding.remedy, _MAX_CELL),
    ]
