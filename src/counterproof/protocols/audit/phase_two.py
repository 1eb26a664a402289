"""Phases 2 and 2.5: the baseline scan, rounds of hunters, merging, evaluation, and what follows (A25 to A33, A42 to A47)."""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.finding import Finding
from counterproof.model.recon import NETWORK_KINDS
from counterproof.model.survey import Language
from counterproof.model.transfer import RoundContext
from counterproof.protocols.audit import chains, evaluation, gates, hunt, merge, narration, phase_five, phase_three, rounds
from counterproof.protocols.audit.commands import Command, RunBaseline
from counterproof.protocols.audit.events import AgentFailed, AgentFinished, BaselineFinished
from counterproof.protocols.audit.markers import HaltMarker
from counterproof.protocols.audit.methods import method_of
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.moves import Step, announce, enter, trail, wait, without
from counterproof.protocols.audit.plan import dimensions_in_groups, tool_call_limit
from counterproof.protocols.audit.rounds import Decision, Next, Questions
from counterproof.protocols.audit.state import AuditState, Round, Stage, Work, known
from counterproof.protocols.audit.transfer import collect

BASELINE = "semgrep"


def begin(state: AuditState) -> Step:
    """After the acknowledgement: quick hunts at once, standard scans first, deep scans beside its agents (A31)."""
    state = enter(state, "2")
    if state.mode is Mode.STANDARD:
        return wait(state, Stage.BASELINE, RunBaseline(BASELINE))
    launched, commands = _first_round(state)
    if state.mode is Mode.DEEP:
        launched, scan = wait(launched, Stage.HUNT, RunBaseline(BASELINE))
        return launched, (*commands, *scan)
    return launched, commands


def _first_round(state: AuditState) -> Step:
    """Round 1 as planned; baseline hits that are already there go along as leads."""
    state = trail(replace(state, stage=Stage.HUNT, round=1), "ROUND_1_RUNNING")
    hits = state.baseline.hits if state.baseline else ()
    tasks = tuple(
        replace(task, hits=tuple(hit for hit in hits if hit.dimension in task.dimensions)) for task in known(state.plan).tasks
    )
    return hunt.launch(state, tasks)


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
    """Once nobody is at work: the reduced restart if all failed (A27), else merging and evaluation."""
    if hunt.running(state) or BASELINE in state.outstanding:
        return state, commands
    if hunt.needs_recovery(state):
        tasks = hunt.recovery_tasks(state)
        halt = HaltMarker("all agents failed", f"{len(tasks)} reduced agents restart")
        return hunt.launch(replace(announce(state, halt), recovered=True), tasks)
    work = hunting_work(state)
    survey, recon, request = known(state.survey), known(state.recon), known(state.request)
    rows = evaluation.matrix(survey, recon, request.only, work, known(state.mode))
    findings, _ = merge.unique(work)
    state = replace(state, coverage=rows, merged=findings)
    if state.mode is Mode.QUICK or not any(each.whole for each in work):
        state = announce(state, narration.phase_2(state, len(findings), "report"))
        return phase_five.write_report(enter(state, "5", incomplete=True))
    return _evaluate(enter(announce(state, narration.phase_2(state, len(findings), "2.5")), "2.5"))


def hunting_work(state: AuditState) -> tuple[Work, ...]:
    return tuple(work for work in state.work if work.hunting)


def _evaluate(state: AuditState) -> Step:
    """Phase 2.5: the three questions, the decision, and on to the next round or to phase 3."""
    state = trail(state, f"ROUND_{state.round}_EVALUATION")
    questions = three_questions(state)
    decision = rounds.decide(
        known(state.mode),
        state.round,
        state.emergency,
        could_help(state) and not state.time_up,
        state.coverage,
        gates.score(state),
        questions,
    )
    agents = tuple(row.agent_id for row in state.registry if row.round == state.round)
    record = Round(state.round, state.emergency, agents, state.coverage, questions, decision)
    state = replace(state, rounds=(*state.rounds, record))
    state = announce(state, narration.phase_2_5(state, "3" if decision.next is Next.DEEP_DIVE else "2"))
    if decision.next is Next.DEEP_DIVE:
        return phase_three.begin(_converged(state, decision))
    trigger = "D1-D3 uncovered" if decision.next is Next.EMERGENCY else "coverage or depth short"
    state = announce(state, HaltMarker(trigger, f"{decision.next.value}: {decision.reason}"))
    return _next_round(state, decision.next is Next.EMERGENCY)


