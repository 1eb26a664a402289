"""Phase 4: hits archived (4a) beside cross-validation (4c), then deduplication and severity (4b) (A35 to A41)."""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.judgement import HitJudgement, HitVerdict, Judgement, Verdict
from counterproof.protocols.audit import archive, hunt, narration, phase_five, resolution, validation
from counterproof.protocols.audit.commands import Command
from counterproof.protocols.audit.events import AgentFailed, AgentFinished
from counterproof.protocols.audit.markers import HaltMarker
from counterproof.protocols.audit.moves import Step, announce, enter, trail
from counterproof.protocols.audit.plan import tool_call_limit
from counterproof.protocols.audit.state import AuditState, Stage, known
from counterproof.protocols.audit.validation import MAIN_THREAD, Assignment

TURNS = 20


def begin(state: AuditState) -> Step:
    """Route every finding and every hit; what needs nobody is settled at once."""
    state = trail(replace(enter(state, "4"), stage=Stage.VALIDATION), "VALIDATION")
    routing = validation.route(state.merged)
    state = replace(state, routing=routing)
    if state.time_up:
        return _conclude(state)
    tasks = [_validation_task(state, each, number) for number, each in enumerate(validation.assignments(routing), 1)]
    tasks += [_hit_task(state, each, number) for number, each in enumerate(archive.assignments(state.baseline), 1)]
    return hunt.launch(state, tuple(tasks)) if tasks else _conclude(state)


def _task(state: AuditState, agent_id: str, role: Role, name: str) -> AgentTask:
    survey = known(state.survey)
    return AgentTask(
        id=f"{agent_id}/{name}",
        agent_id=agent_id,
        role=role,
        round=state.round,
        attempt=1,
        dimensions=known(state.request).only,
        languages=tuple(language for language, _ in survey.languages()),
        limits=Limits(TURNS, tool_call_limit(survey.loc)),
    )


def _validation_task(state: AuditState, given: Assignment, number: int) -> AgentTask:
    task = _task(state, given.agent_id, Role.VALIDATOR, f"validate-{number}")
    return replace(task, findings=given.findings, steps=given.steps)


def _hit_task(state: AuditState, given: archive.HitAssignment, number: int) -> AgentTask:
    return replace(_task(state, given.agent_id, Role.HIT_VERIFIER, f"hits-{number}"), hits=given.hits)


def agent_finished(state: AuditState, event: AgentFinished) -> Step:
    return _after(*hunt.finish(state, event))


def agent_failed(state: AuditState, event: AgentFailed) -> Step:
    """A validator that fails is replaced by the main thread; the main thread is not retried (A37)."""
    task = hunt.task_of(state, event.answers)
    state = hunt.give_up(state, event)
    if task.agent_id == MAIN_THREAD or state.time_up:
        return _after(state, ())
    halt = HaltMarker("agent failure", f"{task.agent_id} failed; the main thread validates")
    again = replace(task, id=f"{MAIN_THREAD}/instead-of-{task.agent_id}-{task.id.rpartition('/')[2]}", agent_id=MAIN_THREAD)
    return hunt.launch(announce(state, halt), (again,))


def _after(state: AuditState, commands: tuple[Command, ...]) -> Step:
    """When all are in: a failed spot check sends that agent's findings to full validation, once (A36)."""
    if hunt.running(state):
        return state, commands
    suspects = tuple(agent for agent in failed_spot_checks(state) if agent not in state.escalated)
    if suspects and not state.time_up:
        judged = {judgement.finding_id for judgement in judgements(state)}
        again = tuple(f for f in state.merged if set(f.found_by) & set(suspects) and f.id not in judged)
        state = replace(state, escalated=(*state.escalated, *suspects))
        if again:
            count = validation.validator_count(len(again))
            agents = tuple(f"validator-e{number:02}" for number in range(1, count + 1))
            halt = HaltMarker("spot check failed", f"all findings of {', '.join(suspects)} are validated in full")
            tasks = [_validation_task(state, each, n) for n, each in enumerate(validation.spread(again, agents), 1)]
            return hunt.launch(announce(state, halt), tuple(tasks))
    return _conclude(state)


def judgements(state: AuditState) -> tuple[Judgement, ...]:
    """All verdicts so far, never of a finder on its own finding (A37), never on a finding that was not asked about."""
    found_by = {finding.id: set(finding.found_by) for finding in state.merged}
    result: list[Judgement] = []
    for work in state.work:
        if work.task.role is not Role.VALIDATOR or work.reply is None:
            continue
        asked = {finding.id for finding in work.task.findings}
        result.extend(
            judgement
            for judgement in work.reply.judgements
            if judgement.finding_id in asked and work.task.agent_id not in found_by.get(judgement.finding_id, set())
        )
    return tuple(result)


def failed_spot_checks(state: AuditState) -> tuple[str, ...]:
    """Hunters whose own four steps did not survive a second look."""
    spot = {finding.id: finding for finding in known(state.routing).spot}
    given = judgements(state)
    failed = {
        agent
        for finding in spot.values()
        for agent in finding.found_by
        if (judgement := resolution.best_judgement(finding, given)) is not None and judgement.verdict is not Verdict.CONFIRMED
    }
    return tuple(sorted(failed))


def _conclude(state: AuditState) -> Step:
    """4b, after both 4a and 4c."""
    hits = tuple(
        judgement
        for work in state.work
        if work.task.role is Role.HIT_VERIFIER and work.reply
        for judgement in work.reply.hit_judgements
        if judgement.hit_id in {hit.id for hit in work.task.hits}
    )
    kept_hits = archive.archived(state.baseline, _citable(state, hits))
    routing = known(state.routing)
    suspects = set(failed_spot_checks(state))
    trusted = frozenset(
        finding.id
        for finding in (*routing.passed_unchecked, *routing.accepted)
        if finding.validation.passed and not suspects & set(finding.found_by)
    )
    resolved = resolution.resolve(state.merged, judgements(state), trusted, kept_hits.entries)
    state = replace(state, archive=kept_hits, resolved=resolved)
    return phase_five.write_report(enter(announce(state, narration.phase_4(state)), "5"))


def _citable(state: AuditState, hits: tuple[HitJudgement, ...]) -> tuple[HitJudgement, ...]:
    """A confirmed hit may only bring a finding whose citation checked out (A29)."""
    verified = {finding for work in state.work if work.task.role is Role.HIT_VERIFIER for finding in work.kept}
    return tuple(hit if hit.finding is None or hit.finding in verified else _unproven(hit) for hit in hits)


def _unproven(hit: HitJudgement) -> HitJudgement:
    return HitJudgement(hit.hit_id, HitVerdict.NEEDS_MANUAL, "confirmed, but its citation did not check out")
