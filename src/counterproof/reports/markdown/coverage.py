"""The coverage matrix: every dimension with its status, the reason and the figures behind it (A15, A50)."""

from collections.abc import Iterator

from counterproof.model.coverage import DimensionCoverage
from counterproof.model.report import Report
from counterproof.reports import wording
from counterproof.reports.inert import cell
from counterproof.reports.markdown.table import table


def coverage(report: Report) -> Iterator[str]:
    yield "## Coverage"
    yield f"{wording.coverage_sentence(report)}."
    yield table(["Dimension", "Track", "Status", "Reason", "Figures"], (_row(each) for each in report.coverage))


def _row(row: DimensionCoverage) -> list[str]:
    reason = cell(row.reason)
    if row.limitation:
        reason += f"; {cell(row.limitation)}"
    if row.excluded:
        reason += " (not counted: the missing input lies outside the run)"
    dimension = row.dimension
    return [
        f"{dimension.value} {dimension.label}",
        dimension.track.value,
        wording.plain_status(row),
        reason,
        wording.figures(row),
    ]
