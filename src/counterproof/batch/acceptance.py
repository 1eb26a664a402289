"""Checks a worker's result against what was queued: the code, the question, the journal, the budget (X23).

Invariant: the code is fetched again at the queued commit, and none of it is run; a wrong result is rejected with the reason; a
result that cannot be checked is neither accepted nor rejected.
"""

import secrets
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from counterproof import installation
from counterproof.analysis.source.survey import SurveyOptions
from counterproof.app import acceptance
from counterproof.app.acceptance import Asked, Rejected
from counterproof.app.files import write_whole
from counterproof.batch import outcomes
from counterproof.batch.preparing import Preparation
from counterproof.batch.runner import audited
from counterproof.fleet.queue import Queue, Standing, Work
from counterproof.model.batch import Outcome
from counterproof.model.budget import Limit
from counterproof.model.errors import JournalError
from counterproof.model.receipt import Exit
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import PostgresJournal
from counterproof.toolbox.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Question:
    """The parsed arguments of an audit: `since` is the revision to compare with."""

    request: AuditRequest
    since: str
    fail_on_incomplete: bool


Read = Callable[[tuple[str, ...]], Question]
"""Parses the arguments of an audit like the command line."""


def decide(queue: Queue, run: Standing, addresses: Mapping[str, str], read: Read, share: int = 100) -> str:
    """Accept or reject the run; return the login quarantined for it, '' if it was accepted. In `share` of a hundred cases,
    chosen unpredictably, the analysts run again."""
    again = secrets.randbelow(100) < share
    if again:  # secrets are named by the key that the worker was given
        installation.adopt(bytes(queue.database.value("SELECT key FROM counterproof.fleet_key")))
    try:
        with tempfile.TemporaryDirectory(prefix="counterproof-check-") as folder:
            outcome, files = _checked(queue.database, run, Preparation(addresses), read, Path(folder), again)
    except Rejected as error:
        return queue.reject(run.run, error.row, str(error))
    queue.accept(run, outcome, files)
    return ""


def _checked(
    database: Database, run: Standing, preparation: Preparation, read: Read, folder: Path, again: bool
) -> tuple[Outcome, dict[str, bytes]]:
    work = run.work
    asked, question, notes = _asked(run.run, work, preparation, read, folder, again)
    kept = RunFolder(run.run, folder / "run")
    try:
        journal = PostgresJournal(database, kept, WallClock())
        found = acceptance.accepted(kept, journal, asked)
    except JournalError as error:
        raise Rejected(str(error)) from error
    if run.used.tokens < found.cost.tokens or run.used.micros < found.cost.micros:
        raise Rejected(f"the journal names {found.cost.tokens:,} tokens, but {run.used.tokens:,} were charged")
    reports = folder / "reports"
    reports.mkdir()
    for name, text in found.files.items():
        write_whole(reports / name, text)
    code = found.outcome.exit
    if code is Exit.INCOMPLETE and not question.fail_on_incomplete:
        code = Exit.CLEAN
    outcome = outcomes.of_report(reports, int(code), work.row.target.folder, notes)
    if outcome is None:
        raise Rejected("the reports rebuilt from the journal state no outcome")
    return outcome, {name: text.encode("utf-8", "surrogatepass") for name, text in found.files.items()}


def _asked(
    run: str, work: Work, preparation: Preparation, read: Read, folder: Path, again: bool
) -> tuple[Asked, Question, tuple[str, ...]]:
    """The queued request, with the code at that commit, and the parts of it that could not be fetched."""
    row, order = work.row, work.order
    assert row.job is not None
    preparation.confirm(row.job)
    place, notes = preparation.place(row.job, folder / "code")
    reserved = order.budget if row.target.is_paid else Limit()
    question = read(audited(replace(row, reserved=reserved), order, place, folder / "out"))
    asked = question.request
    scope = SurveyOptions(include=asked.include, exclude=asked.exclude, accept_unread=asked.accept_unread)
    survey = Workspace(place, scope).take_survey()
    queued = datetime.strptime(run[:8], "%Y%m%d").date()
    return Asked(asked, question.since, survey, queued, place if again else None), question, notes
