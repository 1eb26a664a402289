"""The review that a delta starts from (R29): the newest finished one of the same folder, with verified hashes.

Invariant: an earlier report counts only if its journal's chain is intact and every stored file has the journalled digest; its
findings are then taken from the journal, not from the files.
"""

from dataclasses import replace

from counterproof.app.jobs import noted
from counterproof.app.stored_runs import noted_digests, report_of, stored
from counterproof.app.workbench.review import Earlier
from counterproof.model.errors import CounterproofError
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import PriorReview
from counterproof.reports import review as review_reports
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.verification import verify


def earlier_review(home: Home, target: str, profile: str, named: str = "") -> Earlier | None:
    """The named review, otherwise the newest with a report; None if there is none."""
    for run in reversed(home.runs()):
        begun = noted(run)
        about = (begun.get("job"), begun.get("target"), begun.get("profile"))
        if about != ("review", target, profile) or (named and run.id != named):
            continue
        if (run.path / review_reports.FILE_NAMES["json"]).is_file():
            return _checked(run)
    return None


def _checked(run: RunFolder) -> Earlier:
    """Treat a journal that cannot be replayed as a changed one."""
    unknown = PriorReview(run.id, "", "", ())
    try:
        if verify(run).damages:
            return Earlier(unknown, False)
        prior = _prior(run, report_of(run))
    except CounterproofError:
        return Earlier(unknown, False)
    return Earlier(prior, _unchanged(run))


def _unchanged(run: RunFolder) -> bool:
    known = noted_digests(run)
    try:
        return all(stored(run, name, known) for name in review_reports.FILE_NAMES)
    except CounterproofError:
        return False


def _prior(run: RunFolder, report: ReviewReport) -> PriorReview:
    kept = tuple(replace(each.finding, severity=each.severity) for each in report.resolved if each.kept)
    return PriorReview(run.id, report.scope.commit, report.scope.digest, (*kept, *report.carried))
