"""Several hunts of one audit (A67): which of them found a finding, and how far they agree.

Invariant: pure; analysts' findings belong to no hunt, and a finding of a hunt's later tasks counts for that hunt.
"""

from dataclasses import replace
from itertools import combinations
from statistics import mean

from counterproof.model.contract import Role
from counterproof.model.finding import Finding
from counterproof.model.report import ReportedFinding
from counterproof.model.severity import Severity
from counterproof.protocols.audit.state import AuditState, known

FIRST_ROUND = 1


def hunts_of(state: AuditState, finding: Finding) -> frozenset[int]:
    """The hunts that found it independently of each other."""
    hunters = {
        task.agent_id: task.hunt for task in state.tasks if task.model and task.role is Role.HUNTER and task.round == FIRST_ROUND
    }
    return frozenset(hunters[agent] for agent in finding.found_by if agent in hunters)


def with_hunts(state: AuditState, rows: tuple[ReportedFinding, ...]) -> tuple[ReportedFinding, ...]:
    """The report's findings; if there were several hunts, each with how many of them found it."""
    number = known(state.request).hunts
    if number == 1:
        return rows
    seen = ((row, len(hunts_of(state, row.finding))) for row in rows)
    return tuple(replace(row, labels=(*row.labels, f"seen by {k} of {number} hunts")) if k else row for row, k in seen)


def agreement(state: AuditState, rows: tuple[ReportedFinding, ...]) -> str:
    """How far the hunts agree: shared root causes as a share of all, Medium and above, averaged over pairs of hunts; '' for
    one hunt."""
    number = known(state.request).hunts
    if number == 1:
        return ""
    weighty = [row for row in rows if row.severity.rank >= Severity.MEDIUM.rank]
    seen = [found for row in weighty if (found := hunts_of(state, row.finding))]
    shares = [_shared(seen, one, other) for one, other in combinations(range(1, number + 1), 2)]
    known_shares = [each for each in shares if each is not None]
    if not known_shares:
        return f"{number} hunts; none found anything at Medium or above."
    return f"{number} hunts agree to {mean(known_shares):.2f}: shared causes of all causes, Medium and above, mean of pairs."


def _shared(seen: list[frozenset[int]], one: int, other: int) -> float | None:
    either = [each for each in seen if one in each or other in each]
    return sum(one in each and other in each for each in either) / len(either) if either else None
