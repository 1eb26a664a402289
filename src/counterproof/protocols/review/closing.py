"""Resolution and report (R1): counts votes and names the agreement; no agent is called any more."""

from collections.abc import Collection
from dataclasses import replace

from counterproof.model.counting import counted
from counterproof.model.receipt import Exit, Outcome, Reason
from counterproof.model.review.finding import ReviewFinding, Shown, shown
from counterproof.model.review.position import DocumentVerdict, Position, Resolution, Resolved, Stance
from counterproof.model.review.report import Event as LifeEvent
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.review import agreement, delta, routing, triage, voting
from counterproof.protocols.review.challenge_round import next_id
from counterproof.protocols.review.duplicates import same, together
from counterproof.protocols.review.state import ReviewState
from counterproof.protocols.review.tasks import voters

MAX_NAMED = 20
"""The most unread files that the receipt names."""


def resolve(state: ReviewState) -> tuple[Resolved, ...]:
    """Every finding's resolution, most severe first, disputed ones first within a severity (A54)."""
    names = tuple(each.code for each in voters(state))
    team = len(state.profile.specialists) if state.profile else 0
    defences = {each.finding_id: each for each in state.defences}
    positions = [each for each in state.positions if not _unheard(state, each, defences.keys())]
    done = [
        voting.resolve(each, positions, team, defences.get(each.id), names, each.location.path in state.addressed)
        for each in state.findings
    ]
    return tuple(sorted(done, key=_order))


def _order(each: Resolved) -> tuple[object, ...]:
    return (-each.severity.rank, each.resolution is not Resolution.DISPUTED, each.finding.location, each.finding.id)


def _unheard(state: ReviewState, position: Position, answered: Collection[str]) -> bool:
    """A model's challenge that its author could not answer, because the run had to stop, decides nothing (R38)."""
    stopped = bool(state.truncated) or state.cut
    return stopped and bool(position.model) and position.stance is Stance.CHALLENGE and position.finding_id not in answered


def report(state: ReviewState) -> ReviewReport:
    assert state.scope is not None
    assert state.profile is not None
    voted = resolve(state)
    resolved = tuple(each for each in voted if not triage.is_external(each.finding))
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
        disclaimer=" ".join(filter(None, (agreement.DISCLAIMERS.get(level, ""), _one_voice(resolved)))),
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
        unreviewed=tuple(f"{each.code}: {why}" for each in state.histories if (why := each.excluded or each.lost)),
        limitations=state.limitations,
        notes=(*sorted(state.notes), *_edited(state)),
        unread=tuple(each for each in unread(state) if each[0] not in state.accepted),
        accepted=tuple(path for path, _ in unread(state) if path in state.accepted),
        target=state.wanted.target.rstrip("/").rpartition("/")[2],
        comments=triage.ruled(state.wanted.comments, voted),
        source_url=state.wanted.source_url,
        readers=state.readers,
        agents=state.wanted.agents,
        older=_older(state),
    )


def _older(state: ReviewState) -> tuple[ReviewFinding, ...]:
    """Older defects without duplicates, most severe first, numbered after their specialists' findings (R46)."""
    kept: list[ReviewFinding] = []
    for each in sorted(state.older, key=lambda one: (-one.severity.rank, one.location, one.id)):
        if not any(same(each, other) for other in (*state.findings, *kept)):
            kept.append(replace(each, id=next_id((*state.findings, *kept), each.specialist)))
    return tuple(kept)


def _one_voice(resolved: tuple[Resolved, ...]) -> str:
    """A note next to the agreement if several specialists were played by one model."""
    alone = sum(voting.ONE_MODEL in each.notes for each in resolved)
    return f"On {counted(alone, 'finding')} all votes come from one model." if alone else ""


def unread(state: ReviewState) -> tuple[tuple[str, str], ...]:
    """Source that was not read, with the reason: neither an analyst nor a model whose output is accepted read it (R40)."""
    rows: list[tuple[str, str]] = []
    for path, why in state.unread:
        if path not in state.read:
            rows.append((path, why))
        elif path in state.addressed:
            rows.append((path, "it contains instructions to its readers, and only models read it"))
    return tuple(rows)


def _edited(state: ReviewState) -> tuple[str, ...]:
    return tuple(
        f"{path} was edited after the review began; this report is about the text as it was then" for path in state.edited
    )


_STEPS = ("created", "challenged", "defended", "withdrawn")


def _moment(event: LifeEvent) -> tuple[str, int, int, str]:
    """The sort position of an event in its finding's history, independent of the order of replies."""
    step = _STEPS.index(event.what)
    return (event.finding_id, event.iteration if step else 0, step, event.who)


def _verdicts(state: ReviewState, resolved: tuple[Resolved, ...]) -> tuple[tuple[str, DocumentVerdict], ...]:
    """One verdict per document. A specialist without a verdict is missing from the vote, not counted as approval; if its
    analysts and model differ, the more conservative verdict counts."""
    if state.profile is None or not state.profile.verdicts or state.scope is None:
        return ()
    rows: list[tuple[str, DocumentVerdict]] = []
    for path in state.scope.paths:
        given = [(code, model, verdict) for code, model, document, verdict in state.verdicts if document == path]
        seats: dict[str, DocumentVerdict] = {}
        for code, _, verdict in given:
            seats[code] = max(seats.get(code, verdict), verdict, key=lambda each: each.rank)
        analysts = tuple(verdict for _, model, verdict in given if not model)
        about = [each for each in resolved if each.finding.location.path == path]
        rows.append((path, agreement.document_verdict(tuple(seats.values()), about, analysts, path in state.addressed)))
    return tuple(rows)


def _lost(state: ReviewState) -> dict[str, list[str]]:
    """Why specialists or their models dropped out, with their codes; a common cause is stated once."""
    found: dict[str, list[str]] = {}
    for each in state.histories:
        if why := each.excluded or each.lost:
            found.setdefault(why, []).append(each.code)
    return found


def outcome(state: ReviewState, written: ReviewReport) -> Outcome:
    """Accepted findings above Minor fail the run; so does code that could not be reviewed."""
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
    reasons += [Reason(Exit.INCOMPLETE, f"not reviewed by {', '.join(codes)}: {why}") for why, codes in _lost(state).items()]
    reasons += [Reason(Exit.INCOMPLETE, each) for each in state.limitations]
    reasons += [Reason(Exit.INCOMPLETE, f"nobody read {path}: {why}") for path, why in written.unread[:MAX_NAMED]]
    if len(written.unread) > MAX_NAMED:
        reasons.append(Reason(Exit.INCOMPLETE, f"nobody read {counted(len(written.unread) - MAX_NAMED, 'more source file')}"))
    return Outcome(tuple(reasons))
