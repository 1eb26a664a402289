"""Phases 2 and 2.5: the baseline scan, rounds of hunters, merging, evaluation, and the decision (A25 to A33, A42 to A47)."""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Ask, Role
from counterproof.model.coverage import Status
from counterproof.protocols.audit import (
    chains,
    gates,
    hunt,
    markers,
    narration,
    next_round,
    phase_five,
    phase_three,
    questions,
    rounds,
    shares,
    transfer,
)
from counterproof.protocols.audit.commands import Command, RunBaseline
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, BaselineFinished
from counterproof.protocols.audit.methods import method_of
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.moves import Step, announce, enter, trail, wait, without
from counterproof.protocols.audit.next_round import hunting_work, with_leads
from counterproof.protocols.audit.rounds import Decision, Next, Questions
from counterproof.protocols.audit.state import AuditState, Round, Stage, known

NO_WIDER_METHOD = "no agent has a broader method left"
BASELINE = "semgrep"


def begin(state: AuditState) -> Step:
    """After the plan is confirmed: quick audits hunt at once, standard ones scan first, deep ones do both in parallel (A31)."""
    state = enter(state, "2")
    if state.mode is Mode.STANDARD:
        return wait(state, Stage.BASELINE, RunBaseline(BASELINE))
    launched, commands = _first_round(state)
    if state.mode is Mode.DEEP:
        launched, scan = wait(launched, Stage.HUNT, RunBaseline(BASELINE))
        return launched, (*commands, *scan)
    return launched, commands


def _first_round(state: AuditState) -> Step:
    """Round 1 as planned; baseline hits that already exist are passed on as leads."""
    state = trail(replace(state, stage=Stage.HUNT, round=1), "ROUND_1_RUNNING")
    return hunt.launch(state, tuple(_led(state, task) for task in known(state.plan).tasks))


def _led(state: AuditState, task: AgentTask) -> AgentTask:
    """The plain question has no leads (A31, A61)."""
    return task if task.ask is Ask.PLAIN else with_leads(state, task)


def baseline_finished(state: AuditState, event: BaselineFinished) -> Step:
    state = without(replace(state, baseline=event.baseline), event.answers)
    if state.stage is Stage.BASELINE:
        return _first_round(state)
    return after_hand_in(state, ())


def agent_finished(state: AuditState, event: AgentFinished) -> Step:
    return after_hand_in(*hunt.finish(state, event))


def agent_failed(state: AuditState, event: AgentFailed) -> Step:
    return after_hand_in(*hunt.fail(state, event))


def after_hand_in(state: AuditState, commands: tuple[Command, ...]) -> Step:
    """When no agent is working: the reduced restart if all failed (A27), else merging and evaluation."""
    if hunt.running(state) or BASELINE in state.outstanding:
        return state, commands
    fallen = hunt.to_recover(state)
    if fallen:
        return _recover(state, fallen)
    left = questions.left_questions(state)
    if left:
        return hunt.launch(state, tuple(with_leads(state, task) for task in left))
    state = shares.judged(state)
    state = announce(state, *narration.failures(hunting_work(state), state.round))
    if state.mode is Mode.QUICK or state.all_failed:
        state = announce(state, narration.phase_2(state, "report"))
        return phase_five.write_report(enter(state, "5"))
    return _evaluate(enter(announce(state, narration.phase_2(state, "2.5")), "2.5"))


def _recover(state: AuditState, fallen: tuple[str, ...]) -> Step:
    """The reduced restart of the workers whose hunters all failed: the analysts, or a model (A27, A52)."""
    tasks = [task for model in fallen for task in hunt.recovery_tasks(state, model)]
    whose = "agents" if "" in fallen else f"agents of {', '.join(fallen)}"
    halt = markers.halt(f"all {whose} failed", f"{len(tasks)} reduced agents restart")
    return hunt.launch(replace(announce(state, halt), recovered=(*state.recovered, *fallen)), tuple(tasks))


def _evaluate(state: AuditState) -> Step:
    """Phase 2.5: the three questions, the decision, then the next round or phase 3."""
    state = trail(replace(state, hotspots=transfer.hotspots(state.merged)), f"ROUND_{state.round}_EVALUATION")
    alone = shares.analysts(state)
    answers, decision = _decided(state)
    own = decision if alone is state else _decided(alone)[1]
    agents = tuple(row.agent_id for row in state.registry if row.round == state.round)
    record = Round(state.round, state.emergency, agents, state.coverage, answers, decision)
    state = replace(state, rounds=(*state.rounds, record))
    following = own if decision.next is Next.DEEP_DIVE else decision
    state = announce(state, narration.phase_2_5(state, "3" if following.next is Next.DEEP_DIVE else "2"))
    if following.next is Next.DEEP_DIVE:
        return phase_three.begin(_converged(state, decision))
    trigger = "D1-D3 uncovered" if following.next is Next.EMERGENCY else "coverage or depth too low"
    state = announce(state, markers.halt(trigger, f"{following.next.value}: {following.reason}"))
    go_on = alone if own.next is not Next.DEEP_DIVE else None
    return next_round.begin(state, following.next is Next.EMERGENCY, go_on, decision.next is not Next.DEEP_DIVE)


def _decided(state: AuditState) -> tuple[Questions, Decision]:
    """The decision for this state: the whole, or the analysts' share of it (A52)."""
    answers = three_questions(state)
    mode, hindrance = known(state.mode), obstacle(state, answers)
    score = gates.score(state)
    return answers, rounds.decide(mode, state.round, state.emergency, hindrance, state.coverage, score, answers)


def _converged(state: AuditState, decision: Decision) -> AuditState:
    """The statements required when rounds end: a waiver, explained gaps, a method that ran out (A33, A43)."""
    notes: tuple[str, ...] = ()
    if decision.reason == NO_WIDER_METHOD:
        notes = (f"Round {state.round + 1} was skipped: the embedded analysts have no broader method left.",)
    waivers = (decision.waiver,) if decision.waiver else ()
    explained = rounds.gaps_left(state.coverage)
    return replace(state, notes=state.notes + notes, waivers=state.waivers + waivers, explained=explained)


def three_questions(state: AuditState) -> Questions:
    """The three questions of A45, answered from the ledger: a yes requests another round."""
    work = hunting_work(state)
    unsearched = any(row.status is Status.UNCOVERED for row in state.coverage)
    traced = {place for each in work for place in each.ledger.entries}
    entries = {entry.handler for entry in known(state.recon).entry_points}
    checked = any(each.task.role is Role.CHAIN_CHECKER and each.whole for each in work)
    grave = chains.grave(state.merged)
    across = any(chains.yields(each) for each in grave) and len({each.location.path for each in grave}) > 1
    return Questions(unsearched, bool(entries - traced), across and not checked)


def obstacle(state: AuditState, answers: Questions) -> str:
    """Why another round would add nothing; '' if it may help (A23).

    It may help with a wider method, which a model always has, for work that was never finished or never done, and in round 3
    for chains that nobody has cross-checked.
    """
    if state.time_up:
        return "the time limit was reached"
    uncovered = any(row.status is Status.UNCOVERED for row in state.coverage)
    cross_check = state.round + 1 == next_round.CHAIN_ROUND and answers.open_combinations
    wider = method_of(state.round + 1, known(state.request).modelled(Role.HUNTER))
    if wider or uncovered or cross_check or next_round.cut_off(state):
        return ""
    return NO_WIDER_METHOD
