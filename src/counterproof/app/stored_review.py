"""Reviews that have ended, for `show`, `replay`, `explain`: the stored bytes as the journal noted them, or decided anew (R33)."""

import contextlib

from counterproof.app.review_machine import ReviewMachine
from counterproof.model.canonical import digest
from counterproof.model.errors import JournalError, UserError
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.review.events import ReviewReportWritten, WriteReviewReport
from counterproof.reports import review as review_reports
from counterproof.reports.review.explanation import explain, named
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay


def replayed(run: RunFolder) -> tuple[ReviewReport, tuple[str, ...]]:
    """The report as the journal gives it with no agent called, and the formats whose bytes differ from what was noted."""
    report, noted = _decided(run)
    differing = tuple(name for name in noted if digest(review_reports.render(report, name)) != noted[name])
    return report, differing


def stored(run: RunFolder, name: str) -> str:
    """A stored report, whole and unchanged."""
    _, noted = _decided(run)
    try:
        text = (run.path / review_reports.FILE_NAMES[name]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"run {run.id} has no {name} report", f"`counterproof replay {run.id}` makes it anew") from error
    if digest(text) != noted.get(name):
        hint = f"`counterproof replay {run.id}` makes it anew"
        raise JournalError(f"the stored {name} report of run {run.id} was changed", hint)
    return text


def explained(run: RunFolder, name: str) -> str:
    """One finding of a review in plain text, by its id or by the beginning of its fingerprint."""
    report, _ = _decided(run)
    found = named(report, name)
    if len(found) == 1:
        return explain(report, found[0])
    count = f"{len(found)} findings" if found else "no finding"
    raise UserError(
        f"{name} fits {count} of run {run.id}", "findings are named SEC-001, CORR-001, …; `counterproof show` lists them"
    )


def _decided(run: RunFolder) -> tuple[ReviewReport, dict[str, str]]:
    machine = ReviewMachine()
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        rebuilt = replay(machine, journal)
        events = [machine.decode(each.body) for each in journal.entries() if each.kind == "event"]
    command = rebuilt.commands.get("write-report")
    if not isinstance(command, WriteReviewReport):
        hint = f"`counterproof review --resume {run.id}` goes on with it, or says why it ended"
        raise UserError(f"run {run.id} has no report", hint)
    written = next((each for each in events if isinstance(each, ReviewReportWritten)), None)
    return command.report, dict(written.files) if written else {}
