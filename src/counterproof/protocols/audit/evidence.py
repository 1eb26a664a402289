"""The report's evidence sections for standard and deep, derived from the state (A50). Totals always add up."""

from counterproof.model.baseline import BaselineStatus
from counterproof.model.contract import Role
from counterproof.model.judgement import HitVerdict
from counterproof.model.recon import EntryPoint
from counterproof.model.report import (
    AttackPath,
    BaselineEvidence,
    ChainLine,
    ControlEvidence,
    CoverageShare,
    DiveEvidence,
    RejectedLine,
    ReportedFinding,
    RoundLine,
    SourceCount,
    ValidationEvidence,
)
from counterproof.model.severity import Severity
from counterproof.protocols.audit import coverage, evaluation, merge, shares
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.state import AuditState, known


def sources(state: AuditState) -> tuple[SourceCount, ...]:
    """For each agent how many findings it submitted and their outcome; the baseline's confirmed hits are a separate source."""
    _, counts = merge.unique(merge.finders(state))
    confirmed = [entry for entry in state.archive.entries if entry.finding] if state.archive else []
    if not confirmed:
        return counts
    return (*counts, SourceCount("semgrep", len(confirmed), len(confirmed), 0, 0))


def rounds(state: AuditState) -> tuple[RoundLine, ...]:
    lines: list[RoundLine] = []
    for each in state.rounds:
        covered, counted = coverage.counts(each.coverage)
        gaps = tuple(dimension.value for dimension in coverage.gaps(each.coverage))
        lines.append(
            RoundLine(
                each.number, each.emergency, each.agents, covered, counted, gaps, each.decision.next.value, each.decision.reason
            )
        )
    return tuple(lines)


def shares_of(state: AuditState) -> tuple[CoverageShare, ...]:
    """The coverage of analysts and of models, each computed separately; empty if only analysts worked (A52)."""
    if not any(task.model for task in state.tasks):
        return ()
    names = ", ".join(dict.fromkeys(task.model for task in state.tasks if task.model))
    kinds = (("analysts", shares.analysts(state), state.dive), (f"models ({names})", shares.models(state), state.model_dive))
    return tuple(_share(who, share, dived.new_files if dived else 0) for who, share, dived in kinds)


def _share(who: str, share: AuditState, deep_files: int) -> CoverageShare:
    covered, counted = coverage.counts(share.coverage)
    return CoverageShare(
        who=who,
        coverage=share.coverage,
        covered=covered,
        counted=counted,
        files_read=len({path for work in share.work for path in work.ledger.files_read()}),
        searches=sum(len(work.ledger.searches) for work in share.work),
        findings=len(share.merged),
        deep_files=deep_files,
    )


def control(state: AuditState) -> ControlEvidence | None:
    if state.mode is Mode.QUICK:
        return None
    return evaluation.control_evidence(known(state.recon), tuple(work for work in state.work if work.hunting))


def baseline(state: AuditState) -> BaselineEvidence | None:
    """The archive's totals; without an archive (every agent failed) all hits need manual review."""
    scan = state.baseline
    if scan is None:
        return None
    total = 0 if scan.status is BaselineStatus.SKIPPED else len(scan.hits) + len(scan.unparsed)
    if state.archive is None:
        return BaselineEvidence(scan.status.value, scan.reason, scan.version, total, 0, 0, total)
    kept = state.archive
    return BaselineEvidence(
        scan.status.value,
        scan.reason,
        scan.version,
        kept.total,
        kept.count(HitVerdict.CONFIRMED),
        kept.count(HitVerdict.REJECTED),
        kept.count(HitVerdict.NEEDS_MANUAL),
        kept.rule_hotspots[:10],
        kept.file_hotspots[:10],
    )


def baseline_limitation(state: AuditState) -> tuple[str, ...]:
    """The limitations that A31 requires."""
    scan = state.baseline
    if scan is None or scan.status is BaselineStatus.COMPLETED:
        return ()
    if scan.status is BaselineStatus.PARTIAL:
        return (f"Semgrep partially completed: {scan.reason}.",)
    return (f"Semgrep baseline scan skipped: {scan.reason}.",)


