"""The report as JSON: the `Report` itself, field by field in its own order, with a schema version and the exit code.

Values are exact: nothing is shortened or spelled out, so that another program can compare and reload them. The bytes still
hold no unseen character, because those are written as JSON escapes. `schema` describes the document.
"""

from dataclasses import fields
from typing import Final, cast

from counterproof.model.canonical import plain
from counterproof.model.report import Report
from counterproof.reports.inert import json_text

SCHEMA_VERSION: Final = "1.2"
"""The first number changes when a reader must change, the second when a field is added."""

CLOCKED: Final = ("started_at", "completed_at")
"""Fields of an agent's row that tell the time. A report holds no clock; they stand in the receipt."""


def document(report: Report) -> dict[str, object]:
    """The JSON value."""
    values = {each.name: plain(getattr(report, each.name)) for each in fields(report)}
    rows = cast("list[dict[str, object]]", values["agents"])
    values["agents"] = [{name: row[name] for name in row if name not in CLOCKED} for row in rows]
    return {"schema_version": SCHEMA_VERSION, "exit_code": report.outcome.exit.value, **values}


def render_json(report: Report) -> str:
    """The JSON text, with a newline at its end."""
    return json_text(document(report)) + "\n"
