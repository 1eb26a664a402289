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
        """The finding to look at first: a confirmed one, else a claim whose attacker is known, else any claim; Low ones last."""
        reached = (row for row in self.claims if completeness(row.finding) < (True, True))
        every = (*self.confirmed, *reached, *self.claims)
        return min(every, key=lambda row: (not counts_against(row), row.severity is Severity.LOW), default=None)


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
