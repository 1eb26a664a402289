"""Content that is not a finding: refuted and rejected claims, limitations, omissions (A29, A39, A50)."""

from typing import Final

from counterproof.model.report import RejectedLine, Report
from counterproof.model.survey import Skipped, SkipReason
from counterproof.reports import wording
from counterproof.reports.sections.blocks import (
    Bullets,
    Inline,
    Mark,
    Paragraph,
    Section,
    Span,
    Table,
    code,
    listed,
    nothing,
    number,
    own,
    sentence,
    strong,
    text,
)
from counterproof.reports.weaknesses import weakness

MAX_ROWS: Final = 200
MAX_EXAMPLES: Final = 5


def more(total: int, shown: int) -> tuple[Paragraph, ...]:
    """The note at the end of a truncated list."""
    left = total - shown
    return (sentence(f"and {left:,} more; the JSON report lists them all."),) if left > 0 else ()


def rejected(report: Report) -> Section | None:
    """Findings that a validator refuted. No format reports them as results."""
    if not report.rejected:
        return None
    rows = tuple(_rejected(each) for each in report.rejected[:MAX_ROWS])
    return Section(
        "rejected",
        "Rejected findings",
        (
            sentence("Validation refuted these claims; they are not findings."),
            Table(("Claim", "Where", "Class", "Reason", "Decided at", "Found by"), rows),
            *more(len(report.rejected), MAX_ROWS),
        ),
    )


def _rejected(each: RejectedLine) -> tuple[Inline, ...]:
    finders = listed(tuple(text(agent) for agent in each.found_by), "–")
    return (text(each.title), code(each.place), own(weakness(each.cwe)), text(each.reason), code(each.at), finders)


def refused(report: Report) -> Section:
    if not report.refused:
        return nothing("refused", "Refused claims", "None.")
    rows = tuple(
        (text(each.agent_id), text(each.title), code(each.place), text(each.reason)) for each in report.refused[:MAX_ROWS]
    )
    return Section(
        "refused",
        "Refused claims",
        (
            sentence("Verification rejected these claims; they are not findings."),
            Table(("Agent", "Claim", "Place", "Reason"), rows),
            *more(len(report.refused), MAX_ROWS),
        ),
    )


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
    shown = [_path(each) for each in group[:MAX_EXAMPLES]]
    left = len(group) - MAX_EXAMPLES
    if left > 0:
        shown.append(own(f"and {left:,} more"))
    return (own(reason.value), number(sum(each.files for each in group)), listed(tuple(shown)))


def _path(each: Skipped) -> Inline:
    notes = [own(wording.counted(each.files, "file"))] if each.files > 1 else []
    if each.detail:
        notes.append(text(each.detail))
    if not notes:
        return code(each.path)
    return (*code(each.path), Span(" (", Mark.OWN), *listed(tuple(notes)), Span(")", Mark.OWN))