def _converged(state: AuditState, decision: Decision) -> AuditState:
    """What must be said when rounds end: a waiver, gaps explained, a method that ran out (A33, A43)."""
    notes = rounds.explanations(state.coverage)
    if decision.reason == "no agent has a wider method left":
        notes = (*notes, f"Round {state.round + 1} was skipped: the embedded analysts have no wider method left.")
    waivers = (decision.waiver,) if decision.waiver else ()
    return replace(state, notes=state.notes + notes, waivers=state.waivers + waivers)


def three_questions(state: AuditState) -> Questions:
    """A45, from the ledger: a yes asks for another round."""
    work = hunting_work(state)
    unsearched = any(row.status.value == "❌" for row in state.coverage)
    traced = {place for each in work for place in each.ledger.entries}
    entries = {entry.handler for entry in known(state.recon).entry_points if entry.kind in NETWORK_KINDS}
    checked = any(each.task.role is Role.CHAIN_CHECKER and each.whole for each in work)
    places = {finding.id: finding.location.path for finding in state.merged}
    across = any(places[link.first] != places[link.then] for link in chains.links(state.merged))
    return Questions(unsearched, bool(entries - traced), across and not checked)


def could_help(state: AuditState) -> bool:
    """Whether another round has anything new to offer: a wider method, or work that was never finished (A23)."""
    cut_off = any(not work.whole for work in hunting_work(state) if work.task.round == state.round)
    return bool(method_of(state.round + 1)) or cut_off


def _next_round(state: AuditState, emergency: bool) -> Step:
    """Agents for what is missing, with the state that earlier rounds hand on (A44, A46)."""
    number = state.round + 1
    state = trail(enter(state, "2"), "NEXT_ROUND")
    state = trail(replace(state, round=number, emergency=emergency, stage=Stage.HUNT), f"ROUND_{number}_RUNNING")
    context, state = _handed_on(state, number)
    dimensions = rounds.targets(state.coverage, emergency) or known(state.request).only
    count = 1 if emergency else rounds.hunters(state.coverage)
    turns = rounds.EMERGENCY_TURNS if emergency else rounds.TURNS[number]
    tasks = list(_tasks(state, number, dimensions_in_groups(dimensions, count), turns, context))
    if number == 3:
        tasks.append(_chain_checker(state, len(tasks) + 1, context))
    return hunt.launch(state, tuple(tasks))


def _handed_on(state: AuditState, number: int) -> tuple[RoundContext | None, AuditState]:
    transfer = collect(state.coverage, hunting_work(state), state.merged, ())
    problems = transfer.problems()
    if problems:
        note = f"Nothing was handed to round {number}: {'; '.join(problems)}."
        return None, replace(state, notes=(*state.notes, note))
    return RoundContext(number, tuple(range(1, number)), transfer), state


def _tasks(
    state: AuditState, number: int, groups: tuple[tuple[Dimension, ...], ...], turns: int, context: RoundContext | None
) -> tuple[AgentTask, ...]:
    limits = Limits(turns, tool_call_limit(known(state.survey).loc))
    return tuple(
        AgentTask(
            id=f"agent-r{number}-{place:02}/attempt-1",
            agent_id=f"agent-r{number}-{place:02}",
            role=Role.HUNTER,
            round=number,
            attempt=1,
            dimensions=group,
            languages=_languages(state),
            limits=limits,
            method=method_of(number) or method_of(number - 1),
            context=context,
        )
        for place, group in enumerate(groups, 1)
    )


def _chain_checker(state: AuditState, place: int, context: RoundContext | None) -> AgentTask:
    """Round 3 cross-checks attack chains with one agent (A44)."""
    grave: tuple[Finding, ...] = chains.grave(state.merged)
    task = _tasks(state, 3, (known(state.request).only,), rounds.TURNS[3], context)[0]
    agent = f"agent-r3-{place:02}"
    return replace(task, id=f"{agent}/attempt-1", agent_id=agent, role=Role.CHAIN_CHECKER, findings=grave)


def _languages(state: AuditState) -> tuple[Language, ...]:
    return tuple(language for language, _ in known(state.survey).languages())
