"""Phase 3, the deep dive: unread and P0 files, deeper flows, and attack chains (A34)."""

from dataclasses import replace

from counterproof.model.contract import AgentTask, Limits, Role
from counterproof.model.dimension import Dimension
from counterproof.model.errors import EngineBug
from counterproof.model.finding import Finding
from counterproof.protocols.audit import chains, deep_dive, evaluation, gates, hunt, narration, phase_four, shares
from counterproof.protocols.audit.commands import Command
from counterproof.protocols.audit.events import AgentFailed, AgentFinished
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.moves import Step, announce, enter, trail
from counterproof.protocols.audit.plan import kind_of, tool_call_limit
from counterproof.protocols.audit.state import AuditState, Stage, Work, known

TURNS = 25


def begin(state: AuditState) -> Step:
    """Pass the gate (A33) and start one diver, unless time is up; then judge the phase by the existing results."""
    closed = [check for check in gates.before_deep_dive(state) if not check.passed and not check.waivable]
    if closed:
        raise EngineBug(f"phase 3 requested while a gate was closed: {closed[0].name}, {closed[0].detail}")
    state = trail(replace(enter(state, "3"), stage=Stage.DEEP_DIVE), "DEEP_DIVE")
    if state.time_up:
        return _conclude(state)
    model = _diver(state)
    own = dive_task(shares.analysts(state))
    return hunt.launch(state, (own, dive_task(state, model)) if model else (own,))


def _diver(state: AuditState) -> str:
    """The model that dives; '' if an analyst is enough: a model's hunters saw the whole source, or, in a standard audit with
    model hunters, every relevant file was read by somebody (A34)."""
    whole = any(work.task.whole and work.whole for work in state.work)
    read = _read_by_models(state) | _read_by_analysts(state)
    hunted = state.mode is Mode.STANDARD and any(work.hunting and work.modelled for work in state.work)
    covered = hunted and read.issuperset(known(state.recon).p0_files)
    return "" if whole or covered else known(state.request).model_of(Role.DEEP_DIVER)


def dive_task(state: AuditState, model: str = "") -> AgentTask:
    """Findings to deepen, and the files that phase 2 left unread, P0 files first. A model, which reads any language, gets the
    files that no model read except to search for secrets: files visited by analysts do not count for it (A52)."""
    survey, recon = known(state.survey), known(state.recon)
    read = read_in_phase_2(state, modelled=bool(model))
    unread = [file.path for file in survey.files if file.language and file.loc and not file.test and file.path not in read]
    first = [path for path in recon.p0_files if path in unread]
    agent = f"{kind_of(model)}-p3-01"
    return AgentTask(
        id=f"{agent}/attempt-1",
        agent_id=agent,
        role=Role.DEEP_DIVER,
        round=state.round,
        attempt=1,
        dimensions=known(state.request).only,
        languages=tuple(language for language, _ in survey.languages()),
        limits=Limits(TURNS, tool_call_limit(survey.loc)),
        findings=_to_deepen(state.merged, bool(model)),
        files=(*first, *(path for path in unread if path not in first)),
        model=model,
        beyond=state.mode is Mode.DEEP and not model,
    )


def _to_deepen(merged: tuple[Finding, ...], modelled: bool) -> tuple[Finding, ...]:
    """The severe findings. An embedded diver, whose steps cost nothing, also gets the other flows, so that the record can show
    that nothing is deeper; a model gets them if no severe finding has a flow."""
    given = chains.grave(merged) or merged
    if modelled and any(each.flow for each in given):
        return given
    return (*given, *(each for each in merged if each.flow and each not in given))


def read_in_phase_2(state: AuditState, modelled: bool = False) -> frozenset[str]:
    """Files that hunters read. A model's dive ignores files that only analysts read, if models hunted, and files that were
    only searched for secrets (D7 alone)."""
    hunted = [work for work in state.work if work.hunting]
    kind = modelled and any(work.modelled for work in hunted)
    reads = (read for work in hunted if work.modelled is kind for read in work.ledger.reads)
    return frozenset(path for read in reads if not modelled or read.dimensions != (Dimension.D7,) for path in read.paths)


def agent_finished(state: AuditState, event: AgentFinished) -> Step:
    return _after(*hunt.finish(state, event))


def agent_failed(state: AuditState, event: AgentFailed) -> Step:
    return _after(*hunt.fail(state, event))


def _after(state: AuditState, commands: tuple[Command, ...]) -> Step:
    return (state, commands) if hunt.running(state) else _conclude(state)


def _conclude(state: AuditState) -> Step:
    """Judge each dive by its diver's work, merge the findings, look for chains, and continue with validation in any case (A34,
    A52)."""
    found = shares.judged(state)
    alone = shares.analysts(found)
    before = replace(alone, merged=shares.analysts(state).merged)
    dive = _judged(before, len(alone.merged), covered=_read_by_models(found))
    asked = bool(_diver(state))
    by_analysts = _read_by_analysts(found)
    model_dive = _judged(state, len(found.merged), modelled=True, covered=by_analysts) if asked else None
    state = replace(state, merged=found.merged, dive=dive, model_dive=model_dive)
    state = replace(state, chains=chains.chained(state.merged, shares.deeper_flows(state)))
    short = (*dive.shortfalls, *(model_dive.shortfalls if model_dive else ()))
    return phase_four.begin(announce(state, narration.phase_3(dive, model_dive), *narration.partial("3", short)))


def _judged(state: AuditState, findings: int, modelled: bool = False, covered: frozenset[str] = frozenset()) -> deep_dive.Dive:
    """The result of one kind of diver; `state.merged` are the findings known before, `findings` their number now. `covered`
    are files that others read, which count as covered (A34, A52)."""
    divers = tuple(work for work in state.work if work.task.role is Role.DEEP_DIVER and work.modelled is modelled)
    return deep_dive.judge(
        known(state.survey),
        known(state.recon).p0_files,
        read_in_phase_2(state, modelled) | covered,
        frozenset(path for work in divers for path in work.ledger.files_read()),
        state.merged,
        tuple(flow for work in divers for flow in shares.credible_flows(state, work)),
        findings - len(state.merged),
        _unfinished(divers),
        evaluation.uncounted_files(known(state.survey), known(state.recon)),
        tuple(trace for work in divers for trace in work.ledger.traces),
        tuple(each for work in divers if work.reply for each in work.reply.leftovers),
    )


def _read_by_analysts(state: AuditState) -> frozenset[str]:
    """Files that analysts read, hunting or diving: models need not read them again (A34)."""
    return frozenset(path for work in state.work if not work.modelled for path in work.ledger.files_read())


def _read_by_models(state: AuditState) -> frozenset[str]:
    """Files that models read for more than secrets, hunting or diving, if they submitted."""
    reads = (read for work in state.work if work.modelled and work.whole for read in work.ledger.reads)
    return frozenset(path for read in reads if read.dimensions != (Dimension.D7,) for path in read.paths)


def _unfinished(divers: tuple[Work, ...]) -> str:
    if not divers:
        return "no deep dive: the time limit was reached"
    diver = divers[-1]
    who = diver.task.agent_id if diver.modelled else "the diver"
    if diver.failure:
        return f"{who} failed: {diver.failure}"
    return "" if diver.whole else f"{who} was cut off"
