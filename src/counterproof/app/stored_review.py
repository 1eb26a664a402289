"""Reviews that have ended, for `show`, `replay`, `explain`: the stored bytes as the journal noted them, or decided anew (R33)."""

import contextlib
from typing import TYPE_CHECKING

from counterproof.app.delivery import folder_of
from counterproof.app.review_machine import ReviewMachine
from counterproof.model.canonical import digest
from counterproof.model.errors import JournalError, UserError
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.review.events import ReviewReportWritten, WriteReviewReport
from counterproof.reports import review as review_reports
from counterproof.reports.review.comments import as_comments
from counterproof.reports.review.findings import explain, find
from counterproof.reports.review.github import as_github
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay

if TYPE_CHECKING:
    from counterproof.ports import Journal
    from counterproof.runtime.export import ExportedJournal


def replayed(run: RunFolder) -> tuple[ReviewReport, tuple[str, ...]]:
    """The report as the journal gives it with no agent called, and the formats whose bytes differ from what was noted."""
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        return _compared(run.id, journal)


def replayed_export(journal: "ExportedJournal") -> tuple[ReviewReport, tuple[str, ...]]:
    """The same from an exported journal alone: neither the run nor its target need be on this machine."""
    return _compared(journal.run_id, journal)


def _compared(name: str, journal: "Journal") -> tuple[ReviewReport, tuple[str, ...]]:
    report, noted = _decided(name, journal)
    return report, tuple(each for each in noted if digest(review_reports.render(report, each)) != noted[each])


def stored(run: RunFolder, name: str) -> str:
    """A stored report, whole and unchanged."""
    if name in (review_reports.STREAM, review_reports.COMMENTS):
        return shown(replayed(run)[0], run, name)
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        _, noted = _decided(run.id, journal)
    try:
        text = (run.path / review_reports.FILE_NAMES[name]).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"run {run.id} has no {name} report", f"`counterproof replay {run.id}` makes it anew") from error
    if digest(text) != noted.get(name):
        hint = f"`counterproof replay {run.id}` makes it anew"
        raise JournalError(f"the stored {name} report of run {run.id} was changed", hint)
    return text


def shown(report: ReviewReport, run: RunFolder, name: str) -> str:
    """A report in a format; annotations name files as the repository that a runner checked out does."""
    if name == review_reports.STREAM:
        return as_github(report, folder_of(run))
    if name == review_reports.COMMENTS:
        return as_comments(report, folder_of(run))
    return review_reports.render(report, name)


def explained(run: RunFolder, name: str) -> str:
    """One finding of a review in plain text, by its id or by the beginning of its fingerprint."""
    report, _ = replayed(run)
    found = find(report, name) if name else tuple(each for each in report.resolved if each.kept)[:1]
    if len(found) == 1:
        return explain(report, found[0])
    if not name:
        raise UserError(f"run {run.id} has no finding", "`counterproof runs` lists the other runs; choose one with --run")
    count = f"{len(found)} findings" if found else "no finding"
    raise UserError(
        f"{name} fits {count} of run {run.id}", "findings are named SEC-001, CORR-001, …; `counterproof show` lists them"
    )


def _decided(name: str, journal: "Journal") -> tuple[ReviewReport, dict[str, str]]:
    machine = ReviewMachine()
    rebuilt = replay(machine, journal)
    events = [machine.decode(each.body) for each in journal.entries() if each.kind == "event"]
    command = rebuilt.commands.get("write-report")
    if not isinstance(command, WriteReviewReport):
        hint = f"`counterproof review --resume {name}` goes on with it, or says why it ended"
        raise UserError(f"run {name} has no report", hint)
    written = next((each for each in events if isinstance(each, ReviewReportWritten)), None)
    return command.report, dict(written.files) if written else {}