def dive(state: AuditState) -> DiveEvidence | None:
    done = state.dive
    if done is None:
        return None
    return DiveEvidence(
        unread=done.unread_before,
        read=done.new_files,
        p0_files=len(known(state.recon).p0_files),
        p0_missing=done.p0_missing,
        mean_depth=f"{done.mean_depth:.1f}",
        deepest=done.deepest,
        new_findings=done.new_findings,
        pairs=state.chains.pairs_checked if state.chains else 0,
        exhausted=done.exhausted,
        leftovers=done.leftovers,
    )


PROGRAMS = {"grep": "ripgrep", "git_log": "git"}
"""The external program behind a tool."""


def unconfined(state: AuditState) -> tuple[str, ...]:
    """The warning if an external program ran on a machine that lacks a layer of protection."""
    missing = state.confinement.missing
    calls = {call.tool for work in state.work for call in work.ledger.calls if not call.refused}
    ran = [program for tool, program in PROGRAMS.items() if tool in calls]
    if state.baseline and state.baseline.status is not BaselineStatus.SKIPPED:
        ran.append("Semgrep")
    if not ran or not missing:
        return ()
    return (f"{' and '.join(ran)} ran without protection that this system does not offer: {', '.join(missing)}.",)


def validation(state: AuditState) -> ValidationEvidence | None:
    routing, resolved = state.routing, state.resolved
    if routing is None or resolved is None:
        return None
    return ValidationEvidence(
        full=len(routing.full),
        spot_checked=len(routing.spot),
        batch=len(routing.batch),
        accepted=len(routing.accepted) + len(routing.passed_unchecked),
        confirmed=resolved.confirmed,
        downgraded=resolved.downgraded,
        rejected=len(resolved.rejected),
        unvalidated=resolved.unvalidated,
        validators=tuple(sorted({work.task.agent_id for work in state.work if work.task.role is Role.VALIDATOR and work.reply})),
        escalated=state.escalated,
        duplicates=len(resolved.dropped),
    )


def rejected(state: AuditState) -> tuple[RejectedLine, ...]:
    return tuple(
        RejectedLine(
            each.finding.title, str(each.finding.location), each.finding.cwe, each.reason, each.at, each.finding.found_by
        )
        for each in (state.resolved.rejected if state.resolved else ())
    )


def chains(state: AuditState, rows: tuple[ReportedFinding, ...]) -> tuple[ChainLine, ...]:
    """Chains with the report's numbers. Phase 4 recomputed them for the findings that it kept."""
    numbers = {row.finding.id: row.number for row in rows}
    sure = {row.finding.id: row.confidence for row in rows}
    lines = [
        ChainLine(
            tuple(numbers[member] for member in chain.members),
            tuple(link.capability for link in chain.links),
            chain.severity,
            min((sure[member] for member in chain.members), key=lambda each: each.rank),
            chain.points,
        )
        for chain in (state.chains.chains if state.chains else ())
        if all(member in numbers for member in chain.members)  # posture entries have no number among the findings
    ]
    return tuple(sorted(lines, key=lambda line: (-line.points, line.numbers)))


def paths(state: AuditState, rows: tuple[ReportedFinding, ...]) -> tuple[AttackPath, ...]:
    """Deep only: the attack path of every severe finding with a flow, scored by its severity sum."""
    if state.mode is not Mode.DEEP:
        return ()
    entries = known(state.recon).entry_points
    scored = [
        AttackPath(_entry(row, entries), row.number, row.finding.flow.depth, row.calibration.total)
        for row in rows
        if row.finding.flow and row.severity.rank >= Severity.HIGH.rank
    ]
    return tuple(sorted(scored, key=lambda path: (-path.points, path.steps, path.number)))


def _entry(row: ReportedFinding, entries: tuple[EntryPoint, ...]) -> str:
    """The entry point that the validation names, or whose handler contains the flow's first step; otherwise that step's
    location."""
    assert row.finding.flow is not None
    first = row.finding.flow.source.location
    named = row.finding.validation.reach.at
    near = [entry for entry in entries if entry.handler == named]
    near = near or [entry for entry in entries if entry.handler.path == first.path and entry.handler.start <= first.start]
    if not near:
        return str(first)
    entry = max(near, key=lambda each: each.handler.start)
    return f"{entry.method} {entry.path}"
