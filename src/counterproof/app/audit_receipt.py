"""The receipt of an audit: times, ids, money and every reason for its exit code, for machines (A51)."""

from typing import Any

from counterproof.app import recorded_runs, recovery, vulnerability_data
from counterproof.app.team import receipt, spent
from counterproof.protocols.audit.resolution import Ruled
from counterproof.protocols.audit.ruling import SAME_CONTEXT, SAME_MODEL
from counterproof.protocols.audit.state import AuditState
from counterproof.protocols.guard.budget import Cost, ModelTerms
from counterproof.runtime.kept import RunJournal


def own(journal: RunJournal, taken_over: dict[str, Any], state: AuditState) -> dict[str, Any]:
    """The audit's part of the receipt. `taken_over` describes results reused from earlier runs."""
    terms = state.request.terms if state.request else None
    return {
        "target": state.request.target if state.request else "",
        "mode": state.mode.value if state.mode else "",
        "report": dict(state.digests),
        "cache": taken_over,
        "accepted_unread": {
            "globs": request.accept_unread if (request := state.request) else (),
            "files": [str(each) for each in state.survey.unread if each.accepted] if state.survey else [],
        },
        "vulnerability_data": vulnerability_data.receipt(state.request),
        "recorded": recorded_runs.receipt(state.request),
        "sandbox": {"active": state.confinement.active, "missing": state.confinement.missing},
        **receipt(_spent(journal, terms), terms),
        "one_model": [str(each.finding.location) for each in _judged_by_one_model(state)],
    }


def _judged_by_one_model(state: AuditState) -> list[Ruled]:
    """Findings that one model found and confirmed, with no analyst beside it (A53)."""
    return [each for each in (state.resolved.ruled if state.resolved else ()) if {SAME_MODEL, SAME_CONTEXT} & set(each.labels)]


def _spent(journal: RunJournal, terms: ModelTerms | None) -> Cost:
    """Without models nothing was spent, and no event needs to be read."""
    return spent(recovery.paid_events(journal)) if terms else Cost()
