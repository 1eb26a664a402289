"""Phase 4: hits archived (4a) in parallel with cross-validation (4c), then deduplication and severity (4b) (A35 to A41)."""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Ask, Limits, Role
from counterproof.model.finding import Finding
from counterproof.model.judgement import HitJudgement, Verdict
from counterproof.protocols.audit import (
    archive,
    chains,
    hunt,
    markers,
    merge,
    narration,
    phase_five,
    resolution,
    ruling,
    shares,
    validation,
)
from counterproof.protocols.audit.commands import Command
from counterproof.protocols.audit.confidence import is_open_question
from counterproof.protocols.audit.events import AgentFailed, AgentFinished
from counterproof.protocols.audit.markers import Marker
from counterproof.protocols.audit.moves import Step, announce, enter, trail
from counterproof.protocols.audit.plan import tool_call_limit
from counterproof.protocols.audit.ruling import Finders, Opinion, Ruling
from counterproof.protocols.audit.state import AuditState, Stage, Work, known
from counterproof.protocols.audit.validation import MAIN_THREAD, Assignment

TURNS = 20
MAX_QUESTIONS = 60
"""The most claims of analysts in one task of questions."""
JUDGES = (Role.VALIDATOR, Role.HIT_VERIFIER)


def begin(state: AuditState) -> Step:
    """Route every finding and every hit; settle at once those that need no validator."""
    state = trail(replace(enter(state, "4"), stage=Stage.VALIDATION), "VALIDATION")
    routing = validation.route(state.merged, merge.expected(state.merged))
    state = replace(state, routing=routing)
    if state.time_up:
        return _conclude(state)
    tasks = [_validation_task(state, each, f"validate-{n}") for n, each in enumerate(validation.assignments(routing), 1)]
    tasks += [_hit_task(state, each, number) for number, each in enumerate(archive.assignments(state.baseline), 1)]
    tasks += _model_tasks(state, routing)
    return hunt.launch(state, tuple(tasks)) if tasks else _conclude(state)


def _model_tasks(state: AuditState, routing: validation.Routing) -> list[AgentTask]:
    """Analysts judge everything; models also judge severe findings and models' claims, never their own if another model is
    available (A53). Claims of analysts alone come last, as questions in one task (A61). The main thread is the engine's."""
    request = known(state.request)
    tasks: list[AgentTask] = []
    if request.modelled(Role.VALIDATOR):
        claimed = (each for each in (*routing.spot, *routing.passed_unchecked, *routing.batch) if not each.rule)
        shares: dict[str, list[Finding]] = {}
        for finding in (*routing.full, *claimed):
            shares.setdefault(request.judge_of(finders(state, finding).models), []).append(finding)
        for model, given in sorted(shares.items()):
            count = max(1, validation.validator_count(sum(each in routing.full for each in given)))
            agents = tuple(f"model-validator-{len(tasks) + number:02}" for number in range(1, count + 1))
            tasks += [
                replace(_validation_task(state, each, "validate"), model=model) for each in validation.spread(given, agents)
            ]
        tasks += _questions(state, routing, f"model-validator-{len(tasks) + 1:02}")
    model = request.model_of(Role.HIT_VERIFIER)
    hits = archive.assignments(state.baseline) if model else ()
    names = (replace(each, agent_id=f"model-verifier-{number:02}") for number, each in enumerate(hits, 1))
    return tasks + [replace(_hit_task(state, each, number), model=model) for number, each in enumerate(names, 1)]


def _questions(state: AuditState, routing: validation.Routing, agent: str) -> list[AgentTask]:
    """The unproved claims that only analysts make, unless they are validated anyway."""
    model = known(state.request).model_of(Role.VALIDATOR)
    graver = sorted(state.merged, key=lambda each: (-each.severity.rank, each.id))
    asked = [each for each in graver if each.rule and each not in routing.full and is_open_question(each)][:MAX_QUESTIONS]
    if not asked:
        return []
    task = _validation_task(state, Assignment(agent, tuple(asked)), "questions")
    return [replace(task, model=model, ask=Ask.QUESTIONS)]


