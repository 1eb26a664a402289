"""The report as JSON: exactly the protocol's schemas, field by field (P4, P14)."""

from dataclasses import asdict

from counterproof.model.plan.report import PlanReport
from counterproof.reports.inert import json_text
from counterproof.reports.plan.states import state_document

SCHEMA_VERSION = 1


def as_json(report: PlanReport) -> str:
    """The whole report."""
    fields = asdict(report)
    fields["iterations"] = [state_document(each) for each in report.iterations]
    fields["complexity"] = dict(report.complexity)
    fields["score"] = report.score
    return json_text({"schema_version": SCHEMA_VERSION, **fields}) + "\n"
