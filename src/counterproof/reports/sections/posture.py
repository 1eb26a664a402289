"""Posture as a section of its own: one row per kind and project root, with its places (A56)."""

from typing import Final

from counterproof.model.posture import PostureEntry
from counterproof.model.report import Report, root_name
from counterproof.reports.sections.blocks import Inline, Section, Table, code, listed, own, sentence, text
from counterproof.reports.sections.claims import more
from counterproof.reports.weaknesses import weakness

MAX_ROWS: Final = 200
MAX_PLACES: Final = 12


def posture(report: Report) -> Section | None:
    """None if there are no posture entries."""
    if not report.posture:
        return None
    rows = tuple(_row(each) for each in report.posture[:MAX_ROWS])
    return Section(
        "posture",
        "Hardening",
        (
            sentence(
                "Weaknesses of configuration or habit rather than of one place. They fail the run only with --fail-on-posture."
            ),
            Table(("No.", "Severity", "What", "Class", "Root", "Places", "Remedy"), rows),
            *more(len(report.posture), MAX_ROWS),
        ),
    )


def _row(each: PostureEntry) -> tuple[Inline, ...]:
    shown = tuple(code(str(place)) for place in each.places[:MAX_PLACES])
    left = len(each.places) - MAX_PLACES
    places = listed((*shown, own(f"and {left:,} more")) if left > 0 else shown)
    said = text(f"{each.title} ({each.accepted})" if each.accepted else each.title)
    return (
        own(each.number),
        own(each.severity.value),
        said,
        own(weakness(each.cwe)),
        code(root_name(each.root)),
        places,
        text(each.remedy),
    )
