"""Flows that agents followed beyond their findings, as far as their own reading bears them out (A29, A34, A57)."""

from counterproof.model.contract import Role
from counterproof.model.flow import Flow
from counterproof.protocols.audit import deep_dive
from counterproof.protocols.audit.state import AuditState, Work, known


def credible_flows(state: AuditState, work: Work) -> tuple[Flow, ...]:
    """The flows that an agent followed, with or without a finding of its own, as far as its reading bears them out (A29)."""
    claimed = [*(work.reply.flows if work.reply else ()), *(finding.flow for finding in work.kept if finding.flow)]
    read = work.ledger.files_read()
    return tuple(flow for flow in claimed if deep_dive.credible(flow, known(state.survey), read))


def deeper_flows(state: AuditState) -> tuple[Flow, ...]:
    """What divers and chain checkers followed further than the finders did. Chains are looked for in these too (A57)."""
    roles = (Role.DEEP_DIVER, Role.CHAIN_CHECKER)
    return tuple(flow for work in state.work if work.task.role in roles for flow in credible_flows(state, work))
