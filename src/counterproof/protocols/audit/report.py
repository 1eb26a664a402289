"""The report of a run, derived only from the state."""

from dataclasses import replace

from counterproof.model.counting import counted
from counterproof.model.demonstration import Demonstration
from counterproof.model.dimension import ALL_DIMENSIONS
from counterproof.model.posture import PostureEntry
from counterproof.model.report import GateLine, Report, ReportedFinding, Scale
from counterproof.model.since import Since
from counterproof.model.survey import Survey
from counterproof.protocols.audit import declared, evidence, gates, hunts, limitations, markers, merge, mode_words, modes, outcome
from counterproof.protocols.audit.coverage import counts
from counterproof.protocols.audit.demonstrated import with_demonstrations
from counterproof.protocols.audit.state import AuditState, known
from counterproof.protocols.guard import unread
from counterproof.protocols.guard.acceptance import accepted_posture, compared
from counterproof.protocols.guard.failing import counts as counts_for
from counterproof.protocols.guard.groups import grouped


def build(state: AuditState) -> Report:
    """All data that the formats render. Only for states that passed the gate before phase 2."""
    request, survey, recon, mode = known(state.request), known(state.survey), known(state.recon), known(state.mode)
    found, advice = merge.reported_findings(state), merge.posture(state)
    history = compared(found, request.known, request.accepted, request.today, request.since, advice)
    rows = _findings(state, history.findings)
    posture = accepted_posture(advice, request.accepted, request.today)
    chained, attacks = evidence.chains(state, rows), evidence.paths(state, rows)
    score = gates.score(state)
    coverage = unread.judged(state.coverage, outcome.not_read(state))
    return Report(
        target=survey.name,
        version=state.version,
        mode=mode.value,
        requested_mode=request.mode.value,
        banners=banners(state),
        summary=summary(state, rows, posture, mode_words.added(state, len(attacks), len(chained))),
        outcome=outcome.outcome_of(state, rows, posture, chained),
        scale=_scale(survey),
        project_type=recon.project_type.value,
        frameworks=recon.frameworks,
        entry_points=recon.entry_points,
        dependencies=len(recon.dependencies),
        coverage=coverage,
        covered=counts(coverage)[0],
        counted=score.counted,
        threshold=score.threshold,
        findings=rows,
        refused=tuple(refused for work in state.work for refused in work.refused),
        sources=evidence.sources(state),
        agents=tuple(replace(row, started_at="", completed_at="") for row in state.registry),
        documents=_documents(state),
        modules_loaded=tuple(sorted({m for work in state.work if work.reply for m in work.reply.modules_loaded})),
        limitations=(*limitations.stated(state), *declared.named(rows, request.context), *history.notes),
        skipped=survey.skipped,
        markers=tuple(markers.text(marker) for marker in state.markers),
        gates=tuple(GateLine(check.name, check.passed, check.detail) for check in gates.can_report(state)),
        waivers=state.waivers,
        rounds=evidence.rounds(state),
        control=evidence.control(state),
        baseline=evidence.baseline(state),
        validation=evidence.validation(state),
        rejected=evidence.rejected(state),
        chains=chained,
        paths=attacks,
        fixed=history.fixed,
        roots=state.roots,
        dive=evidence.dive(state),
        shares=evidence.shares_of(state),
        posture=posture,
        source_url=request.source_url,
        first_page=first_page(state, rows),
        map=state.map,
    )


def _scale(survey: Survey) -> Scale:
    languages = tuple((language.value, loc) for language, loc in survey.languages())
    return Scale(len(survey.files), survey.directories, survey.loc, languages)


def first_page(state: AuditState, rows: tuple[ReportedFinding, ...]) -> tuple[str, ...]:
    """The numbers of the findings that are certain enough to act on (A60, A69)."""
    asked = outcome.terms(state)
    return tuple(row.number for row in rows if counts_for(row.confidence, asked, by_model=row.by_model))


def _findings(state: AuditState, found: tuple[ReportedFinding, ...]) -> tuple[ReportedFinding, ...]:
    """The findings with demonstrations, the user's acceptances, and how many hunts found them."""
    shown = with_demonstrations(found, state.demonstrations)
    return hunts.with_hunts(state, declared.accepted_as_open(shown, known(state.request).context, known(state.recon)))


def demonstrated(state: AuditState, before: Report, demonstrations: tuple[Demonstration, ...]) -> Report:
    """The report of a finished run with later demonstrations added. The rest stays unchanged."""
    after = build(replace(state, demonstrations=demonstrations))
    return replace(after, markers=before.markers, gates=before.gates)


def _documents(state: AuditState) -> tuple[str, ...]:
    """The data that the engine read, and the documents in this run's prompts (A3)."""
    asked = modes.asked_documents(task.role for task in state.tasks if task.model)
    return (*(each.name for each in state.documents if each.name not in asked and each.name.startswith(modes.RULES)), *asked)


def banners(state: AuditState) -> tuple[str, ...]:
    """Notes that a reader needs before the first finding."""
    request, mode = known(state.request), known(state.mode)
    lines: list[str] = []
    if state.mode_note:
        lines.append(f"Mode {mode.value} instead of {request.mode.value}: {state.mode_note}.")
    if request.only != ALL_DIMENSIONS:
        asked = ", ".join(dimension.value for dimension in request.only)
        lines.append(f"Audited as requested: {asked} only.")
    if request.since:
        lines.append(_compared_with(request.since))
    return (*lines, *outcome.shortfalls(state))


def _compared_with(since: Since) -> str:
    changed = counted(len(since.touched), "file")
    return f"Compared with {since.ref} ({since.commit[:12]}): {changed} changed since. Only what is new fails the run."


def summary(
    state: AuditState, rows: tuple[ReportedFinding, ...], posture: tuple[PostureEntry, ...] = (), added: str = ""
) -> tuple[str, ...]:
    """The executive summary, with recommended actions; `added` says what the mode did beyond a quick one."""
    survey = known(state.survey)
    score = gates.score(state)
    covered = counts(unread.judged(state.coverage, outcome.not_read(state)))[0]
    groups = grouped(rows, first_page(state, rows))
    size = f"{counted(survey.loc, 'line')} in {counted(len(survey.files), 'file')}"
    lines = [
        f"A {known(state.mode).value} audit of {size}: {', '.join(groups.counts)}{_apart(posture)}.",
        f"{covered} of {score.counted} counted dimensions are covered; {score.threshold} are needed.",
    ]
    if first := groups.first:
        claim = " (a claim to check)" if first in groups.claims else ""
        lines.append(f"Look first at {first.number}, {first.finding.title}, at {first.finding.location}{claim}.")
    return (*lines, *(each for each in (hunts.agreement(state, rows), added) if each))


def _apart(posture: tuple[PostureEntry, ...]) -> str:
    """The number of posture entries, counted separately from the findings (A56)."""
    if not posture:
        return ""
    places = sum(len(each.places) for each in posture)
    return f"; {counted(len(posture), 'hardening recommendation')} at {counted(places, 'place')}, not counted as findings"
