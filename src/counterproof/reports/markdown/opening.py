"""The first screen: banners, verdict, counts, what to fix first; then the figures of the run (A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.report import Report, Scale
from counterproof.reports import triage, wording
from counterproof.reports.inert import cell, cell_code, code, prose
from counterproof.reports.markdown.table import bullets, table
from counterproof.reports.triage import Kind

FIX_FIRST: Final = 10
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
    yield table(
        [level.value.capitalize() for level, _ in wording.severity_counts(report)],
        [[str(number) for _, number in wording.severity_counts(report)]],
    )
    yield from _fix_first(report)
    for sentence in report.summary:
        yield prose(sentence)
    since = triage.since(report)
    if since:
        yield f"Since the earlier run, and by exceptions: {since}."
    unseen = triage.not_looked_at(report)
    if unseen:
        yield "### Limits of this audit"
        yield bullets(prose(each) for each in unseen)


def _fix_first(report: Report) -> Iterator[str]:
    kinds = triage.kinds(report)
    if not kinds:
        return
    yield "### Fix first"
    yield table(["No.", "Severity", "Problem", "Where", "Confidence"], (_kind(each) for each in kinds[:FIX_FIRST]))
    left = sum(len(kind.rows) for kind in kinds[FIX_FIRST:])
    if left > 0:
        yield f"and {wording.counted(left, 'more finding')} below."


def _kind(kind: Kind) -> list[str]:
    """Findings of one kind in one row, with the first of their places."""
    first = kind.rows[0]
    numbers = [cell(each.number) for each in kind.rows[:MAX_PLACES]]
    places = [cell_code(each) for each in triage.places(kind.rows[:MAX_PLACES])]
    left = len(kind.rows) - len(places)
    rest = [f"and {left:,} more"] if left > 0 else []
    confidences = dict.fromkeys(each.finding.confidence.value for each in kind.rows)
    fate = f" ({cell(kind.fate)})" if kind.fate else ""
    return [
        ", ".join([*numbers, *rest]),
        first.severity.value,
        f"{cell(first.finding.title)}{fate}",
        ", ".join([*places, *rest]),
        ", ".join(confidences),
    ]


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
