"""Warns the reader if one rule, one source or one file yields far more findings than is usual.

Invariant: no finding is downgraded or omitted, or an attacker could hide findings by flooding; the warning only tells the
reader where to look first. Not handled here: severity, confidence.
"""

from collections import Counter
from collections.abc import Iterable

from counterproof.model.finding import Finding
from counterproof.model.proof import Part
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity

CROWD = 12
"""The number of findings of Medium and above with one thing in common that triggers the warning."""
SHARE = 2
"""They must also be at least one in this many of all findings."""


def crowds(rows: tuple[ReportedFinding, ...]) -> tuple[str, ...]:
    """One sentence for each thing that too many findings share."""
    grave = [row.finding for row in rows if row.severity.rank >= Severity.MEDIUM.rank]
    return (
        *_crowd((finding.rule for finding in grave), len(grave), "come from the rule"),
        *_crowd((source for finding in grave if (source := _source(finding))), len(grave), "start from the source"),
        *_crowd((finding.location.path for finding in grave), len(grave), "lie in the file"),
    )


def _crowd(values: Iterable[str], total: int, what: str) -> tuple[str, ...]:
    counts = Counter(value for value in values if value)
    return tuple(
        f"{count} of {total} findings of Medium and above {what} {value}: one mistake of the analysers or one pattern of the "
        "project may explain all of them. Check two first. Their severity is unchanged."
        for value, count in sorted(counts.items())
        if count >= CROWD and count * SHARE >= total
    )


def _source(finding: Finding) -> str:
    """The origin of the data according to the proof: the same name read everywhere is one source."""
    links = finding.proof.links if finding.proof else ()
    entry = next((link.fact for link in links if link.part is Part.ENTRY), None)
    return f"{entry.operation.value} {entry.symbol}" if entry is not None and entry.symbol else ""