def finders(state: AuditState, finding: Finding) -> Finders:
    """The models that found it, with their host contexts; empty for an analyst's finding."""
    models = {task.agent_id: task.model for task in state.tasks}
    found = frozenset(models[agent] for agent in finding.found_by if models.get(agent))
    played = [work for work in state.work if work.task.agent_id in finding.found_by and work.reply]
    return Finders(found, frozenset(work.reply.context for work in played if work.modelled and work.reply))


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


def _validation_task(state: AuditState, given: Assignment, name: str) -> AgentTask:
    task = _task(state, given.agent_id, Role.VALIDATOR, name)
    return replace(task, findings=given.findings, steps=given.steps)


def _hit_task(state: AuditState, given: archive.HitAssignment, number: int) -> AgentTask:
    return replace(_task(state, given.agent_id, Role.HIT_VERIFIER, f"hits-{number}"), hits=given.hits)


def agent_finished(state: AuditState, event: AgentFinished) -> Step:
    task = hunt.task_of(state, event.answers)
    breach = hunt.contract_breach(task, event.reply)
    if breach:
        return agent_failed(state, AgentFailed(event.answers, event.at, breach))
    state, _ = hunt.finish(state, event)
    return _after(*_handed_over(state, task))


def agent_failed(state: AuditState, event: AgentFailed) -> Step:
    task = hunt.task_of(state, event.answers)
    return _after(*_handed_over(hunt.give_up(state, event), task))


def _handed_over(state: AuditState, task: AgentTask) -> Step:
    """Whatever a validator failed at, did not reach or gave no valid verdict on goes to the main thread, once (A37). Not for
    models: the analysts already have the same findings."""
    if task.agent_id == MAIN_THREAD or task.model or state.time_up:
        return state, ()
    work = next(work for work in state.work if work.task.id == task.id)
    given = (opinion_of(state, work),)
    findings = tuple(each for each in task.findings if ruling.rule_on(each, given, task.steps).judgement is None)
    answered = {word.hit_id for word in words_of(work)}
    hits = tuple(hit for hit in task.hits if hit.id not in answered)
    if not findings and not hits:
        return state, ()
    name = f"{MAIN_THREAD}/instead-of-{task.id.replace('/', '-')}"
    return hunt.launch(state, (replace(task, id=name, agent_id=MAIN_THREAD, findings=findings, hits=hits),))


def _after(state: AuditState, commands: tuple[Command, ...]) -> Step:
    """When all have submitted: a failed spot check sends that agent's findings to full validation (A36)."""
    if hunt.running(state):
        return state, commands
    suspects = tuple(agent for agent in failed_spot_checks(state) if agent not in state.escalated)
    strict = replace(state, escalated=(*state.escalated, *suspects))
    judged = rulings(strict)
    again = tuple(each for each in state.merged if set(each.found_by) & set(suspects) and judged[each.id].judgement is None)
    if not again or state.time_up:
        return _conclude(state)
    state = strict
    agents = tuple(f"validator-e{number:02}" for number in range(1, validation.validator_count(len(again)) + 1))
    halt = markers.halt("spot check failed", f"all findings of {', '.join(suspects)} are validated in full")
    wave = f"escalation-{len(state.escalated)}"
    tasks = [_validation_task(state, each, f"{wave}-{n}") for n, each in enumerate(validation.spread(again, agents), 1)]
    return hunt.launch(announce(state, halt), tuple(tasks))


