"""The report as JSON: the report itself, field by field, with how each finding is shown and labelled beside it."""

from dataclasses import asdict

from counterproof.model.review.finding import shown
from counterproof.model.review.report import ReviewReport
from counterproof.reports.inert import json_text

SCHEMA_VERSION = 1


def as_json(report: ReviewReport) -> str:
    """The whole report."""
    fields = asdict(report)
    for row, each in zip(fields["resolved"], report.resolved, strict=True):
        row["shown"] = shown(each.severity).value
        row["label"] = each.label
    return json_text({"schema_version": SCHEMA_VERSION, **fields}) + "\n"
