"""Groups the findings of a report for readers (A60) and counts them.

Invariant: every finding is in exactly one group, so the counts of the groups add up to the number of findings. Every surface
prints these counts. Not handled here: layout.
"""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from counterproof.model.confidence import Confidence
from counterproof.model.finding import Finding
from counterproof.model.proof import shows_reach
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity
from counterproof.protocols.guard.acceptance import counts_against


@dataclass(frozen=True, slots=True)
class Groups:
    """`confirmed` are on the first page, `accepted` were accepted by the user, whatever their confidence."""

    confirmed: tuple[ReportedFinding, ...]
    claims: tuple[ReportedFinding, ...]
    suspected: tuple[ReportedFinding, ...]
    accepted: tuple[ReportedFinding, ...]

    @property
    def counts(self) -> tuple[str, ...]:
        """The size of each group in words; only the first is stated without findings."""
        accepted = (f"{len(self.accepted):,} accepted for a while",) if self.accepted else ()
        return (self.sure, *self.unsure, *accepted)

    @property
    def sure(self) -> str:
        """The confirmed findings by severity."""
        levels = [row.severity for row in self.confirmed]
        counts = (f"{levels.count(level):,} {level.value}" for level in Severity if level in levels)
        return f"{', '.join(counts)} confirmed" if levels else "none confirmed"

    @property
    def unsure(self) -> tuple[str, ...]:
        """The numbers of claims and of suspected findings."""
        words = ((len(self.claims), "to check"), (len(self.suspected), "suspected from a pattern or a name only"))
        return tuple(f"{number:,} {each}" for number, each in words if number)

    @property
    def first(self) -> ReportedFinding | None:
        """The finding to look at first: the first confirmed one, unless a Critical or High claim is more severe."""
        sure, unsure = (next((kind.rows[0] for kind in by_kind(rows)), None) for rows in (self.confirmed, self.claims))
        if sure is None or unsure is None:
            return sure or unsure
        return unsure if unsure.severity.rank > max(sure.severity.rank, Severity.MEDIUM.rank) else sure


@dataclass(frozen=True, slots=True)
class Kind:
    """Findings with the same severity, title, confidence and history: one thing to fix in several locations."""

    fate: str
    rows: tuple[ReportedFinding, ...]


def fate(row: ReportedFinding) -> str:
    """The history of a finding since an earlier run: accepted, new or persisting; "" without a comparison."""
    return "accepted" if row.accepted else row.history


def by_kind(rows: tuple[ReportedFinding, ...]) -> tuple[Kind, ...]:
    """Groups in order of priority: findings that count against the run first, then by severity; in a group the best evidence
    first. Accepted findings are left out."""
    found: dict[tuple[bool, int, str, Confidence, str], list[ReportedFinding]] = {}
    for row in rows:
        if not row.accepted:
            key = (not counts_against(row), -row.severity.rank, row.finding.title, row.confidence, fate(row))
            found.setdefault(key, []).append(row)
    ordered = sorted(found, key=lambda key: (key[0], key[1], -key[3].rank))
    return tuple(Kind(key[4], tuple(sorted(found[key], key=lambda row: completeness(row.finding)))) for key in ordered)


def grouped(findings: Iterable[ReportedFinding], first_page: Container[str]) -> Groups:
    """The findings by group, Critical first, otherwise in their order. `first_page` are the numbers of confirmed findings."""
    rows = sorted(findings, key=lambda row: -row.severity.rank)
    groups: dict[str, list[ReportedFinding]] = {"confirmed": [], "claims": [], "suspected": [], "accepted": []}
    for row in rows:
        unsure = "suspected" if row.confidence is Confidence.SUSPECTED else "claims"
        groups["accepted" if row.accepted else "confirmed" if row.number in first_page else unsure].append(row)
    return Groups(**{name: tuple(each) for name, each in groups.items()})


def completeness(finding: Finding) -> tuple[bool, ...]:
    """Sort key: findings whose proof leads from an entry to the sink first, then those with a complete flow."""
    return (
        finding.proof is None or not shows_reach(finding.proof),
        finding.flow is None or not finding.flow.complete,
    )
