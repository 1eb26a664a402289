"""Resolution by vote (R18, R19). Nobody is asked anything here: the pool and the counts follow from the positions on record."""

from collections import Counter
from collections.abc import Iterable

from counterproof.model.review.finding import ReviewFinding
from counterproof.model.review.position import Defence, Position, Resolution, Resolved, Stance
from counterproof.model.severity import Severity

REDUCED = "only its author spoke on this finding; confidence is reduced"


def majority(pool: int) -> int:
    """A strict majority, which is also the quorum: ⌈(N + 1) / 2⌉."""
    return pool // 2 + 1


def resolve(
    finding: ReviewFinding, positions: Iterable[Position], team: int, defence: Defence | None = None, voters: Iterable[str] = ()
) -> Resolved:
    """Count. `voters` have a vote, which the devil's advocate has not. Each votes once: the last word counts."""
    entitled = set(voters)
    last = {
        each.specialist: each
        for each in positions
        if each.finding_id == finding.id and each.specialist != finding.specialist and each.specialist in entitled
    }
    spoken = tuple(last[name] for name in sorted(last) if last[name].stance is not Stance.ABSTAIN)
    pool = (finding.specialist, *(each.specialist for each in spoken))
    if defence is not None and not defence.stands:
        return Resolved(finding, Resolution.DISMISSED, finding.severity, pool, team, spoken, defence, withdrawn=True)
    agreed = [finding.severity, *(each.severity for each in spoken if each.stance is Stance.AGREE and each.severity)]
    outcome = _outcome(len(agreed), len(pool))
    notes = (REDUCED,) if outcome is Resolution.SINGLE else ()
    severity = most_frequent(agreed)
    return Resolved(finding, outcome, severity, pool, team, spoken, defence, len(set(agreed)) > 1, notes=notes)


def _outcome(agreeing: int, pool: int) -> Resolution:
    if pool == 1:
        return Resolution.SINGLE
    if agreeing == pool:
        return Resolution.CONSENSUS
    if agreeing >= majority(pool):
        return Resolution.MAJORITY
    if pool - agreeing >= majority(pool):
        return Resolution.DISMISSED
    return Resolution.ESCALATED


def most_frequent(severities: Iterable[Severity]) -> Severity:
    """The most frequent severity; a tie takes the highest."""
    counts = Counter(severities)
    return max(counts, key=lambda severity: (counts[severity], severity.rank))
