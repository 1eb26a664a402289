"""Content that is not a finding: refuted and rejected claims, limitations, omissions (A29, A39, A50)."""

from typing import Final

from counterproof.model.report import RejectedLine, Report
from counterproof.model.survey import Skipped, SkipReason
from counterproof.reports import wording
from counterproof.reports.sections.blocks import (
    Bullets,
    Inline,
    Mark,
    Section,
    Span,
    Table,
    code,
    few,
    listed,
    nothing,
    number,
    own,
    rows_of,
    strong,
    text,
)
from counterproof.reports.weaknesses import weakness

MAX_ROWS: Final = 200
MAX_EXAMPLES: Final = 5


def rejected(report: Report) -> tuple[Section, ...]:
    """Findings that a validator refuted. No format reports them as results."""
    headings = ("Claim", "Where", "Class", "Reason", "Decided at", "Found by")
    intro = "Validation refuted these claims; they are not findings."
    return rows_of("rejected", "Rejected findings", headings, map(_rejected, report.rejected), intro, MAX_ROWS)


def _rejected(each: RejectedLine) -> tuple[Inline, ...]:
    finders = listed(tuple(text(agent) for agent in each.found_by), "–")
    return (text(each.title), code(each.place), own(weakness(each.cwe)), text(each.reason), code(each.at), finders)


def refused(report: Report) -> tuple[Section, ...]:
    rows = ((text(each.agent_id), text(each.title), code(each.place), text(each.reason)) for each in report.refused)
    headings, intro = ("Agent", "Claim", "Place", "Reason"), "Verification rejected these claims; they are not findings."
    found = rows_of("refused", "Refused claims", headings, rows, intro, MAX_ROWS)
    return found or (nothing("refused", "Refused claims", "None."),)


def limitations(report: Report) -> Section:
    sentences = wording.limitations(report)
    if not sentences:
        return nothing("limitations", "Limitations", "None recorded.")
    return Section("limitations", "Limitations", (Bullets(tuple(text(each) for each in sentences)),))


def left_out(report: Report) -> Section:
    if not report.skipped:
        return nothing("left-out", "Left out", "Nothing.")
    groups = {reason: [each for each in report.skipped if each.reason is reason] for reason in SkipReason}
    rows = [_group(reason, group) for reason, group in groups.items() if group]
    total = sum(each.files for each in report.skipped)
    rows.append((strong("total"), strong(f"{total:,}"), own("")))
    return Section("left-out", "Left out", (Table(("Reason", "Files", "Which"), tuple(rows), figures=(1,)),))


def _group(reason: SkipReason, group: list[Skipped]) -> tuple[Inline, ...]:
    shown = few([_path(each) for each in group], MAX_EXAMPLES)
    return (own(reason.value), number(sum(each.files for each in group)), shown)


def _path(each: Skipped) -> Inline:
    notes = [own(wording.counted(each.files, "file"))] if each.files > 1 else []
    if each.detail:
        notes.append(text(each.detail))
    if not notes:
        return code(each.path)
    return (*code(each.path), Span(" (", Mark.OWN), *listed(tuple(notes)), Span(")", Mark.OWN))
