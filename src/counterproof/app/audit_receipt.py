"""The receipt of an audit: times, ids, money and every reason for its exit code, for machines (A51)."""

from typing import Any

from counterproof.app import model_team, recorded_runs, recovery, vulnerability_data
from counterproof.app.driving import store_receipt
from counterproof.model.receipt import Outcome
from counterproof.protocols.audit.request import ModelTerms
from counterproof.protocols.audit.resolution import ONE_MODEL, Ruled
from counterproof.protocols.audit.state import AuditState
from counterproof.protocols.guard.budget import Cost
from counterproof.runtime.home import RunFolder
from counterproof.runtime.kept import RunJournal


def write(run: RunFolder, journal: RunJournal, state: AuditState, taken_over: dict[str, Any]) -> None:
    """The machine-readable end of a run: times and ids stand here, not in the report (A51)."""
    times = [entry.at for entry in journal.entries()]
    outcome = state.outcome or Outcome(())
    seq, head = journal.head
    terms = state.request.terms if state.request else None
    receipt = {
        "run": run.id,
        "version": state.version,
        "target": state.request.target if state.request else "",
        "mode": state.mode.value if state.mode else "",
        "started": times[0],
        "ended": times[-1],
        "exit_code": int(outcome.exit),
        "exit": outcome.exit.name.lower(),
        "reasons": [{"code": int(reason.code), "text": reason.text} for reason in outcome.reasons],
        "report": dict(state.digests),
        "cache": taken_over,
        "accepted_unread": {
            "globs": request.accept_unread if (request := state.request) else (),
            "files": [str(each) for each in state.survey.unread if each.accepted] if state.survey else [],
        },
        "vulnerability_data": vulnerability_data.receipt(state.request),
        "recorded": recorded_runs.receipt(state.request),
        "sandbox": {"active": state.confinement.active, "missing": state.confinement.missing},
        **model_team.receipt(_spent(journal, terms), terms),
        "one_model": [str(each.finding.location) for each in _judged_by_one_model(state)],
        "journal": {"entries": seq, "head": head},
    }
    store_receipt(run, journal, receipt)


def _judged_by_one_model(state: AuditState) -> list[Ruled]:
    """Findings that one model found and confirmed, with no analyst beside it (A53)."""
    return [each for each in (state.resolved.ruled if state.resolved else ()) if ONE_MODEL in each.labels]


def _spent(journal: RunJournal, terms: ModelTerms | None) -> Cost:
    """Without models nothing was, and no event has to be read again."""
    return model_team.spent(recovery.paid_events(journal)) if terms else Cost()