def opinion_of(state: AuditState, work: Work) -> Opinion:
    """A validator's judgements that are backed: on assigned findings that it did not find itself (A37), at lines that exist,
    after reading that file and the finding's."""
    said = Opinion(work.task.agent_id, (), work.task.model, work.checks, work.reply.context if work.reply else "")
    if work.task.role is not Role.VALIDATOR or work.reply is None:
        return said
    lines = {file.path: file.lines for file in known(state.survey).files}
    read = work.ledger.files_read()
    asked = {each.id: each for each in work.task.findings if work.task.agent_id not in each.found_by}
    backed = tuple(
        word
        for word in work.reply.judgements
        if word.finding_id in asked
        and word.at is not None
        and {word.at.path, asked[word.finding_id].location.path} <= read
        and word.at.end <= lines.get(word.at.path, 0)
    )
    return replace(said, judgements=backed)


def words_of(work: Work) -> tuple[HitJudgement, ...]:
    """A verifier's valid verdicts on its assigned hits."""
    if work.task.role is not Role.HIT_VERIFIER or work.reply is None:
        return ()
    said, read = work.reply.hit_judgements, work.ledger.files_read()
    return tuple(word for hit in work.task.hits if (word := archive.word_on(hit, said, work.kept, read)))


def rulings(state: AuditState) -> dict[str, Ruling]:
    """Finding id -> the ruling on its validators' verdicts. Batches answer three questions; all others, and all findings of an
    agent that failed a spot check, four (A36)."""
    opinions = tuple(opinion_of(state, work) for work in state.work if work.task.role is Role.VALIDATOR)
    batch = {finding.id for finding in known(state.routing).batch}
    found: dict[str, Ruling] = {}
    for finding in state.merged:
        suspect = not set(finding.found_by).isdisjoint(state.escalated)
        steps = validation.BATCH_STEPS if finding.id in batch and not suspect else validation.FULL_STEPS
        found[finding.id] = ruling.rule_on(finding, opinions, steps, finders(state, finding))
    return found


def failed_spot_checks(state: AuditState) -> tuple[str, ...]:
    """Hunters whose own four steps failed a second check."""
    judged = rulings(state)
    drawn = [(finding, judged[finding.id].judgement) for finding in known(state.routing).spot]
    failed = [finding for finding, word in drawn if word and word.verdict is not Verdict.CONFIRMED]
    return tuple(sorted({agent for finding in failed for agent in finding.found_by}))


def _conclude(state: AuditState) -> Step:
    """Phase 4b, after 4a and 4c. Chains are recomputed for the remaining findings."""
    said = [(work.modelled, word) for work in state.work for word in words_of(work)]
    by_analysts, by_models = ([word for modelled, word in said if modelled is kind] for kind in (False, True))
    kept_hits = archive.archived(state.baseline, tuple(by_analysts), tuple(by_models))
    resolved = resolution.resolve(state.merged, rulings(state), _let_pass(state), kept_hits.entries, merge.contexts_of(state))
    left = tuple(each.finding for each in resolved.ruled)
    chained = chains.chained(left, shares.deeper_flows(state), state.merged, resolved.dropped)
    state = replace(state, archive=kept_hits, resolved=resolved, chains=chained)
    gaps = narration.validation_gaps(state)
    state = announce(state, *_replaced(state), narration.phase_4(state), *narration.partial("4", gaps))
    return phase_five.write_report(enter(state, "5"))


def _let_pass(state: AuditState) -> dict[str, str]:
    """Labels of findings that need no judgement of their own, unless their finder failed a spot check (A36)."""
    routing, suspects = known(state.routing), set(failed_spot_checks(state))
    return {
        finding.id: resolution.PRE_VALIDATED if finding.validation.passed else resolution.ACCEPTED
        for finding in (*routing.passed_unchecked, *routing.accepted)
        if suspects.isdisjoint(finding.found_by)
    }


def _replaced(state: AuditState) -> tuple[Marker, ...]:
    """Validators that the main thread replaced, sorted by task, so that the order of the failures has no effect (A49)."""
    return tuple(
        markers.halt(
            "agent failure", f"{work.task.agent_id} {'failed' if work.failure else 'was cut off'}; the main thread validates"
        )
        for work in state.work
        if work.task.role in JUDGES and work.task.agent_id != MAIN_THREAD and not work.whole and not work.modelled
    )
