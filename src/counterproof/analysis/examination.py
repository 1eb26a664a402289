"""The result of one family of checks: findings, and the record of its coverage.

The toolbox copies `searches`, `traces` and `items` into the agent's ledger; coverage is computed from them. A family without
findings still records its searches, because an empty search is the proof of absence.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.ledger import Comparison, Item, Search, Trace
from counterproof.model.location import Location
from counterproof.model.survey import Unread


@dataclass(frozen=True, slots=True)
class Examination:
    """Facts and candidates. `limitations` are sentences for the report: what could not be examined, and why.

    `finished` is False if time ran out before every file was examined; `unread` are files that could not be read completely."""

    findings: tuple[Finding, ...] = ()
    searches: tuple[Search, ...] = ()
    traces: tuple[Trace, ...] = ()
    items: tuple[Item, ...] = ()
    limitations: tuple[str, ...] = ()
    finished: bool = True
    comparisons: tuple[Comparison, ...] = ()
    entries: tuple[Location, ...] = ()
    endpoints: tuple[Location, ...] = ()
    unread: tuple[Unread, ...] = ()


def united(parts: Iterable[Examination]) -> Examination:
    """All examinations merged, in the given order."""
    every = list(parts)
    return Examination(
        tuple(finding for part in every for finding in part.findings),
        tuple(search for part in every for search in part.searches),
        tuple(trace for part in every for trace in part.traces),
        tuple(item for part in every for item in part.items),
        tuple(sentence for part in every for sentence in part.limitations),
        all(part.finished for part in every),
        tuple(comparison for part in every for comparison in part.comparisons),
        tuple(sorted({entry for part in every for entry in part.entries})),
        tuple(sorted({endpoint for part in every for endpoint in part.endpoints})),
        tuple(dict.fromkeys(each for part in every for each in part.unread)),
    )


def restricted(whole: Examination, dimensions: Iterable[Dimension]) -> Examination:
    """The part of an examination for these dimensions. Visited places and limitations apply to all of them."""
    wanted = frozenset(dimensions)
    return replace(
        whole,
        findings=tuple(finding for finding in whole.findings if finding.dimension in wanted),
        searches=tuple(search for search in whole.searches if search.dimension in wanted),
        traces=tuple(trace for trace in whole.traces if trace.dimension in wanted),
        items=tuple(item for item in whole.items if item.dimension in wanted),
    )
