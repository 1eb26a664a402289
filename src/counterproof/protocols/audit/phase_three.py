"""Phase 3, the deep dive: unread and P0 files, deeper flows, and attack chains (A34)."""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.finding import Finding
from counterproof.protocols.audit import chains, deep_dive, evaluation, gates, hunt, merge, narration, phase_four
from counterproof.protocols.audit.commands import Command
from counterproof.protocols.audit.events import AgentFailed, AgentFinished
from counterproof.protocols.audit.moves import Step, announce, enter, trail
from counterproof.protocols.audit.plan import tool_call_limit
from counterproof.protocols.audit.state import AuditState, Stage, Work, known

DIVER = "agent-p3-01"
TURNS = 25


def begin(state: AuditState) -> Step:
    """Through the gate (A33), then one diver, unless the time is over; then the phase is judged by what there is."""
    closed = [check for check in gates.before_deep_dive(state) if not check.passed and not check.waivable]
    if closed:
        raise EngineBug(f"phase 3 asked for with a closed gate: {closed[0].name}, {closed[0].detail}")
    state = trail(replace(enter(state, "3"), stage=Stage.DEEP_DIVE), "DEEP_DIVE")
    if state.time_up:
        return _conclude(state)
    return hunt.launch(state, (dive_task(state),))


def dive_task(state: AuditState) -> AgentTask:
    """Findings to deepen, and the files that phase 2 left unread, P0 files first. A model, which reads any language, is
    also given those that were only searched for secrets."""
    survey, recon = known(state.survey), known(state.recon)
    modelled = known(state.request).modelled(Role.DEEP_DIVER)
    read = read_in_phase_2(state, beyond_secrets=modelled)
    unread = [file.path for file in survey.files if file.language and not file.test and file.path not in read]
    first = [path for path in recon.p0_files if path in unread]
    return AgentTask(
        id=f"{DIVER}/attempt-1",
        agent_id=DIVER,
        role=Role.DEEP_DIVER,
        round=state.round,
        attempt=1,
        dimensions=known(state.request).only,
        languages=tuple(language for language, _ in survey.languages()),
        limits=Limits(TURNS, tool_call_limit(survey.loc)),
        findings=_to_deepen(state.merged, modelled),
        files=(*first, *(path for path in unread if path not in first)),
    )


def _to_deepen(merged: tuple[Finding, ...], modelled: bool) -> tuple[Finding, ...]:
    """The grave findings. An embedded diver, which pays for no step, is also given the other flows, so that the record can show
    that there is nothing deeper; a model is, where no grave finding has one."""
    given = chains.grave(merged) or merged
    if modelled and any(each.flow for each in given):
        return given
    return (*given, *(each for each in merged if each.flow and each not in given))


def read_in_phase_2(state: AuditState, beyond_secrets: bool = False) -> frozenset[str]:
    """Files that hunters read; with `beyond_secrets`, for more than D7 alone."""
    reads = (read for work in state.work if work.hunting for read in work.ledger.reads)
    return frozenset(path for read in reads if not beyond_secrets or read.dimensions != (Dimension.D7,) for path in read.paths)


def agent_finished(state: AuditState, event: AgentFinished) -> Step:
    return _after(*hunt.finish(state, event))


def agent_failed(state: AuditState, event: AgentFailed) -> Step:
    return _after(*hunt.fail(state, event))


def _after(state: AuditState, commands: tuple[Command, ...]) -> Step:
    return (state, commands) if hunt.running(state) else _conclude(state)


def _conclude(state: AuditState) -> Step:
    """Judge the dive, merge what it found, look for chains, and go on to validation whatever came of it."""
    divers = tuple(work for work in state.work if work.task.role is Role.DEEP_DIVER)
    earlier = state.merged
    findings, _ = merge.unique(merge.finders(state))
    read_now = frozenset(path for work in divers for path in work.ledger.files_read())
    claimed = [flow for work in divers if work.reply for flow in work.reply.flows]
    claimed += [finding.flow for work in divers for finding in work.kept if finding.flow]
    flows = tuple(flow for flow in claimed if deep_dive.credible(flow, known(state.survey), read_now))
    dive = deep_dive.judge(
        known(state.survey),
        known(state.recon).p0_files,
        read_in_phase_2(state),
        read_now,
        earlier,
        flows,
        len(findings) - len(earlier),
        _unfinished(divers),
        evaluation.uncounted_files(known(state.survey), known(state.recon)),
        tuple(trace for work in divers for trace in work.ledger.traces),
    )
    state = replace(state, merged=findings, dive=dive, chains=chains.chained(findings))
    return phase_four.begin(announce(state, narration.phase_3(dive), *narration.partial("3", dive.shortfalls)))


def _unfinished(divers: tuple[Work, ...]) -> str:
    if not divers:
        return "nobody dived: the time limit was reached"
    diver = divers[-1]
    if diver.failure:
        return f"the diver failed: {diver.failure}"
    return "" if diver.whole else "the diver was cut off"
