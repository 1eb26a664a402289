"""The coverage of each manifest root of a monorepo: a matrix of statuses, and each root's gaps (A15, A50).

The reasons for covered dimensions are in the JSON report; this shows what needs action.
"""

from typing import Final

from counterproof.model.coverage import DimensionCoverage, Status
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.report import Report, RootCoverage
from counterproof.reports import wording
from counterproof.reports.sections.blocks import Block, Inline, Section, Table, code, more, number, own, sentence, text

MAX_ROOTS: Final = 200
MAX_SHORT: Final = 500
_WORDS: Final = {Status.COVERED: "yes", Status.SHALLOW: "part", Status.UNCOVERED: "no", Status.NOT_APPLICABLE: "N/A"}


def roots(report: Report) -> Section | None:
    """The table of roots; None if there is only one."""
    if not report.roots:
        return None
    names = tuple(dimension.value for dimension in ALL_DIMENSIONS)
    shown = report.roots[:MAX_ROOTS]
    blocks: list[Block] = [
        sentence("Each root was evaluated separately; the result is that of the worst root that counts."),
        Table(("Root", "Kind", "Lines", "Entry points", "Coverage"), tuple(_root(each) for each in shown), figures=(2, 3)),
        Table(("Root", *names), tuple(_statuses(each) for each in shown)),
        *more(len(report.roots), MAX_ROOTS),
    ]
    short = [_short(each, row) for each in report.roots for row in wording.short_rows(each.coverage)]
    if short:
        blocks.append(Table(("Root", "Dimension", "Status", "Reason", "Figures"), tuple(short[:MAX_SHORT])))
        blocks.extend(more(len(short), MAX_SHORT))
    return Section("roots", "Coverage by root", tuple(blocks))


def _root(each: RootCoverage) -> tuple[Inline, ...]:
    kind = "library" if each.library else "application"
    met = wording.threshold_word(each.covered, each.threshold)
    return (
        code(each.name),
        own(kind if each.decides else f"{kind}, too small to count"),
        number(each.loc),
        number(each.entry_points),
        own(f"{each.covered} of {each.counted}, threshold {each.threshold}: {met}"),
    )


def _statuses(each: RootCoverage) -> tuple[Inline, ...]:
    words = {row.dimension: _WORDS[row.status] for row in each.coverage}
    return (code(each.name), *(own(words.get(dimension, "–")) for dimension in ALL_DIMENSIONS))


def _short(root: RootCoverage, row: DimensionCoverage) -> tuple[Inline, ...]:
    name = f"{row.dimension.value} {row.dimension.label}"
    reason = f"{row.reason}; {row.limitation}" if row.limitation else row.reason
    return (code(root.name), own(name), own(wording.plain_status(row)), text(reason), own(wording.figures(row)))
