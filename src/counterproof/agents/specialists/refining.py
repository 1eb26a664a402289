"""A specialist's own findings: filed in the first iteration, verified at their lines from the second on (R11)."""

from dataclasses import replace

from counterproof.analysis.review.claims import Claim
from counterproof.model.review.contract import ReviewReply, ReviewTask
from counterproof.model.review.finding import MAX_CHAIN, MAX_EVIDENCE, MAX_FIX, MAX_TITLE, ReviewFinding, Shown, Trust
from counterproof.model.review.position import DocumentVerdict
from counterproof.model.root_cause import root_cause
from counterproof.protocols.review.duplicates import identity
from counterproof.toolbox.review_bench import ReviewBench, read_safely


def refined(task: ReviewTask, bench: ReviewBench) -> ReviewReply:
    """All claims of its domains; from the second iteration on only those whose lines still read as they were quoted."""
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
    """Read once more from the file: the line must still hold what is quoted."""
    stands = bool(finding.quote.strip()) and read_safely(bench, finding.location) == finding.quote
    return replace(finding, verified_at=finding.location if stands else None, quote=finding.quote if stands else "")


def _verdicts(task: ReviewTask, found: tuple[ReviewFinding, ...], bench: ReviewBench) -> tuple[tuple[str, DocumentVerdict], ...]:
    """A document that a specialist has nothing weighty against is approved by it, unless it is a template that nobody filled in:
    such a one nobody can approve, since nobody knows what it will be (R40)."""
    verdicts: list[tuple[str, DocumentVerdict]] = []
    for path in task.files:
        worst = max((each.shown.rank for each in found if each.location.path == path), default=-1)
        verdict = DocumentVerdict.REVISE if path in bench.unfilled else DocumentVerdict.APPROVE
        if worst >= Shown.IMPORTANT.rank:
            verdict = DocumentVerdict.REJECT if worst == Shown.CRITICAL.rank else DocumentVerdict.REVISE
        verdicts.append((path, verdict))
    return tuple(verdicts)
