"""The analysts' share of a run with models (A52): the state as if no model had been used.

Invariant: analysts' next tasks depend on this share alone, so a failing, lying or silent model does not affect them; a run
with a model has at least the analysts' part of the same run without it. Without models the share is the whole state.
"""

from dataclasses import replace

from counterproof.model.contract import Role
from counterproof.model.flow import Flow
from counterproof.protocols.audit import deep_dive, evaluation, merge
from counterproof.protocols.audit.state import AuditState, Work, known


def analysts(state: AuditState) -> AuditState:
    """The state without the models: without their tasks, work, findings and coverage."""
    if not any(task.model for task in state.tasks):
        return state
    return _share(replace(state, request=replace(known(state.request), models=(), terms=None)), modelled=False)


def models(state: AuditState) -> AuditState:
    """The state without the analysts: only the models' own results."""
    return _share(state, modelled=True)


def _share(state: AuditState, modelled: bool) -> AuditState:
    return judged(
        replace(
            state,
            registry=tuple(row for row in state.registry if bool(row.model) is modelled),
            tasks=tuple(task for task in state.tasks if bool(task.model) is modelled),
            work=tuple(work for work in state.work if work.modelled is modelled),
        )
    )


def judged(state: AuditState) -> AuditState:
    """The state with coverage and findings recomputed from its work."""
    work = tuple(each for each in state.work if each.hunting)
    covered = evaluation.judge(known(state.survey), known(state.recon), known(state.request).only, work, known(state.mode))
    findings, _ = merge.unique(merge.finders(state))
    return replace(state, coverage=covered.rows, roots=covered.roots, merged=findings)


def credible_flows(state: AuditState, work: Work) -> tuple[Flow, ...]:
    """The flows that an agent followed, with or without a finding, if its reads confirm them (A29)."""
    claimed = [*(work.reply.flows if work.reply else ()), *(finding.flow for finding in work.kept if finding.flow)]
    read = work.ledger.files_read()
    return tuple(flow for flow in claimed if deep_dive.credible(flow, known(state.survey), read))


def deeper_flows(state: AuditState) -> tuple[Flow, ...]:
    """Flows that divers and chain checkers followed further than the finders; they are also searched for chains (A57)."""
    roles = (Role.DEEP_DIVER, Role.CHAIN_CHECKER)
    return tuple(flow for work in state.work if work.task.role in roles for flow in credible_flows(state, work))
