"""The results of reconnaissance: the entry points with their guards (A9, A50). A long table, so it comes last."""

from typing import Final

from counterproof.model.recon import EntryPoint
from counterproof.model.report import Report
from counterproof.reports.sections.blocks import Inline, Section, code, nothing, own, rows_of, text

MAX_ENTRY_POINTS: Final = 300


def entry_points(report: Report) -> tuple[Section, ...]:
    headings = ("Kind", "Method", "Path or topic", "Handler", "Guard")
    rows = map(_entry_point, report.entry_points)
    found = rows_of("entry-points", "Entry points", headings, rows, most=MAX_ENTRY_POINTS)
    return found or (nothing("entry-points", "Entry points", "None found."),)


def _entry_point(each: EntryPoint) -> tuple[Inline, ...]:
    return (own(each.kind.value), text(each.method), code(each.path), code(str(each.handler)), own(each.guard.value))
