"""The embedded specialists of a review: they report what checks show, and are second readers of others' findings (R10, R15).

Invariant: a specialist knows only its task and its bench. It decides nothing; without a second way of checking it abstains.
"""

from dataclasses import replace

from counterproof.analysis.review.claims import Claim
from counterproof.model.review.contract import ReviewReply, ReviewTask, Work
from counterproof.model.review.finding import MAX_CHAIN, MAX_EVIDENCE, MAX_FIX, MAX_TITLE, ReviewFinding, Shown, Trust
from counterproof.model.review.position import Defence, DocumentVerdict, Position, Stance
from counterproof.model.root_cause import root_cause
from counterproof.model.severity import Confidence
from counterproof.protocols.review.duplicates import identity
from counterproof.protocols.review.routing import second_reader
from counterproof.toolbox.review_bench import ReviewBench, read_safely


def review(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """The reply of the embedded specialist of a task, of any profile."""
    return {Work.REFINE: refine, Work.DEFEND: defend}.get(task.work, challenge)(task, bench)


def refine(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """All claims of its domains; from the second iteration on only those whose lines still match their quotations."""
    code = task.specialist.code
    claims = bench.claims(task.specialist)
    found = tuple(_finding(f"{code}-{number:03}", code, claim, bench) for number, claim in enumerate(claims, 1))
    if task.iteration > 1:
        before = {identity(each) for each in task.own if not each.model}
        found = tuple(_verified(each, bench) for each in found if identity(each) in before)
    return ReviewReply(
        task.agent_id,
        findings=found,
        no_findings=not found,
        verdicts=_verdicts(task, found, bench) if bench.profile.verdicts else (),
        notes=tuple(bench.view.limitations[:10]),
    )


def _finding(name: str, code: str, claim: Claim, bench: ReviewBench) -> ReviewFinding:
    quote = read_safely(bench, claim.at)
    flow = claim.traced is not None and claim.trust is not Trust.NONE
    witness = claim.witness if claim.witness and claim.witness.location == claim.at else None
    return ReviewFinding(
        id=name,
        specialist=code,
        kind=claim.kind,
        title=claim.title[:MAX_TITLE],
        domain=claim.domain,
        severity=claim.severity,
        confidence=claim.confidence,
        trust=claim.trust,
        location=claim.at,
        evidence=f"{claim.why}\n{claim.at}: {quote}"[:MAX_EVIDENCE],
        impact_chain=claim.chain[:MAX_CHAIN],
        fix=claim.fix[:MAX_FIX],
        quote=quote[:MAX_EVIDENCE],
        flow=flow,
        traced_source=claim.traced if flow else None,
        function=witness.function if witness else "",
        mark=root_cause(witness).mark if witness else "",
    )


def _verified(finding: ReviewFinding, bench: ReviewBench) -> ReviewFinding:
    """Re-read the file: the line must still contain the quotation."""
    stands = bool(finding.quote.strip()) and read_safely(bench, finding.location) == finding.quote
    return replace(finding, verified_at=finding.location if stands else None, quote=finding.quote if stands else "")


def _verdicts(task: ReviewTask, found: tuple[ReviewFinding, ...], bench: ReviewBench) -> tuple[tuple[str, DocumentVerdict], ...]:
    """Approve a document without serious findings, unless it is an unfilled template, which cannot be approved because its
    content is unknown (R40)."""
    verdicts: list[tuple[str, DocumentVerdict]] = []
    for path in task.files:
        worst = max((each.shown.rank for each in found if each.location.path == path), default=-1)
        verdict = DocumentVerdict.REVISE if path in bench.unfilled else DocumentVerdict.APPROVE
        if worst >= Shown.IMPORTANT.rank:
            verdict = DocumentVerdict.REJECT if worst == Shown.CRITICAL.rank else DocumentVerdict.REVISE
        verdicts.append((path, verdict))
    return tuple(verdicts)


def challenge(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """Positions on findings shown in full for which it is a second reader; without a second way of checking it abstains."""
    me = task.specialist.code
    advocate = task.work is Work.ADVOCATE
    mine = [each for each in task.shown if advocate or second_reader(bench.profile.specialists, each.specialist) == me]
    positions = tuple(_position(me, each, bench) for each in mine)
    others = tuple(Position(me, each.id, Stance.ABSTAIN) for each in task.shown if each not in mine)
    return ReviewReply(task.agent_id, positions=positions + others)


def _position(me: str, finding: ReviewFinding, bench: ReviewBench) -> Position:
    opinion = bench.opinion(finding)
    if opinion is None:
        return Position(me, finding.id, Stance.ABSTAIN)
    if opinion.agrees is None:
        return Position(me, finding.id, Stance.ABSTAIN, None, opinion.why, opinion.at)
    if opinion.agrees:
        return Position(me, finding.id, Stance.AGREE, opinion.severity, opinion.why, opinion.at)
    return Position(me, finding.id, Stance.CHALLENGE, None, opinion.why, opinion.at)


def defend(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """One answer for each challenged finding. A doubtful finding is withdrawn if another analyst's reading contradicts it; a
    model's challenge only makes it disputed, and refutes it only if the engine confirmed the defence (R36)."""
    mine = [each for each in task.own if not each.model]
    answers = tuple(_answer(each, [one for one in task.against if one.finding_id == each.id], bench) for each in mine)
    return ReviewReply(task.agent_id, defences=answers)


def _answer(finding: ReviewFinding, against: list[Position], bench: ReviewBench) -> Defence:
    grounded = next((each for each in against if each.grounded and not each.model), None)
    if read_safely(bench, finding.location) != finding.quote:
        return Defence(finding.id, False, "The line does not read as it was quoted", finding.location)
    if grounded and finding.confidence.rank <= Confidence.MEDIUM.rank:
        return Defence(finding.id, False, f"Given up: {grounded.evidence[:300]}", grounded.at)
    return Defence(finding.id, True, f"The finding holds: {finding.evidence[:300]}", finding.location)
