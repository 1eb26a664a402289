"""The agents of every phase: launch, replies, the single retry, and the restart if all fail (A24 to A28)."""

from dataclasses import replace

from counterproof.model.agents import AgentStatus, OutputStatus, Registered
from counterproof.model.contract import AgentReply, AgentTask, Limits, Role
from counterproof.model.finding import Finding
from counterproof.model.ledger import Ledger
from counterproof.model.report import Refused
from counterproof.protocols.audit import markers, modes
from counterproof.protocols.audit.commands import Command, RunAgent
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, AgentStarted
from counterproof.protocols.audit.moves import announce
from counterproof.protocols.audit.plan import dimensions_in_groups, kind_of, second_attempt
from counterproof.protocols.audit.repetition import finding_refusal, rules_for
from counterproof.protocols.audit.state import AuditState, Work, known
from counterproof.protocols.guard.citations import verified

MAX_ATTEMPTS = 2

Step = tuple[AuditState, tuple[Command, ...]]


def launch(state: AuditState, tasks: tuple[AgentTask, ...]) -> Step:
    """Register the agents and request their start. Only registered agents exist (A28). A second attempt takes over the row of
    the first; rows are never replaced otherwise, so every failure stays on record."""
    told = known(state.request).context
    tasks = tuple(replace(task, user=told) if task.model else task for task in tasks)
    retried = {f"{task.agent_id}/attempt-{task.attempt - 1}" for task in tasks}
    rows = tuple(row for row in state.registry if row.task_id not in retried)
    rows += tuple(Registered(t.agent_id, t.id, AgentStatus.PENDING, t.round, t.dimensions, model=t.model) for t in tasks)
    launched = replace(
        state,
        registry=tuple(sorted(rows, key=lambda row: (row.agent_id, row.task_id))),
        tasks=state.tasks + tasks,
        outstanding=state.outstanding + tuple(task.id for task in tasks),
    )
    earlier = modes.asked_documents(task.role for task in state.tasks if task.model)
    named = {*earlier, *(each.name for each in state.documents)}
    new = tuple(each for each in modes.asked_documents(task.role for task in tasks if task.model) if each not in named)
    return announce(launched, markers.loaded(new)) if new else launched, tuple(RunAgent(task.id, task) for task in tasks)


def task_of(state: AuditState, task_id: str) -> AgentTask:
    """The task of an outstanding command id."""
    return next(task for task in state.tasks if task.id == task_id)


def start(state: AuditState, event: AgentStarted) -> Step:
    """Record that the agent started."""
    return _mark(state, event.answers, AgentStatus.RUNNING, started_at=event.at), ()


def finish(state: AuditState, event: AgentFinished) -> Step:
    """Accept a reply: check that it comes from the assigned agent, verify every citation, and keep the valid findings (A25,
    A26, A29)."""
    task = task_of(state, event.answers)
    mismatch = contract_breach(task, event.reply)
    if mismatch:
        return fail(state, AgentFailed(event.answers, event.at, mismatch))
    kept, refused = verified(task.agent_id, event.reply.findings, event.citations, event.ledger.files_read())
    kept, excluded = _not_excluded(task, kept)
    kept, too_many = _within_limit(task, kept)
    count = len(kept) + len(event.reply.judgements) + len(event.reply.hit_judgements)
    status = AgentStatus.COMPLETED if event.reply.ended else AgentStatus.TRUNCATED
    output = OutputStatus.COMPLETE if event.reply.ended else OutputStatus.TRUNCATED
    done = _mark(state, task.id, status, output, count, completed_at=event.at)
    work = Work(task, event.reply, event.ledger, kept, refused + excluded + too_many, checks=event.checks)
    return replace(_answered(done, task.id), work=_ordered((*state.work, work))), ()


def _not_excluded(task: AgentTask, kept: tuple[Finding, ...]) -> tuple[tuple[Finding, ...], tuple[Refused, ...]]:
    """Reject a later round's findings that earlier rounds excluded (A47)."""
    rules = rules_for(task)
    reasons = [(each, finding_refusal(rules, each)) for each in kept]
    refused = tuple(Refused(task.agent_id, each.title, str(each.location), why) for each, why in reasons if why)
    return tuple(each for each, why in reasons if not why), refused


