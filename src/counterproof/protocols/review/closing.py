"""Resolution and report (R1): votes are counted, agreement is named, and no agent is called any more."""

from dataclasses import replace

from counterproof.model.counting import counted
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.review.finding import Shown, shown
from counterproof.model.review.position import DocumentVerdict, Resolution, Resolved
from counterproof.model.review.report import Event as LifeEvent
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.review import agreement, delta, routing, voting
from counterproof.protocols.review.duplicates import together
from counterproof.protocols.review.state import ReviewState
from counterproof.protocols.review.tasks import voters


def resolve(state: ReviewState) -> tuple[Resolved, ...]:
    """Every finding's resolution, worst first."""
    present = voters(state)
    names = tuple(each.code for each in present)
    team = len(state.profile.specialists) if state.profile else 0
    defences = {each.finding_id: each for each in state.defences}
    done = [voting.resolve(each, state.positions, team, defences.get(each.id), names) for each in state.findings]
    return tuple(sorted(done, key=lambda each: (-each.severity.rank, each.finding.location, each.finding.id)))


def report(state: ReviewState) -> ReviewReport:
    assert state.scope is not None
    assert state.profile is not None
    resolved = resolve(state)
    kept = tuple(each.finding for each in resolved if each.kept)
    level = agreement.agreement(resolved)
    compared = delta.compare(state.scope.prior, kept, state.scope.paths) if state.scope.prior else None
    saved = routing.savings(state.views, state.findings)
    return ReviewReport(
        profile=state.profile,
        preset=state.wanted.preset.value,
        scope=replace(state.scope, prior=None),
        resolved=resolved,
        agreement=level,
        disclaimer=agreement.DISCLAIMERS.get(level, ""),
        verdicts=_verdicts(state, resolved),
        changes=compared.changes if compared else (),
        carried=compared.carried if compared else (),
        fixed=compared.fixed if compared else (),
        together=together(kept),
        trips=tuple(sorted((each.guardrail, each.finding_id, each.text) for each in state.trips)),
        life=tuple(sorted(state.life, key=_moment)),
        spending=tuple(sorted(state.spending, key=lambda each: (each.phase, each.agent, each.tokens))),
        planned_tokens=state.wanted.tokens,
        routed_tokens=saved.routed,
        broadcast_tokens=saved.broadcast,
        truncated=state.truncated,
        unreviewed=tuple(f"{each.code}: {each.excluded}" for each in state.histories if each.excluded),
        limitations=state.limitations,
        notes=tuple(sorted(state.notes)),
    )


_STEPS = ("created", "challenged", "defended", "withdrawn")


def _moment(event: LifeEvent) -> tuple[str, int, int, str]:
    """Where an event stands in its finding's life, whatever order agents answered in."""
    step = _STEPS.index(event.what)
    return (event.finding_id, event.iteration if step else 0, step, event.who)


def _verdicts(state: ReviewState, resolved: tuple[Resolved, ...]) -> tuple[tuple[str, DocumentVerdict], ...]:
    """One per document. A specialist that gave none is missing from the vote, not counted as an approval."""
    if state.profile is None or not state.profile.verdicts or state.scope is None:
        return ()
    documents = state.scope.paths
    return tuple(
        (
            path,
            agreement.document_verdict(
                tuple(verdict for _, document, verdict in state.verdicts if document == path),
                [each for each in resolved if each.finding.location.path == path],
            ),
        )
        for path in documents
    )


def outcome(state: ReviewState, written: ReviewReport) -> Outcome:
    """Findings that stand and are not Minor fail the run; so does what could not be reviewed."""
    reasons: list[Reason] = []
    weighty = [each for each in written.resolved if each.kept and shown(each.severity) is not Shown.MINOR]
    if weighty:
        reasons.append(Reason(Exit.FINDINGS, f"{counted(len(weighty), 'Critical or Important finding')}"))
    if any(each.resolution is Resolution.ESCALATED for each in written.resolved):
        reasons.append(Reason(Exit.FINDINGS, "the specialists leave a finding to you"))
    if any(verdict.rank for _, verdict in written.verdicts):
        reasons.append(Reason(Exit.FINDINGS, "a document is not approved"))
    if written.truncated:
        reasons.append(Reason(Exit.OVER_BUDGET, written.truncated))
    reasons += [Reason(Exit.INCOMPLETE, f"not reviewed by {each}") for each in written.unreviewed]
    reasons += [Reason(Exit.INCOMPLETE, each) for each in state.limitations]
    return Outcome(tuple(reasons))
