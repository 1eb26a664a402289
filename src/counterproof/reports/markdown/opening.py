"""The first screen: banners, verdict, counts, what to fix first; then the figures of the run (A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.recon import EntryPoint
from counterproof.model.report import Report, Scale
from counterproof.reports import wording
from counterproof.reports.inert import cell, cell_code, code, prose
from counterproof.reports.markdown.table import bullets, table

FIX_FIRST: Final = 10
MAX_ENTRY_POINTS: Final = 100


def title(report: Report) -> Iterator[str]:
    yield f"# Security audit of {code(report.target)}"
    if report.banners:
        yield "\n>\n".join(f"> ⚠️ **{prose(banner)}**" for banner in report.banners)


def executive_summary(report: Report) -> Iterator[str]:
    yield "## Executive summary"
    exit_code = report.outcome.exit
    yield f"**Result: {wording.verdict(report)}** (exit code {exit_code.value}: {wording.meaning(exit_code)})."
    if report.outcome.reasons:
        yield bullets(f"exit {reason.code.value}: {prose(reason.text)}" for reason in wording.reasons(report))
    yield table(
        [level.value.capitalize() for level, _ in wording.severity_counts(report)],
        [[str(number) for _, number in wording.severity_counts(report)]],
    )
    yield from _fix_first(report)
    for sentence in report.summary:
        yield prose(sentence)
    yield f"Coverage: {wording.coverage_sentence(report)}."


def _fix_first(report: Report) -> Iterator[str]:
    ordered = wording.by_severity(report)
    if not ordered:
        return
    yield "### Fix first"
    yield table(
        ["No.", "Severity", "Problem", "Where", "Confidence"],
        (
            [
                cell(each.number),
                each.severity.value,
                cell(each.finding.title),
                cell_code(str(each.finding.location)),
                each.finding.confidence.value,
            ]
            for each in ordered[:FIX_FIRST]
        ),
    )
    left = len(ordered) - FIX_FIRST
    if left > 0:
        yield f"and {wording.counted(left, 'more finding')} below."


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
    yield from _entry_points(report)


def _size(scale: Scale) -> str:
    folders = wording.counted(scale.directories, "directory", "directories")
    return f"{wording.counted(scale.files, 'file')} in {folders}, {wording.counted(scale.loc, 'line')} of code"


def _frameworks(report: Report) -> str:
    shown = (f"{prose(each.name)} {prose(each.version)} ({each.confidence.value} confidence)" for each in report.frameworks)
    return ", ".join(shown) or "none recognised"


def _entry_points(report: Report) -> Iterator[str]:
    yield "### Entry points"
    if not report.entry_points:
        yield "None found."
        return
    yield table(
        ["Kind", "Method", "Path or topic", "Handler", "Guard"],
        (_entry_point(each) for each in report.entry_points[:MAX_ENTRY_POINTS]),
    )
    left = len(report.entry_points) - MAX_ENTRY_POINTS
    if left > 0:
        yield f"and {left:,} more; the JSON report lists them all."


def _entry_point(each: EntryPoint) -> list[str]:
    return [each.kind.value, cell(each.method), cell_code(each.path), cell_code(str(each.handler)), each.guard.value]
