"""The report as JSON: the `Report` field by field in its own order, with a schema version and the exit code.

Values are exact, neither shortened nor escaped for display, so that other programs can compare and reload them. Invisible
characters are written as JSON escapes. `schema` describes the document.
"""

from dataclasses import fields
from typing import Final, cast

from counterproof.model.canonical import plain
from counterproof.model.report import Report
from counterproof.reports.inert import json_text

SCHEMA_VERSION: Final = "1.2"
"""The first number changes if readers must change, the second if a field is added."""

CLOCKED: Final = ("started_at", "completed_at")
"""Time fields of an agent's row. Reports contain no times; they are in the receipt."""


ELSEWHERE: Final = ("map",)
"""Fields that `counterproof map --format json` writes."""


def document(report: Report) -> dict[str, object]:
    """The report as a JSON value."""
    values = {each.name: plain(getattr(report, each.name)) for each in fields(report) if each.name not in ELSEWHERE}
    rows = cast("list[dict[str, object]]", values["agents"])
    values["agents"] = [{name: row[name] for name in row if name not in CLOCKED} for row in rows]
    return {"schema_version": SCHEMA_VERSION, "exit_code": report.outcome.exit.value, **values}


def render_json(report: Report) -> str:
    """The JSON text, with a newline at its end."""
    return json_text(document(report)) + "\n"
