"""The report as JSON: field by field, with each finding's displayed severity and label added.

`findings` are the accepted ones, in the shape shared by all jobs, so readers of audit findings can read them (R35). `older`
are defects that existed before the change, in the same shape (R46).
"""

from dataclasses import asdict

from counterproof.model.review.conversion import as_older, as_reported
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
    findings = [asdict(each) for each in as_reported(report)]
    fields["older"] = [asdict(each) for each in as_older(report)]
    return json_text({"schema_version": SCHEMA_VERSION, "findings": findings, **fields}) + "\n"
