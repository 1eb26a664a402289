"""Output for GitHub's runner: annotations at the lines of a change, then the summary of the run; and a job summary in
Markdown.

The runner executes certain log lines as commands, so every other line is made unable to be one. Invariant: only findings that
are certain enough to act on and count against the run are annotated, most severe first; GitHub shows ten annotations per level
and silently drops the rest, so the rest is counted here. Not handled here: writing to the runner's files.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.model.severity import Severity
from counterproof.protocols.guard.acceptance import counts_against
from counterproof.reports import wording
from counterproof.reports.github.job_summary import render_job_summary
from counterproof.reports.inert import workflow_data, workflow_line, workflow_property
from counterproof.reports.summary import render_summary

__all__ = ["annotations", "render_github", "render_job_summary"]

PER_LEVEL: Final = 10
"""The annotations per level that GitHub shows for a step."""
_LEVELS: Final = {Severity.CRITICAL: "error", Severity.HIGH: "error", Severity.MEDIUM: "warning", Severity.LOW: "notice"}
_MAX_TITLE: Final = 200
_MAX_MESSAGE: Final = 1_000


def render_github(report: Report, folder: str = "") -> str:
    """The log lines. `folder` is the target's folder in the repository, if it is not the top."""
    sure = set(report.first_page)
    counting = (row for row in wording.by_severity(report) if counts_against(row) and row.number in sure)
    return "\n".join((*annotations(counting, folder), *map(workflow_line, render_summary(report).splitlines()))) + "\n"


def annotations(rows: Iterable[ReportedFinding], folder: str) -> Iterator[str]:
    """One annotation per finding, up to GitHub's limit."""
    shown: dict[str, int] = {}
    for row in rows:
        level = _LEVELS.get(row.severity, "notice")
        shown[level] = shown.get(level, 0) + 1
        if shown[level] <= PER_LEVEL:
            yield _annotation(level, row, folder)
    left = sum(max(0, number - PER_LEVEL) for number in shown.values())
    if left:
        yield f"{wording.counted(left, 'more finding')} without an annotation, because GitHub shows {PER_LEVEL} of a level."


def _annotation(level: str, row: ReportedFinding, folder: str) -> str:
    finding = row.finding
    path = f"{folder}/{finding.location.path}" if folder else finding.location.path
    properties = {
        "file": path,
        "line": str(finding.location.start),
        "endLine": str(finding.location.end),
        "title": f"{row.number} {finding.title} (CWE-{finding.cwe}, {row.severity.value}, {row.confidence.value})"[:_MAX_TITLE],
    }
    listed = ",".join(f"{name}={workflow_property(value)}" for name, value in properties.items())
    return f"::{level} {listed}::{workflow_data(_message(row), _MAX_MESSAGE)}"


def _message(row: ReportedFinding) -> str:
    finding = row.finding
    start = finding.flow.source.location if finding.flow else finding.location
    source = f"From {start}. " if start != finding.location else ""
    remedy = f" Fix: {finding.remedy}" if finding.remedy else ""
    return f"{source}{finding.impact}{remedy}"
