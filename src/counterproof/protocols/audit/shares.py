"""The analysts' share of a run that models take part in (A52): the state as it would be had no model been asked.

Invariant: what analysts are asked next is decided on this share alone, so a model that fails, lies or falls silent changes
nothing in their work; and a run with a model has at least the analysts' part of the same run without it. Without models the share
is the whole.
"""

from dataclasses import replace

from counterproof.model.contract import Role
from counterproof.model.flow import Flow
from counterproof.protocols.audit import deep_dive, evaluation, merge
from counterproof.protocols.audit.state import AuditState, Work, known


def analysts(state: AuditState) -> AuditState:
    """The state without the models: their tasks, their work, their findings and their coverage."""
    if not any(task.model for task in state.tasks):
        return state
    return _share(replace(state, request=replace(known(state.request), models=(), terms=None)), modelled=False)


def models(state: AuditState) -> AuditState:
    """The state without the analysts: what models earned by themselves."""
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
    """The state with the coverage and the findings that its work amounts to."""
    work = tuple(each for each in state.work if each.hunting)
    covered = evaluation.judge(known(state.survey), known(state.recon), known(state.request).only, work, known(state.mode))
    findings, _ = merge.unique(merge.finders(state))
    return replace(state, coverage=covered.rows, roots=covered.roots, merged=findings)


def credible_flows(state: AuditState, work: Work) -> tuple[Flow, ...]:
    """The flows that an agent followed, with or without a finding, as far as its reading bears them out (A29)."""
    claimed = [*(work.reply.flows if work.reply else ()), *(finding.flow for finding in work.kept if finding.flow)]
    read = work.ledger.files_read()
    return tuple(flow for flow in claimed if deep_dive.credible(flow, known(state.survey), read))


def deeper_flows(state: AuditState) -> tuple[Flow, ...]:
    """What divers and chain checkers followed further than the finders did; chains are looked for there too (A57)."""
    roles = (Role.DEEP_DIVER, Role.CHAIN_CHECKER)
    return tuple(flow for work in state.work if work.task.role in roles for flow in credible_flows(state, work))
