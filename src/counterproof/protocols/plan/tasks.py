"""The agents that each stage uses, and what each is shown. Every task is new: no agent remembers an earlier one (P15)."""

from dataclasses import replace

from counterproof.model.plan.contract import Allowance, PlanRole, PlanTask, Tool
from counterproof.model.plan.iteration import Team
from counterproof.model.plan.research import DirectiveKind, ResearchMode
from counterproof.protocols.plan import budgets
from counterproof.protocols.plan.directives import MODE_OF
from counterproof.protocols.plan.state import PlanState

ATTEMPTS = 2

CHALLENGERS: dict[Team, tuple[PlanRole, ...]] = {
    Team.BASE: (PlanRole.CHALLENGER,),
    Team.SCALED: (PlanRole.CHALLENGER, PlanRole.DOMAIN_EXPERT, PlanRole.DEVILS_ADVOCATE),
}


def challenge_tasks(state: PlanState) -> tuple[PlanTask, ...]:
    """Critics may read the repository, within their own small allowance (P18)."""
    given = tuple(Allowance(tool, calls) for tool, calls in budgets.CRITICS.items())
    return tuple(replace(_task(state, role), allowances=given) for role in CHALLENGERS[state.team])


def explore_tasks(state: PlanState) -> tuple[PlanTask, ...]:
    """Modes 2 and 3 belong to iteration 1; later they need an accepted directive (P3, P8)."""
    if state.iteration == 1:
        modes = (ResearchMode.SURFACE, ResearchMode.PROBE)
    else:
        asked = {MODE_OF[each.kind] for each in state.directives if each.kind in MODE_OF}
        modes = tuple(mode for mode in (ResearchMode.SURFACE, ResearchMode.PROBE) if mode in asked)
    return tuple(_research(state, mode) for mode in modes)


def resolve_tasks(state: PlanState) -> tuple[PlanTask, ...]:
    """Mode 1 runs for unsettled challenges with something new: raised or answered in this iteration, or sent out again (P3)."""
    answered = {each.challenge_id for each in state.responses if each.iteration == state.iteration}
    fresh = [
        each
        for each in state.challenges
        if each.counts and (state.directives or each.id in answered or each.iteration_introduced == state.iteration)
    ]
    return (replace(_research(state, ResearchMode.RESOLVE), challenges=tuple(fresh)),) if fresh else ()


def synthesis_tasks(state: PlanState) -> tuple[PlanTask, ...]:
    """Without challenges there is no synthesis task."""
    return (_task(state, PlanRole.SYNTHESIZER),) if state.challenges else ()


def score_task(state: PlanState) -> PlanTask:
    return replace(_task(state, PlanRole.SYNTHESIZER, "score"), scoring=True)


def audit_task(state: PlanState) -> PlanTask:
    """The challenger marks the plan independently and sees the card that it audits; once (P12)."""
    return replace(_task(state, PlanRole.CHALLENGER, "score-audit"), scoring=True, card=state.card)


def retry(task: PlanTask) -> PlanTask:
    return replace(task, attempt=task.attempt + 1, id=f"{task.agent_id}-try{task.attempt + 1}")


def _research(state: PlanState, mode: ResearchMode) -> PlanTask:
    used: dict[Tool, int] = {}
    for entry in state.ledger:
        if entry.iteration == state.iteration:
            for each in entry.used:
                used[each.tool] = used.get(each.tool, 0) + each.calls
    absent = state.request.absent if state.request else ()
    raised = [tool for each in state.directives if each.kind is DirectiveKind.BUDGET for tool in each.about]
    kinds = {ResearchMode.SURFACE: DirectiveKind.RE_SWEEP, ResearchMode.PROBE: DirectiveKind.RE_PROBE}
    return replace(
        _task(state, PlanRole.RESEARCHER, mode.value),
        mode=mode,
        allowances=budgets.allowances(mode, used, absent, raised),
        directives=tuple(each for each in state.directives if each.kind is kinds.get(mode)),
    )


def _task(state: PlanState, role: PlanRole, suffix: str = "") -> PlanTask:
    name = "-".join(part for part in (f"i{state.iteration}", role.value, suffix) if part)
    return PlanTask(
        id=f"{name}-try1",
        agent_id=name,
        role=role,
        iteration=state.iteration,
        attempt=1,
        challenges=state.challenges,
        merged=state.merged,
        unknowns=state.unknowns,
        contexts=state.contexts,
        risks=state.risks,
        responses=state.responses,
        tightened=state.tightened,
    )
