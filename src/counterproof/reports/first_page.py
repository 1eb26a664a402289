"""Groups findings for readers (A60): confirmed ones, most severe first; claims to check; suspected ones.

Every function derives data from a `Report`; the formats decide on the layout. Texts of the reviewed code are passed through
unchanged.
"""

import re
from typing import Final

from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.guard.groups import Groups, by_kind, grouped
from counterproof.reports.wording import reach

MAX_SENTENCE: Final = 300
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s")


def groups(report: Report) -> Groups:
    return grouped(report.findings, report.first_page)


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
    lines = (kind.rows for group in (found.confirmed, found.claims) for kind in by_kind(group))
    return tuple(each for rows in lines if row in rows for each in rows if each != row)
