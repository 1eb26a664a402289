"""Checks that a journal written by another machine belongs to the requested audit (X23).

Invariant: reports, receipt and outcome are recomputed from the journal, so nothing else from its writer counts; the question
and the code are compared with the request. Agents' replies in the journal are taken as they are, unless the analysts run
again: then theirs are compared.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from counterproof import __version__
from counterproof.app import audit_receipt, basis, recovery
from counterproof.app.asking_again import first_invented
from counterproof.app.driving import receipt_of
from counterproof.app.jobs import AUDIT
from counterproof.app.team import spent
from counterproof.model.canonical import digest
from counterproof.model.errors import CounterproofError, OutOfTime, StorageError
from counterproof.model.receipt import Outcome
from counterproof.model.survey import Survey
from counterproof.ports import Entry
from counterproof.protocols.audit.events import ReportWritten, Started, Surveyed
from counterproof.protocols.audit.request import AuditRequest
from counterproof.protocols.guard.budget import Cost
from counterproof.runtime.home import RunFolder
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import replay
from counterproof.runtime.replies import KIND
from counterproof.runtime.verification import RECEIPT, verified

_KINDS: Final = {"event", "marker", KIND, RECEIPT}
"""Kinds of rows in a run that was neither truncated nor restarted."""


class Rejected(CounterproofError):
    """The journal does not belong to the requested audit; the first wrong row, 0 for the journal as a whole."""

    def __init__(self, why: str, row: int = 0) -> None:
        super().__init__(why)
        self.row = row


@dataclass(frozen=True, slots=True)
class Asked:
    """The request. `since` is the revision to compare with; findings of the earlier revision are not compared. `root` is the
    code for running the analysts again; None if their replies are taken as they are."""

    request: AuditRequest
    since: str
    survey: Survey
    queued: date
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    """The outcome of the run, its reports and receipt by file name, and its cost."""

    outcome: Outcome
    files: Mapping[str, str]
    cost: Cost


def accepted(run: RunFolder, journal: RunJournal, asked: Asked) -> Accepted:
    """The results that the journal proves. Raises `Rejected`."""
    damages = verified(run, journal).damages
    if damages:
        raise Rejected(damages[0].text, damages[0].seq)
    entries = list(journal.entries())
    kinds = [entry.kind for entry in entries]
    if strange := next((entry for entry in entries if entry.kind not in _KINDS), None):
        raise Rejected(f"row {strange.seq} is of a kind that no such run has: {strange.kind[:40]!r}", strange.seq)
    if kinds.count(RECEIPT) != 1 or kinds[-1] != RECEIPT:
        raise Rejected("the run has not finished: its journal does not end with a receipt")
    try:
        return _replayed(run, journal, entries, asked)
    except (Rejected, StorageError, OutOfTime):
        raise
    except (CounterproofError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise Rejected(f"the journal cannot be read: {type(error).__name__}: {str(error)[:200]}") from error


def _replayed(run: RunFolder, journal: RunJournal, entries: list[Entry], asked: Asked) -> Accepted:
    machine = AUDIT.machine()
    events = [(entry.seq, machine.decode(entry.body)) for entry in entries if entry.kind == "event"]
    _refuse_other_question(events[0] if events else (1, None), asked)
    _refuse_other_code([(seq, event.survey) for seq, event in events if isinstance(event, Surveyed)], asked.survey)
    before = replay(machine, journal)
    state, command = before.state, before.commands.get(AUDIT.command)
    if state.outcome is None or before.pending or command is None:
        raise Rejected("replaying the journal does not finish the run")
    texts = {name: AUDIT.render(command.report, name, "") for name in AUDIT.files}
    written = [(seq, dict(event.digests)) for seq, event in events if isinstance(event, ReportWritten)]
    if [digests for _, digests in written] != [{name: digest(text) for name, text in texts.items()}]:
        raise Rejected("the reports rebuilt from the journal differ from those that it lists", written[0][0] if written else 0)
    _refuse_other_receipt(run, journal, entries, state)
    if asked.root and (invented := first_invented(asked.request, asked.root, before.commands, events)):
        raise Rejected("the analysts' results for this code contradict it", invented)
    cost = spent(recovery.paid_events(journal))
    files = {AUDIT.files[name]: text for name, text in texts.items()} | {run.receipt.name: entries[-1].body}
    return Accepted(state.outcome, files, cost)


def _refuse_other_question(first: tuple[int, Any], asked: Asked) -> None:
    seq, begun = first
    if seq != 1 or not isinstance(begun, Started):
        raise Rejected("the journal does not begin with the start of an audit", 1)
    if (begun.version, begun.basis) != (__version__, basis.present()):
        raise Rejected("the run was made by another version of the program, or with other rules, prompts or documents", 1)
    said, wanted = _comparable(begun.request, asked.since), _comparable(asked.request, asked.since)
    if said != wanted or (begun.request.since.ref if begun.request.since else "") != asked.since:
        names = [name for name in AuditRequest.__dataclass_fields__ if getattr(said, name) != getattr(wanted, name)]
        raise Rejected(f"the run was made with other options: {', '.join(names) or 'since'} differ", 1)
    if not asked.queued - timedelta(days=1) <= _day(begun.request.today) <= datetime.now(UTC).date() + timedelta(days=1):
        raise Rejected(f"the run says that it began on {begun.request.today[:20]!r}", 1)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date.min


def _comparable(request: AuditRequest, since: str) -> AuditRequest:
    """The request without values that may differ on another machine or day."""
    data, recorded = request.vulnerability_data, request.recorded
    return replace(
        request,
        target="",
        today="",
        since=None,
        known=None if since else request.known,
        vulnerability_data=replace(data, path="", judged_on="") if data else None,
        recorded=replace(recorded, path="") if recorded else None,
    )


def _refuse_other_code(said: list[tuple[int, Survey]], seen: Survey) -> None:
    if len(said) != 1:
        raise Rejected("the journal does not list the audited files exactly once", said[1][0] if said else 0)
    [(seq, told)] = said
    if told.unread == seen.unread:
        if replace(told, name="") != replace(seen, name=""):
            raise Rejected("the run did not audit the files that were queued", seq)
        return
    sums, unread = {each.path: each.sha256 for each in seen.files}, {each.path for each in told.unread if not each.accepted}
    missing = set(sums) - {each.path for each in told.files}
    accepted = {each for each in told.unread if each.accepted} - set(seen.unread)
    if accepted or not missing <= unread or any(sums.get(each.path) != each.sha256 for each in told.files):
        raise Rejected("the run did not audit the files that were queued", seq)


def _refuse_other_receipt(run: RunFolder, journal: RunJournal, entries: list[Entry], state: Any) -> None:
    """Reject a receipt that does not follow from the journal, except for results that the machine reused from earlier runs."""
    said: dict[str, Any] = json.loads(entries[-1].body)
    times, head = [entry.at for entry in entries[:-1]], (entries[-2].seq, entries[-2].hash)
    own = audit_receipt.own(journal, {}, state)
    wanted = receipt_of(run.id, times, head, AUDIT.name, state.version, state.outcome, own)
    if {**said, "cache": {}} != json.loads(json.dumps(wanted)):
        raise Rejected("the receipt differs from the one rebuilt from the journal", entries[-1].seq)
