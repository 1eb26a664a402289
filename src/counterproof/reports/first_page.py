"""Groups findings for readers (A60): confirmed ones, most severe first; claims to check; suspected ones.

Every function derives data from a `Report`; the formats decide on the layout. Texts of the reviewed code are passed through
unchanged.
"""

import re
from dataclasses import dataclass
from typing import Final

from counterproof.model.confidence import Confidence
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.acceptance import counts_against
from counterproof.protocols.guard.groups import Groups, completeness, grouped
from counterproof.reports.wording import reach

MAX_SENTENCE: Final = 300
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")


@dataclass(frozen=True, slots=True)
class Kind:
    """Findings with the same severity, title, confidence and history: one thing to fix in several locations."""

    fate: str
    rows: tuple[ReportedFinding, ...]


def groups(report: Report) -> Groups:
    return grouped(report.findings, report.first_page)


def fate(row: ReportedFinding) -> str:
    """The history of a finding since an earlier run: accepted, new or persisting; "" without a comparison."""
    return "accepted" if row.accepted else row.history


def kinds(rows: tuple[ReportedFinding, ...]) -> tuple[Kind, ...]:
    """Groups in order of priority: findings that count against the run first, then by severity; in a group the best evidence
    first. Accepted findings are left out."""
    found: dict[tuple[bool, int, str, Confidence, str], list[ReportedFinding]] = {}
    for row in rows:
        if not row.accepted:
            key = (not counts_against(row), -row.severity.rank, row.finding.title, row.confidence, fate(row))
            found.setdefault(key, []).append(row)
    ordered = sorted(found, key=lambda key: (key[0], key[1], -key[3].rank))
    return tuple(Kind(key[4], tuple(sorted(found[key], key=lambda row: completeness(row.finding)))) for key in ordered)


def impact_sentence(row: ReportedFinding) -> str:
    """The first sentence of the impact."""
    first = _SENTENCE.split(row.finding.impact.strip(), maxsplit=1)[0]
    return first if len(first) <= MAX_SENTENCE else f"{first[: MAX_SENTENCE - 1]}…"


def who_and_how_sure(row: ReportedFinding) -> str:
    """Who can reach it, its confidence, and who rejects it without a reason that the engine confirmed (A53)."""
    rejected = f"rejected by {' and '.join(row.doubts)}, not confirmed by the engine" if row.doubts else ""
    return "; ".join(part for part in (reach(row), row.confidence.value, rejected) if part)


def alike(report: Report, row: ReportedFinding) -> tuple[ReportedFinding, ...]:
    """The other findings that the report shows on the same line as this one."""
    found = groups(report)
    lines = (kind.rows for group in (found.confirmed, found.claims) for kind in kinds(group))
    return tuple(each for rows in lines if row in rows for each in rows if each != row)
