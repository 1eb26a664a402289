"""The rounds after the first: who hunts for what is missing, and which earlier results are passed on (A44, A46).

Invariant: an emergency round targets only uncovered dimensions of D1 to D3; round 3 of a deep audit cross-checks chains, and
hunts only for uncovered or unfinished dimensions. Whether there is a next round is decided elsewhere.
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
from counterproof.protocols.audit.plan import dimensions_in_groups, kind_of, tool_call_limit
from counterproof.protocols.audit.state import AuditState, Stage, Work, known
from counterproof.protocols.audit.transfer import collect, excluded

CHAIN_ROUND = 3


def begin(state: AuditState, emergency: bool, alone: AuditState | None, together: bool) -> Step:
    """Create the agents for what is missing, with the results of earlier rounds (A44, A46).

    `alone` is the analysts' share of the state if they continue; `together`: the combined work requires more, so models
    continue.
    """
    number = state.round + 1
    own, notes = _asked(alone, emergency) if alone else (_cross_check(state, emergency), ())
    models, others = _asked(state, emergency, modelled=True) if together and known(state.request).models else ([], ())
    state = trail(enter(state, "2"), "NEXT_ROUND")
    state = trail(replace(state, round=number, emergency=emergency, stage=Stage.HUNT), f"ROUND_{number}_RUNNING")
    return hunt.launch(replace(state, notes=(*state.notes, *notes, *others)), (*own, *models))


def _cross_check(before: AuditState, emergency: bool) -> list[AgentTask]:
    """Round 3 has its chain checker even if analysts have nothing left to hunt, so that no round is without agents."""
    if before.round + 1 != CHAIN_ROUND or emergency:
        return []
    return [_chain_checker(replace(before, round=CHAIN_ROUND), 1, None, "")]


def _asked(before: AuditState, emergency: bool, modelled: bool = False) -> tuple[list[AgentTask], tuple[str, ...]]:
    """The tasks for one kind of agent, based on what earlier rounds left, and the reason if no results could be passed on."""
    state = replace(before, round=before.round + 1, emergency=emergency)
    request = known(state.request)
    hunters = request.model_of(Role.HUNTER) if modelled else ""
    checker = request.model_of(Role.CHAIN_CHECKER) if modelled else ""
    context, problem = _handed_on(state, modelled)
    turns = rounds.EMERGENCY_TURNS if state.emergency else rounds.TURNS[state.round]
    own = _left_open(before) if modelled and not emergency and state.round != CHAIN_ROUND else ()
    groups = hunting_groups(before, state.round, emergency, own) if hunters or not modelled else ()
    tasks = [_task(state, place, group, turns, context, hunters) for place, group in enumerate(groups, 1)]
    if state.round == CHAIN_ROUND and not state.emergency and (checker or not modelled):
        tasks.append(_chain_checker(state, len(tasks) + 1, context, checker))
    return tasks, problem


def _left_open(state: AuditState) -> tuple[Dimension, ...]:
    """The dimensions that models say they did not look at."""
    said = (claim for work in hunting_work(state) if work.modelled and work.reply for claim in work.reply.claims)
    return tuple(dict.fromkeys(each.dimension for each in said if each.status is Status.UNCOVERED))


def hunting_groups(
    state: AuditState, number: int, emergency: bool, first: tuple[Dimension, ...] = ()
) -> tuple[tuple[Dimension, ...], ...]:
    """The dimensions of each hunter, `first` before all. Round 3 has hunters only for uncovered or unfinished ones (A44)."""
    if emergency:
        return (rounds.uncovered_core(state.coverage),)
    wanted = rounds.targets(state.coverage) or rounds.worth_another_look(state.coverage) or known(state.request).only
    if number == CHAIN_ROUND:
        unfinished = cut_off(state)
        open_ = {row.dimension for row in state.coverage if row.status is Status.UNCOVERED}
        wanted = tuple(dimension for dimension in rounds.targets(state.coverage) if dimension in open_ | unfinished)
    wanted = tuple(dict.fromkeys((*first, *wanted)))
    return dimensions_in_groups(wanted, rounds.hunters(state.coverage)) if wanted else ()


def hunting_work(state: AuditState) -> tuple[Work, ...]:
    return tuple(work for work in state.work if work.hunting)


def cut_off(state: AuditState) -> frozenset[Dimension]:
    """Open dimensions that an agent of this round did not finish; the next round takes them over (A25)."""
    unfinished = (work.task for work in hunting_work(state) if work.task.round == state.round and not work.whole)
    return frozenset(dimension for task in unfinished for dimension in task.dimensions) & frozenset(gaps(state.coverage))


def with_leads(state: AuditState, task: AgentTask) -> AgentTask:
    """The task with the baseline hits for its dimensions, once the scan is done (A31)."""
    hits = state.baseline.hits if state.baseline else ()
    return replace(task, hits=tuple(hit for hit in hits if hit.dimension is None or hit.dimension in task.dimensions))


def _handed_on(state: AuditState, modelled: bool) -> tuple[RoundContext | None, tuple[str, ...]]:
    """The results of earlier rounds of the same kind of agent; if invalid they are rejected, and the report says so. Models
    get only what models read and searched: an analyst's visit to every file settles nothing for a model (A47, A59)."""
    work = tuple(each for each in hunting_work(state) if each.modelled is modelled)
    transfer = collect(state.coverage, work, state.merged, excluded(work, state.merged, known(state.survey)))
    problems = transfer.problems()
    if problems:
        whom = "the models of " if modelled else ""
        return None, (f"Nothing was passed to {whom}round {state.round}: {'; '.join(problems)}.",)
    return RoundContext(state.round, tuple(range(1, state.round)), transfer), ()


def _task(
    state: AuditState,
    place: int,
    dimensions: tuple[Dimension, ...],
    turns: int,
    context: RoundContext | None,
    model: str,
) -> AgentTask:
    survey = known(state.survey)
    agent = f"{kind_of(model)}-r{state.round}-{place:02}"
    task = AgentTask(
        id=f"{agent}/attempt-1",
        agent_id=agent,
        role=Role.HUNTER,
        round=state.round,
        attempt=1,
        dimensions=dimensions,
        languages=tuple(language for language, _ in survey.languages()),
        limits=Limits(turns, tool_call_limit(survey.loc)),
        method=widest_method(state.round, bool(model)),
        findings=state.merged,
        context=context,
        model=model,
    )
    return with_leads(state, task)


def _chain_checker(state: AuditState, place: int, context: RoundContext | None, model: str) -> AgentTask:
    """Round 3 cross-checks attack chains with one agent (A44)."""
    task = _task(state, place, known(state.request).only, rounds.TURNS[CHAIN_ROUND], context, model)
    return replace(task, role=Role.CHAIN_CHECKER, findings=chains.grave(state.merged))
