"""Groups findings for readers (A60): confirmed ones, most severe first; claims to check; suspected ones.

Every function derives data from a `Report`; the formats decide on the layout. Texts of the reviewed code are passed through
unchanged.
"""

import re
from dataclasses import dataclass
from typing import Final

from counterproof.model.confidence import Confidence
from counterproof.model.counting import counted
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.acceptance import counts_against
from counterproof.reports.wording import by_severity, reach

MAX_SENTENCE: Final = 300
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class Groups:
    """The findings of a report by severity. `confirmed` are on the first page."""

    confirmed: tuple[ReportedFinding, ...]
    claims: tuple[ReportedFinding, ...]
    suspected: tuple[ReportedFinding, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """Findings with the same severity, title, confidence and history: one thing to fix in several locations."""

    fate: str
    rows: tuple[ReportedFinding, ...]


def groups(report: Report) -> Groups:
    first = set(report.first_page)
    rows = by_severity(report)
    rest = [row for row in rows if row.number not in first]
    return Groups(
        tuple(row for row in rows if row.number in first),
        tuple(row for row in rest if row.confidence is not Confidence.SUSPECTED),
        tuple(row for row in rest if row.confidence is Confidence.SUSPECTED),
    )


def fate(row: ReportedFinding) -> str:
    """The history of a finding since an earlier run: accepted, new or persisting; "" without a comparison."""
    return "accepted" if row.accepted else row.history


def kinds(rows: tuple[ReportedFinding, ...]) -> tuple[Kind, ...]:
    """Groups in order of priority: findings that count against the run first, then by severity. Accepted findings are left
    out."""
    found: dict[tuple[bool, int, str, Confidence, str], list[ReportedFinding]] = {}
    for row in rows:
        if not row.accepted:
            key = (not counts_against(row), -row.severity.rank, row.finding.title, row.confidence, fate(row))
            found.setdefault(key, []).append(row)
    ordered = sorted(found, key=lambda key: (key[0], key[1], -key[3].rank))
    return tuple(Kind(key[4], tuple(found[key])) for key in ordered)


def impact_sentence(row: ReportedFinding) -> str:
    """The first sentence of the impact."""
    first = _SENTENCE.split(row.finding.impact.strip(), maxsplit=1)[0]
    return first if len(first) <= MAX_SENTENCE else f"{first[: MAX_SENTENCE - 1]}…"


def who_and_how_sure(row: ReportedFinding) -> str:
    """Who can reach it, its confidence, and who rejects it without a reason that the engine confirmed (A53)."""
    rejected = f"rejected by {' and '.join(row.doubts)}, not confirmed by the engine" if row.doubts else ""
    return "; ".join(part for part in (reach(row), row.confidence.value, rejected) if part)


def suspected_sentence(report: Report) -> str:
    """The number of suspected findings, and where they are listed; '' if there are none."""
    number = len(groups(report).suspected)
    return f"{counted(number, 'further finding')} rest{'s' if number == 1 else ''} only on a pattern or a name" if number else ""
