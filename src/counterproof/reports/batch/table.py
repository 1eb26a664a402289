"""The report on all targets as a table for spreadsheets.

Invariant: no cell is a formula, whatever a target's name: a text that starts like one gets a leading apostrophe, which marks
text in spreadsheets; no cell contains a line break or an invisible character. Numbers are plain numbers.
"""

import csv
import io
from typing import Final

from counterproof.reports.batch.document import BatchDocument, BatchTarget
from counterproof.reports.inert import line

_FORMULA: Final = ("=", "+", "-", "@", "'", "＝", "＋", "－", "＠")
HEADINGS: Final = (
    "target", "revision", "options", "state", "exit_code", "result", "verdict", "critical", "high", "medium", "low", "posture",
    "covered", "counted", "limits", "tokens", "cost_usd", "seconds", "new", "gone", "commit", "run", "report",
)  # fmt: skip


def render_csv(made: BatchDocument) -> str:
    """The whole file."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(HEADINGS)
    writer.writerows(_cells(row) for row in made.targets)
    return stream.getvalue()


def text_cell(text: str) -> str:
    """A cell that every spreadsheet treats as text."""
    shown = line(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def _cells(row: BatchTarget) -> tuple[object, ...]:
    counts = row.counts
    asked = (text_cell(row.target), text_cell(row.revision), text_cell(" ".join(row.options)))
    ended = (row.state, row.exit_code, row.result, text_cell(row.verdict))
    figures = (counts.critical, counts.high, counts.medium, counts.low, counts.posture, row.covered, row.counted)
    spent = (row.tokens, row.cost_usd, row.seconds, _number(row.new), _number(row.gone))
    return (*asked, *ended, *figures, text_cell("; ".join(row.limits)), *spent, row.commit, row.run, text_cell(row.report))


def _number(value: int | None) -> object:
    return "" if value is None else value
