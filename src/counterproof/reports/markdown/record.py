"""The record behind the findings: refused claims, limitations, what was left out, agents, phases and sources (A50)."""

from collections.abc import Iterator
from typing import Final

from counterproof.model.agents import Registered
from counterproof.model.report import Report, SourceCount
from counterproof.model.survey import Skipped, SkipReason
from counterproof.reports import wording
from counterproof.reports.inert import cell, cell_code, fenced, prose
from counterproof.reports.markdown.table import bullets, table

MAX_REFUSED: Final = 200
MAX_EXAMPLES: Final = 5
MAX_MARKERS: Final = 1_000


def record(report: Report) -> Iterator[str]:
    yield from _refused(report)
    yield "## Limitations"
    yield bullets(prose(sentence) for sentence in report.limitations) if report.limitations else "None recorded."
    yield from _left_out(report)
    yield from _agents(report)
    yield "## Phase ledger"
    yield fenced("\n".join(report.markers), MAX_MARKERS) if report.markers else "No phase was recorded."
    yield from _sources(report)


def _refused(report: Report) -> Iterator[str]:
    yield "## Refused claims"
    if not report.refused:
        yield "None."
        return
    yield "Verification rejected these claims; they are not findings."
    rows = (
        [cell(each.agent_id), cell(each.title), cell_code(each.place), cell(each.reason)] for each in report.refused[:MAX_REFUSED]
    )
    yield table(["Agent", "Claim", "Place", "Reason"], rows)
    left = len(report.refused) - MAX_REFUSED
    if left > 0:
        yield f"and {left:,} more; the JSON report lists them all."


def _left_out(report: Report) -> Iterator[str]:
    yield "## Left out"
    if not report.skipped:
        yield "Nothing."
        return
    groups = {reason: [each for each in report.skipped if each.reason is reason] for reason in SkipReason}
    rows = [_group(reason, group) for reason, group in groups.items() if group]
    total = sum(each.files for each in report.skipped)
    yield table(["Reason", "Files", "Which"], [*rows, ["**total**", f"**{total:,}**", ""]])


def _group(reason: SkipReason, group: list[Skipped]) -> list[str]:
    shown = [_left_out_path(each) for each in group[:MAX_EXAMPLES]]
    left = len(group) - MAX_EXAMPLES
    if left > 0:
        shown.append(f"and {left:,} more")
    return [reason.value, f"{sum(each.files for each in group):,}", ", ".join(shown)]


def _left_out_path(each: Skipped) -> str:
    notes = [wording.counted(each.files, "file")] if each.files > 1 else []
    if each.detail:
        notes.append(cell(each.detail))
    return cell_code(each.path) + (f" ({', '.join(notes)})" if notes else "")


def _agents(report: Report) -> Iterator[str]:
    yield "## Agents"
    if report.agents:
        headings = ["Agent", "Task", "Round", "Dimensions", "Status", "Output", "Findings"]
        yield table(headings, (_agent(each) for each in report.agents))
    else:
        yield "No agent ran."
    documents = ", ".join(prose(each) for each in report.documents) or "none"
    modules = ", ".join(prose(each) for each in report.modules_loaded) or "none"
    yield bullets([f"Protocol documents: {documents}", f"Knowledge modules: {modules}"])


def _agent(each: Registered) -> list[str]:
    dimensions = ", ".join(dimension.value for dimension in each.dimensions) or "–"
    states = [each.status.value, each.output.value]
    return [cell(each.agent_id), cell(each.task_id), str(each.round), dimensions, *states, str(each.findings)]


def _sources(report: Report) -> Iterator[str]:
    yield "## Source summary"
    total = wording.totals(report)
    rows = [_source(cell(row.source), row) for row in report.sources]
    yield table(["Source", "Raw", "Kept", "Refused", "Repeats"], [*rows, _source("**total**", total)])
    sums = f"{total.raw:,} raw = {total.kept:,} kept + {total.refused:,} refused + {total.repeats:,} repeats"
    if all(wording.adds_up(row) for row in report.sources):
        yield f"{sums}; this report shows {wording.counted(len(report.findings), 'finding')}."
    else:
        yield f"⚠️ **These figures do not add up:** {sums} does not hold for every row."


def _source(name: str, row: SourceCount) -> list[str]:
    return [name, f"{row.raw:,}", f"{row.kept:,}", f"{row.refused:,}", f"{row.repeats:,}"]
