"""Agents of every phase: launching them, taking what they hand in, one retry, and the restart when all fail (A24 to A28)."""

from dataclasses import replace

from counterproof.model.agents import AgentStatus, OutputStatus, Registered
from counterproof.model.contract import AgentReply, AgentTask, Limits
from counterproof.model.ledger import Ledger
from counterproof.protocols.audit.commands import Command, RunAgent
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, AgentStarted
from counterproof.protocols.audit.plan import dimensions_in_groups, second_attempt
from counterproof.protocols.audit.state import AuditState, Work
from counterproof.protocols.guard.citations import verified

MAX_ATTEMPTS = 2

Step = tuple[AuditState, tuple[Command, ...]]


def launch(state: AuditState, tasks: tuple[AgentTask, ...]) -> Step:
    """Register the agents and ask for them to be run. An agent exists only through this registry (A28)."""
    ids = {task.agent_id for task in tasks}
    retried = (AgentStatus.FAILED,)
    rows = tuple(row for row in state.registry if row.agent_id not in ids or row.status not in retried)
    rows += tuple(Registered(t.agent_id, t.id, AgentStatus.PENDING, t.round, t.dimensions) for t in tasks)
    launched = replace(
        state,
        registry=tuple(sorted(rows, key=lambda row: (row.agent_id, row.task_id))),
        tasks=state.tasks + tasks,
        outstanding=state.outstanding + tuple(task.id for task in tasks),
    )
    return launched, tuple(RunAgent(task.id, task) for task in tasks)


def task_of(state: AuditState, task_id: str) -> AgentTask:
    """The task behind an outstanding id."""
    return next(task for task in state.tasks if task.id == task_id)


def start(state: AuditState, event: AgentStarted) -> Step:
    """The agent is at work."""
    return _mark(state, event.answers, AgentStatus.RUNNING, started_at=event.at), ()


def finish(state: AuditState, event: AgentFinished) -> Step:
    """Take a reply: check that it is the asked agent's, verify every citation, and keep what stands (A25, A26, A29)."""
    task = task_of(state, event.answers)
    mismatch = _contract_breach(task, event.reply)
    if mismatch:
        return fail(state, AgentFailed(event.answers, event.at, mismatch))
    kept, refused = verified(task.agent_id, event.reply.findings, event.citations, event.ledger.files_read())
    limit = task.limits.findings or len(kept)
    count = len(kept[:limit]) + len(event.reply.judgements) + len(event.reply.hit_judgements)
    status = AgentStatus.COMPLETED if event.reply.ended else AgentStatus.TRUNCATED
    output = OutputStatus.COMPLETE if event.reply.ended else OutputStatus.TRUNCATED
    done = _mark(state, task.id, status, output, count, completed_at=event.at)
    work = Work(task, event.reply, event.ledger, kept[:limit], refused)
    return replace(_answered(done, task.id), work=_ordered((*state.work, work))), ()


def fail(state: AuditState, event: AgentFailed) -> Step:
    """One retry, halved when nothing told whose output it was; then the agent counts as timed out (A25, A26)."""
    task = task_of(state, event.answers)
    if task.attempt < MAX_ATTEMPTS and not state.time_up:
        failed = _answered(_mark(state, task.id, AgentStatus.FAILED, completed_at=event.at), task.id)
        return launch(failed, (second_attempt(task, halved=event.unidentified),))
    return give_up(state, event), ()


def give_up(state: AuditState, event: AgentFailed) -> AuditState:
    """The agent counts as timed out; what it was asked is on record as not done."""
    task = task_of(state, event.answers)
    state = _answered(_mark(state, task.id, AgentStatus.FAILED, completed_at=event.at), task.id)
    work = Work(task, None, Ledger(), failure=event.reason)
    return replace(state, work=_ordered((*state.work, work)))


def needs_recovery(state: AuditState) -> bool:
    """Every agent failed or was cut off, and the reduced restart has not been tried (A27)."""
    hunted = [work for work in state.work if work.hunting]
    return bool(hunted) and not any(work.whole for work in hunted) and not state.recovered and not state.time_up


def recovery_tasks(state: AuditState) -> tuple[AgentTask, ...]:
    """One or two reduced agents: half the dimensions and half the turns each (A27)."""
    dimensions = tuple(sorted({d for w in state.work for d in w.task.dimensions}, key=lambda d: d.order))
    languages = tuple(sorted({language for w in state.work for language in w.task.languages}))
    first = state.work[0].task
    limits = Limits(first.limits.turns // 2, first.limits.tool_calls, first.limits.knowledge_calls)
    return tuple(
        replace(
            first,
            id=f"agent-r{first.round}-recovery-{number:02}/attempt-{MAX_ATTEMPTS}",
            agent_id=f"agent-r{first.round}-recovery-{number:02}",
            attempt=MAX_ATTEMPTS,
            dimensions=group,
            languages=languages,
            limits=limits,
        )
        for number, group in enumerate(dimensions_in_groups(dimensions, 2), 1)
    )


def running(state: AuditState) -> tuple[str, ...]:
    """Agents that have not handed in."""
    busy = (AgentStatus.PENDING, AgentStatus.RUNNING)
    return tuple(row.agent_id for row in state.registry if row.status in busy)


def _contract_breach(task: AgentTask, reply: AgentReply) -> str:
    if reply.agent_id != task.agent_id:
        return f"the reply is signed by {reply.agent_id}"
    if reply.round != task.round:
        return f"the reply is for round {reply.round}, not {task.round}"
    if not set(reply.dimensions) <= set(task.dimensions):
        return "the reply claims dimensions that were not assigned"
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
    """By task id, so that the order in which parallel replies arrive changes nothing."""
    return tuple(sorted(work, key=lambda each: each.task.id))
