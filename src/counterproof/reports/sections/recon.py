"""The results of reconnaissance: the entry points with their guards (A9, A50). A long table, so it comes last."""

from typing import Final

from counterproof.model.recon import EntryPoint
from counterproof.model.report import Report
from counterproof.reports.sections.blocks import Inline, Section, Table, code, nothing, own, text
from counterproof.reports.sections.claims import more

MAX_ENTRY_POINTS: Final = 300


def entry_points(report: Report) -> Section:
    if not report.entry_points:
        return nothing("entry-points", "Entry points", "None found.")
    rows = tuple(_entry_point(each) for each in report.entry_points[:MAX_ENTRY_POINTS])
    headings = ("Kind", "Method", "Path or topic", "Handler", "Guard")
    return Section("entry-points", "Entry points", (Table(headings, rows), *more(len(report.entry_points), MAX_ENTRY_POINTS)))


def _entry_point(each: EntryPoint) -> tuple[Inline, ...]:
    return (own(each.kind.value), text(each.method), code(each.path), code(str(each.handler)), own(each.guard.value))
