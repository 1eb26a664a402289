"""The review that a delta starts from (R29): the newest finished one of the same folder, with verified hashes.

Invariant: an earlier report counts only if its journal's chain is intact and every stored file has the journalled digest; its
findings are then taken from the journal, not from the files.
"""

from dataclasses import replace

from counterproof.app.jobs import noted
from counterproof.app.stored_runs import refuse_changed, report_of
from counterproof.app.workbench.review import Earlier
from counterproof.model.errors import CounterproofError
from counterproof.model.review.report import ReviewReport
from counterproof.model.review.scope import PriorReview
from counterproof.reports import review as review_reports
from counterproof.runtime.home import Home, RunFolder


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
    try:
        refuse_changed(run)
        return Earlier(_prior(run, report_of(run)), True)
    except CounterproofError:
        return Earlier(PriorReview(run.id, "", "", ()), False)


def _prior(run: RunFolder, report: ReviewReport) -> PriorReview:
    kept = tuple(replace(each.finding, severity=each.severity) for each in report.resolved if each.kept)
    return PriorReview(run.id, report.scope.commit, report.scope.digest, (*kept, *report.carried))