def _within_limit(task: AgentTask, kept: tuple[Finding, ...]) -> tuple[tuple[Finding, ...], tuple[Refused, ...]]:
    """Reject the findings beyond a reduced agent's limit, on record (A25)."""
    limit = task.limits.findings or len(kept)
    why = f"it is beyond the limit of {limit} findings"
    return kept[:limit], tuple(Refused(task.agent_id, each.title, str(each.location), why) for each in kept[limit:])


def fail(state: AuditState, event: AgentFailed) -> Step:
    """Retry once, with half the work if the output did not identify its agent; then the agent counts as timed out (A25, A26)."""
    task = task_of(state, event.answers)
    if task.attempt < MAX_ATTEMPTS and not state.time_up:
        failed = _answered(_mark(state, task.id, AgentStatus.FAILED, completed_at=event.at), task.id)
        return launch(failed, (second_attempt(task, halved=event.unidentified),))
    return give_up(state, event), ()


def give_up(state: AuditState, event: AgentFailed) -> AuditState:
    """Count the agent as timed out and record its tasks as not done."""
    task = task_of(state, event.answers)
    state = _answered(_mark(state, task.id, AgentStatus.FAILED, completed_at=event.at), task.id)
    work = Work(task, None, Ledger(), failure=event.reason)
    return replace(state, work=_ordered((*state.work, work)))


def to_recover(state: AuditState) -> tuple[str, ...]:
    """The workers whose hunters all failed or were truncated and whose reduced restart was not yet tried (A27): '' is the
    analysts. A failed model concerns only that model (A52)."""
    hunted = [work for work in state.work if work.task.role is Role.HUNTER]
    standing = {work.task.model for work in hunted if work.whole}
    fallen = {work.task.model for work in hunted} - standing - set(state.recovered)
    return () if state.time_up else tuple(sorted(fallen))


def recovery_tasks(state: AuditState, model: str) -> tuple[AgentTask, ...]:
    """One or two reduced agents with half the dimensions and half the turns each (A27).

    Their work comes from the first attempts, because a retry may already have been halved.
    """
    asked = [task for task in state.tasks if task.round == state.round and task.model == model and task.role is Role.HUNTER]
    dimensions = tuple(sorted({d for task in asked for d in task.dimensions}, key=lambda d: d.order))
    languages = tuple(sorted({language for task in asked for language in task.languages}))
    first = asked[0]
    limits = Limits(first.limits.turns // 2, first.limits.tool_calls, first.limits.knowledge_calls)
    hits = state.baseline.hits if state.baseline else ()
    return tuple(
        replace(
            first,
            id=f"{kind_of(model)}-r{first.round}-recovery-{number:02}/attempt-{MAX_ATTEMPTS}",
            agent_id=f"{kind_of(model)}-r{first.round}-recovery-{number:02}",
            attempt=MAX_ATTEMPTS,
            dimensions=group,
            languages=languages,
            limits=limits,
            hits=tuple(hit for hit in hits if hit.dimension in group),
        )
        for number, group in enumerate(dimensions_in_groups(dimensions, 2), 1)
    )


def running(state: AuditState) -> tuple[str, ...]:
    """The agents that have not submitted yet."""
    busy = (AgentStatus.PENDING, AgentStatus.RUNNING)
    return tuple(row.agent_id for row in state.registry if row.status in busy)


def contract_breach(task: AgentTask, reply: AgentReply) -> str:
    """Why a reply does not match its task; '' if it does."""
    if reply.agent_id != task.agent_id:
        return f"the reply is signed by {reply.agent_id}"
    if reply.round != task.round:
        return f"the reply is for round {reply.round}, not {task.round}"
    return ""


def _mark(
    state: AuditState,
    task_id: str,
    status: AgentStatus,
    output: OutputStatus = OutputStatus.MISSING,
    findings: int = 0,
    started_at: str = "",
    completed_at: str = "",
) -> AuditState:
    rows = tuple(
        replace(
            row,
            status=status,
            output=output,
            findings=findings,
            started_at=started_at or row.started_at,
            completed_at=completed_at or row.completed_at,
        )
        if row.task_id == task_id
        else row
        for row in state.registry
    )
    return replace(state, registry=rows)


def _answered(state: AuditState, command_id: str) -> AuditState:
    return replace(state, outstanding=tuple(each for each in state.outstanding if each != command_id))


def _ordered(work: tuple[Work, ...]) -> tuple[Work, ...]:
    """Sort by task id, so that the arrival order of parallel replies has no effect."""
    return tuple(sorted(work, key=lambda each: each.task.id))
