"""The opening of an audit's report: result, confirmed findings, claims, limits; coverage and figures of the run (A15, A50)."""

from collections.abc import Callable, Iterator
from typing import Final

from counterproof.model.coverage import DimensionCoverage
from counterproof.model.report import Report
from counterproof.protocols.guard.groups import Kind, by_kind
from counterproof.reports import first_page, triage, wording
from counterproof.reports.sections.blocks import (
    Block,
    Bullets,
    Heading,
    Inline,
    Mark,
    Paragraph,
    Section,
    Span,
    Table,
    code,
    listed,
    own,
    sentence,
    strong,
    text,
)

MAX_KINDS: Final = 60
MAX_PLACES: Final = 4


def result(report: Report) -> Iterator[Block]:
    """The verdict with its reasons."""
    exit_code = report.outcome.exit
    meaning = own(f" (exit code {exit_code.value}: {wording.meaning(exit_code)}).")
    yield Paragraph((*strong(f"Result: {wording.verdict(report)}"), *meaning))
    reasons = wording.unsaid_reasons(report)
    if reasons:
        yield Bullets(tuple((*own(f"exit {each.code.value}: "), *text(each.text)) for each in reasons))


def summary(report: Report) -> Iterator[Block]:
    """The findings, most severe first, and the parts that were not examined."""
    groups = first_page.groups(report)
    confirmed, claims = by_kind(groups.confirmed), by_kind(groups.claims)
    yield Heading(own("Confirmed findings"))
    if confirmed:
        headings = ("No.", "Severity", "Problem", "Where", "Impact", "Attacker and confidence")
        yield Table(headings, tuple(map(_kind, confirmed[:MAX_KINDS])))
        yield from _left(confirmed)
    else:
        yield sentence("None.")
    if claims:
        yield Heading(own("Claims to check"))
        yield Bullets(tuple(map(_claim, claims[:MAX_KINDS])))
        yield from _left(claims)
    if groups.suspected:
        yield sentence(f"{groups.unsure[-1]}: see the appendix.")
    yield from (Paragraph(text(each)) for each in report.summary)
    if since := triage.since(report):
        yield sentence(f"Since the earlier run, and by exceptions: {since}.")
    if unseen := triage.not_looked_at(report):
        yield Heading(own("Limits of this audit"))
        yield Bullets(tuple(map(text, unseen)))


def _left(kinds: tuple[Kind, ...]) -> Iterator[Block]:
    left = sum(len(kind.rows) for kind in kinds[MAX_KINDS:])
    if left:
        yield sentence(f"and {wording.counted(left, 'more finding')} in the appendix and in the JSON report.")


def _claim(kind: Kind) -> Inline:
    return (*_numbers(kind), *own(f" ({kind.rows[0].severity.value}) "), *_problem(kind), *own(": "), *_where(kind))


def _kind(kind: Kind) -> tuple[Inline, ...]:
    """Findings of one kind in one row, with their first locations."""
    first = kind.rows[0]
    said = (text(first_page.impact_sentence(first)), text(first_page.who_and_how_sure(first)))
    return (_numbers(kind), own(first.severity.value), _problem(kind), _where(kind), *said)


def _problem(kind: Kind) -> Inline:
    fate = (*own(" ("), *text(kind.fate), *own(")")) if kind.fate else ()
    return (*text(kind.rows[0].finding.title), *fate)


def _numbers(kind: Kind) -> Inline:
    return _few(kind, tuple(each.number for each in kind.rows[:MAX_PLACES]), lambda number: (Span(number, Mark.CARD),))


def _where(kind: Kind) -> Inline:
    return _few(kind, triage.places(kind.rows[:MAX_PLACES]), code)


def _few(kind: Kind, shown: tuple[str, ...], written: Callable[[str], Inline]) -> Inline:
    left = len(kind.rows) - MAX_PLACES
    return listed((*map(written, shown), *((own(f"and {left:,} more"),) if left > 0 else ())))


def coverage(report: Report) -> Section:
    """Every dimension with its status, the reason and the figures behind it."""
    headings = ("Dimension", "Track", "Status", "Reason", "Figures")
    rows = Table(headings, tuple(map(_dimension, report.coverage)))
    return Section("coverage", "Coverage", (sentence(f"{wording.coverage_sentence(report)}."), rows))


def _dimension(row: DimensionCoverage) -> tuple[Inline, ...]:
    reason = text(row.reason)
    if row.limitation:
        reason = (*reason, *own("; "), *text(row.limitation))
    if row.excluded:
        reason = (*reason, *own(" (not counted: the missing input is outside the run)"))
    dimension = row.dimension
    name = own(f"{dimension.value} {dimension.label}")
    return (name, own(dimension.track.value), own(wording.plain_status(row)), reason, own(wording.figures(row)))


def statistics(report: Report) -> Section:
    scale, kept = report.scale, wording.totals(report)
    asked = () if report.mode == report.requested_mode else (*own(" (asked for: "), *text(report.requested_mode), *own(")"))
    folders = wording.counted(scale.directories, "directory", "directories")
    frameworks = tuple(
        (*text(wording.framework(each)), *own(f" ({each.confidence.value} confidence)")) for each in report.frameworks
    )
    claims = f"{kept.raw:,} raw, {kept.kept:,} kept, {kept.refused:,} refused, {kept.repeats:,} repeats"
    facts: tuple[tuple[str, Inline], ...] = (
        ("Program", (*own("Counterproof "), *text(report.version))),
        ("Mode", (*text(report.mode), *asked)),
        ("Size", own(f"{wording.counted(scale.files, 'file')} in {folders}, {wording.counted(scale.loc, 'line')} of code")),
        ("Lines by language", listed(tuple((*text(name), *own(f" {loc:,}")) for name, loc in scale.languages))),
        ("Project type", text(report.project_type)),
        ("Frameworks", listed(frameworks, "none recognised")),
        ("Dependencies", own(f"{report.dependencies:,}")),
        ("Agents", own(f"{len(report.agents):,}")),
        ("Claims", own(claims)),
        ("Left out", own(wording.counted(sum(each.files for each in report.skipped), "file"))),
    )
    return Section("statistics", "Statistics", (Bullets(tuple((*own(f"{name}: "), *value) for name, value in facts)),))
