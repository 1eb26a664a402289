"""The rounds after the first: who hunts for what is missing, and what earlier rounds hand on (A44, A46).

Always holds: an emergency round is after uncovered D1 to D3 and nothing else; round 3 of a deep audit cross-checks chains, and
hunts only for what is uncovered or was left unfinished. Whether there is a next round is decided elsewhere.
"""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.coverage import Status
from counterproof.model.dimension import Dimension
from counterproof.model.transfer import RoundContext
from counterproof.protocols.audit import chains, hunt, rounds
from counterproof.protocols.audit.coverage import gaps
from counterproof.protocols.audit.methods import widest_method
from counterproof.protocols.audit.moves import Step, enter, trail
from counterproof.protocols.audit.plan import dimensions_in_groups, tool_call_limit
from counterproof.protocols.audit.state import AuditState, Stage, Work, known
from counterproof.protocols.audit.transfer import collect, excluded

CHAIN_ROUND = 3


def begin(state: AuditState, emergency: bool) -> Step:
    """Agents for what is missing, with the state that earlier rounds hand on (A44, A46)."""
    number = state.round + 1
    groups = hunting_groups(state, number, emergency)
    state = trail(enter(state, "2"), "NEXT_ROUND")
    state = trail(replace(state, round=number, emergency=emergency, stage=Stage.HUNT), f"ROUND_{number}_RUNNING")
    context, state = _handed_on(state, number)
    turns = rounds.EMERGENCY_TURNS if emergency else rounds.TURNS[number]
    tasks = [_task(state, place, group, turns, context) for place, group in enumerate(groups, 1)]
    if number == CHAIN_ROUND and not emergency:
        tasks.append(_chain_checker(state, len(tasks) + 1, context))
    return hunt.launch(state, tuple(tasks))


def hunting_groups(state: AuditState, number: int, emergency: bool) -> tuple[tuple[Dimension, ...], ...]:
    """The dimensions of each hunter. Round 3 has hunters only where something is uncovered or unfinished (A44)."""
    if emergency:
        return (rounds.uncovered_core(state.coverage),)
    wanted = rounds.targets(state.coverage) or rounds.worth_another_look(state.coverage) or known(state.request).only
    if number == CHAIN_ROUND:
        unfinished = cut_off(state)
        open_ = {row.dimension for row in state.coverage if row.status is Status.UNCOVERED}
        wanted = tuple(dimension for dimension in rounds.targets(state.coverage) if dimension in open_ | unfinished)
    return dimensions_in_groups(wanted, rounds.hunters(state.coverage)) if wanted else ()


def hunting_work(state: AuditState) -> tuple[Work, ...]:
    return tuple(work for work in state.work if work.hunting)


def cut_off(state: AuditState) -> frozenset[Dimension]:
    """Open dimensions that an agent of this round did not finish, so that the rest goes to the next one (A25)."""
    unfinished = (work.task for work in hunting_work(state) if work.task.round == state.round and not work.whole)
    return frozenset(dimension for task in unfinished for dimension in task.dimensions) & frozenset(gaps(state.coverage))


def with_leads(state: AuditState, task: AgentTask) -> AgentTask:
    """The task with the baseline hits that speak to its dimensions, once the scan is in (A31)."""
    hits = state.baseline.hits if state.baseline else ()
    return replace(task, hits=tuple(hit for hit in hits if hit.dimension is None or hit.dimension in task.dimensions))


def _handed_on(state: AuditState, number: int) -> tuple[RoundContext | None, AuditState]:
    """What earlier rounds know, unless it is invalid: then it is refused, and the report says so."""
    work = hunting_work(state)
    transfer = collect(state.coverage, work, state.merged, excluded(work, state.merged, known(state.survey)))
    problems = transfer.problems()
    if problems:
        note = f"Nothing was handed to round {number}: {'; '.join(problems)}."
        return None, replace(state, notes=(*state.notes, note))
    return RoundContext(number, tuple(range(1, number)), transfer), state


def _task(
    state: AuditState, place: int, dimensions: tuple[Dimension, ...], turns: int, context: RoundContext | None
) -> AgentTask:
    survey = known(state.survey)
    agent = f"agent-r{state.round}-{place:02}"
    task = AgentTask(
        id=f"{agent}/attempt-1",
        agent_id=agent,
        role=Role.HUNTER,
        round=state.round,
        attempt=1,
        dimensions=dimensions,
        languages=tuple(language for language, _ in survey.languages()),
        limits=Limits(turns, tool_call_limit(survey.loc)),
        method=widest_method(state.round, known(state.request).modelled(Role.HUNTER)),
        findings=state.merged,
        context=context,
    )
    return with_leads(state, task)


def _chain_checker(state: AuditState, place: int, context: RoundContext | None) -> AgentTask:
    """Round 3 cross-checks attack chains with one agent (A44)."""
    task = _task(state, place, known(state.request).only, rounds.TURNS[CHAIN_ROUND], context)
    return replace(task, role=Role.CHAIN_CHECKER, findings=chains.grave(state.merged))
