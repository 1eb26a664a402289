"""The first screen: banners, verdict, counts, priorities; then the figures of the run (A50)."""

from collections.abc import Callable, Iterator
from typing import Final

from counterproof.model.report import Report, Scale
from counterproof.protocols.guard.groups import Kind, by_kind
from counterproof.reports import first_page, triage, wording
from counterproof.reports.inert import cell, cell_code, code, prose
from counterproof.reports.markdown.table import bullets, table

MAX_KINDS: Final = 60
MAX_PLACES: Final = 4


def title(report: Report) -> Iterator[str]:
    yield f"# Security audit of {code(report.target)}"
    if report.banners:
        yield "\n>\n".join(f"> ⚠️ **{prose(banner)}**" for banner in report.banners)


def executive_summary(report: Report) -> Iterator[str]:
    yield "## Executive summary"
    exit_code = report.outcome.exit
    yield f"**Result: {wording.verdict(report)}** (exit code {exit_code.value}: {wording.meaning(exit_code)})."
    reasons = wording.unsaid_reasons(report)
    if reasons:
        yield bullets(f"exit {reason.code.value}: {prose(reason.text)}" for reason in reasons)
    yield from _confirmed(report)
    yield from _claims(report)
    for sentence in report.summary:
        yield prose(sentence)
    since = triage.since(report)
    if since:
        yield f"Since the earlier run, and by exceptions: {since}."
    unseen = triage.not_looked_at(report)
    if unseen:
        yield "### Limits of this audit"
        yield bullets(prose(each) for each in unseen)


def _confirmed(report: Report) -> Iterator[str]:
    """Demonstrated, proved and validated findings, most severe first, with a sentence each."""
    kinds = by_kind(first_page.groups(report).confirmed)
    yield "### Confirmed findings"
    if not kinds:
        yield "None."
        return
    headings = ["No.", "Severity", "Problem", "Where", "What it does", "Who and how sure"]
    yield table(headings, (_kind(each) for each in kinds[:MAX_KINDS]))
    yield from _left(kinds[MAX_KINDS:])


def _claims(report: Report) -> Iterator[str]:
    """Claims, one line each, and the number of suspected findings."""
    groups = first_page.groups(report)
    kinds = by_kind(groups.claims)
    if kinds:
        yield "### Claims to check"
        yield bullets(_claim(each) for each in kinds[:MAX_KINDS])
        yield from _left(kinds[MAX_KINDS:])
    if groups.suspected:
        yield f"{groups.unsure[-1]}: see the appendix."


def _left(kinds: tuple[Kind, ...]) -> Iterator[str]:
    left = sum(len(kind.rows) for kind in kinds)
    if left:
        yield f"and {wording.counted(left, 'more finding')} in the appendix and in the JSON report."


def _claim(kind: Kind) -> str:
    first = kind.rows[0]
    return f"{_numbers(kind, cell)} ({first.severity.value}) {prose(first.finding.title)}{_fate(kind)}: {_where(kind, code)}"


def _kind(kind: Kind) -> list[str]:
    """Findings of one kind in one row, with their first locations."""
    first = kind.rows[0]
    return [
        _numbers(kind, cell),
        first.severity.value,
        f"{cell(first.finding.title)}{_fate(kind)}",
        _where(kind, cell_code),
        cell(first_page.impact_sentence(first)),
        cell(first_page.who_and_how_sure(first)),
    ]


def _fate(kind: Kind) -> str:
    return f" ({cell(kind.fate)})" if kind.fate else ""


def _numbers(kind: Kind, written: Callable[[str], str]) -> str:
    return ", ".join([*(written(each.number) for each in kind.rows[:MAX_PLACES]), *_rest(kind)])


def _where(kind: Kind, written: Callable[[str], str]) -> str:
    return ", ".join([*(written(each) for each in triage.places(kind.rows[:MAX_PLACES])), *_rest(kind)])


def _rest(kind: Kind) -> list[str]:
    left = len(kind.rows) - MAX_PLACES
    return [f"and {left:,} more"] if left > 0 else []


def statistics(report: Report) -> Iterator[str]:
    yield "## Statistics"
    asked = "" if report.mode == report.requested_mode else f" (asked for: {prose(report.requested_mode)})"
    languages = ", ".join(f"{prose(name)} {loc:,}" for name, loc in report.scale.languages) or "none"
    kept = wording.totals(report)
    yield bullets(
        [
            f"Program: Counterproof {prose(report.version)}",
            f"Mode: {prose(report.mode)}{asked}",
            f"Size: {_size(report.scale)}",
            f"Lines by language: {languages}",
            f"Project type: {prose(report.project_type)}",
            f"Frameworks: {_frameworks(report)}",
            f"Dependencies: {report.dependencies:,}",
            f"Agents: {len(report.agents):,}",
            f"Claims: {kept.raw:,} raw, {kept.kept:,} kept, {kept.refused:,} refused, {kept.repeats:,} repeats",
            f"Left out: {wording.counted(sum(each.files for each in report.skipped), 'file')}",
        ]
    )


def _size(scale: Scale) -> str:
    folders = wording.counted(scale.directories, "directory", "directories")
    return f"{wording.counted(scale.files, 'file')} in {folders}, {wording.counted(scale.loc, 'line')} of code"


def _frameworks(report: Report) -> str:
    shown = (f"{prose(wording.framework(each))} ({each.confidence.value} confidence)" for each in report.frameworks)
    return ", ".join(shown) or "none recognised"
