"""The review that a delta starts from (R29): the newest finished one of the same folder, with its hashes verified.

Always: an earlier report counts only if the chain of its journal holds and every stored file has the digest that the journal
noted; its findings are then taken from the journal, not from the files.
"""

import contextlib
from dataclasses import replace

from counterproof.app.driving import noted
from counterproof.app.review_executor import Earlier
from counterproof.app.review_machine import ReviewMachine
from counterproof.model.canonical import digest
from counterproof.model.errors import CounterproofError
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import PriorReview
from counterproof.protocols.review.events import ReviewReportWritten, WriteReviewReport
from counterproof.reports import review as review_reports
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import replay
from counterproof.runtime.verification import verify


def earlier_review(home: Home, target: str, profile: str, named: str = "") -> Earlier | None:
    """The one named, else the newest with a report; None if there is none."""
    for run in reversed(home.runs()):
        begun = noted(run)
        about = (begun.get("job"), begun.get("target"), begun.get("profile"))
        if about != ("review", target, profile) or (named and run.id != named):
            continue
        if (run.path / review_reports.FILE_NAMES["json"]).is_file():
            return _checked(run)
    return None


def _checked(run: RunFolder) -> Earlier:
    """A journal that cannot be replayed is as good as a changed one."""
    unknown = PriorReview(run.id, "", "", ())
    try:
        if verify(run).damages:
            return Earlier(unknown, False)
        with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            machine = ReviewMachine()
            rebuilt = replay(machine, journal)
            events = [machine.decode(each.body) for each in journal.entries() if each.kind == "event"]
    except CounterproofError:
        return Earlier(unknown, False)
    command = rebuilt.commands.get("write-report")
    written = next((each for each in events if isinstance(each, ReviewReportWritten)), None)
    if not isinstance(command, WriteReviewReport) or written is None:
        return Earlier(unknown, False)
    return Earlier(_prior(run, command.report), _unchanged(run, dict(written.files)))


def _unchanged(run: RunFolder, digests: dict[str, str]) -> bool:
    for name, file in review_reports.FILE_NAMES.items():
        try:
            text = (run.path / file).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return False
        if digest(text) != digests.get(name):
            return False
    return True


def _prior(run: RunFolder, report: ReviewReport) -> PriorReview:
    kept = tuple(replace(each.finding, severity=each.severity) for each in report.resolved if each.kept)
    return PriorReview(run.id, report.scope.commit, report.scope.digest, (*kept, *report.carried))
