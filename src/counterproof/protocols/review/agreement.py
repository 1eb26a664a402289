"""How far a run agreed (R20), and the verdict on a document (R21). The first matching row applies; findings can only worsen a
verdict."""

from collections.abc import Iterable, Sequence

from counterproof.model.review.finding import Shown, shown
from counterproof.model.review.position import Agreement, DocumentVerdict, Resolution, Resolved
from counterproof.model.severity import Confidence
from counterproof.protocols.review.voting import majority

REJECT_FROM = 5

DISCLAIMERS: dict[Agreement, str] = {
    Agreement.SPLIT: "The specialists were split on more than a quarter of the findings: read the positions before you act.",
    Agreement.NONE: "The specialists did not agree on most findings: treat them as questions, not as results.",
    Agreement.UNREAD: "No finding was read by a second specialist.",
}


def agreement(resolved: Sequence[Resolved]) -> Agreement:
    """The agreement level of the run; without positions there is none. Disputed findings are as open as escalated ones."""
    total = len(resolved)
    count = {kind: sum(each.resolution is kind for each in resolved) for kind in Resolution}
    if count[Resolution.SINGLE] == total:
        advised = any(each.validated or each.unvoted for each in resolved)
        return (Agreement.ADVISED if advised else Agreement.UNREAD) if total else Agreement.EMPTY
    if count[Resolution.CONSENSUS] == total:
        return Agreement.FULL
    unsettled = count[Resolution.ESCALATED] + count[Resolution.DISPUTED]
    if 2 * unsettled > total:
        return Agreement.NONE
    if 4 * (unsettled + count[Resolution.DISMISSED]) > total:
        return Agreement.SPLIT
    if 4 * (count[Resolution.CONSENSUS] + count[Resolution.MAJORITY]) > 3 * total and not unsettled:
        return Agreement.STRONG
    return Agreement.PARTIAL


def document_verdict(
    votes: Sequence[DocumentVerdict],
    findings: Iterable[Resolved],
    analysts: Sequence[DocumentVerdict] = (),
    addressed: bool = False,
) -> DocumentVerdict:
    """Unanimous or majority, otherwise the most conservative; never better than the analysts' own verdict (R36), then lowered
    by the findings. A document `addressed` to its reviewers with an order is never approved (R48)."""
    voted = max(_voted(votes), _voted(analysts) if analysts else DocumentVerdict.APPROVE, key=lambda verdict: verdict.rank)
    kept = [each for each in findings if each.kept]
    least = DocumentVerdict.REVISE if addressed else DocumentVerdict.APPROVE
    return max(voted, least, _demanded(kept), key=lambda verdict: verdict.rank)


def _voted(votes: Sequence[DocumentVerdict]) -> DocumentVerdict:
    """Without votes there is no approval."""
    if not votes:
        return DocumentVerdict.REVISE
    for verdict in DocumentVerdict:
        if sum(each is verdict for each in votes) >= majority(len(votes)):
            return verdict
    return max(votes, key=lambda verdict: verdict.rank)


def _demanded(kept: list[Resolved]) -> DocumentVerdict:
    agreed = (Resolution.CONSENSUS, Resolution.MAJORITY, Resolution.DISPUTED)
    critical = [each for each in kept if shown(each.severity) is Shown.CRITICAL]
    weighty = sum(shown(each.severity) is not Shown.MINOR for each in kept)
    if any(each.resolution in agreed and not _doubtful(each) for each in critical) or weighty >= REJECT_FROM:
        return DocumentVerdict.REJECT
    return DocumentVerdict.REVISE if weighty else DocumentVerdict.APPROVE


def _doubtful(resolved: Resolved) -> bool:
    return resolved.finding.confidence.rank <= Confidence.PATTERN.rank
