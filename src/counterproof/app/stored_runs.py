"""What a run left behind, whatever its job was: its report in a format, one finding or challenge explained.

Always: what is shown was checked against the digests in the journal; nothing is decided here that its job does not decide.
"""

from enum import StrEnum

from counterproof.app import delivery, driving, review, runs, stored_review, verify, verify_runs
from counterproof.model.errors import UserError
from counterproof.reports import plan as plan_reports
from counterproof.reports import review as review_reports
from counterproof.reports.explanation import explain
from counterproof.runtime.home import RunFolder


class Job(StrEnum):
    """What a run does."""

    AUDIT = "audit"
    REVIEW = review.JOB
    VERIFY = verify.JOB


def job_of(run: RunFolder) -> Job:
    """Noted when the run began; runs of the first versions noted nothing and are audits."""
    name = driving.noted(run).get("job", Job.AUDIT)
    if name not in tuple(Job):
        raise UserError(f"run {run.id} is of a kind that this version does not know", "use the version that made it")
    return Job(name)


def reported(run: RunFolder) -> bool:
    """Whether the run has come to a report."""
    match job_of(run):
        case Job.AUDIT:
            return bool(runs.receipt_of(run).get("report"))
        case Job.REVIEW:
            return (run.path / review_reports.FILE_NAMES["markdown"]).is_file()
        case Job.VERIFY:
            return (run.path / plan_reports.FILE_NAMES["markdown"]).is_file()


def text(run: RunFolder, name: str) -> str:
    """The stored report in a format, whole and unchanged."""
    match job_of(run):
        case Job.AUDIT:
            return delivery.stored(run, name)
        case Job.REVIEW:
            return stored_review.stored(run, name)
        case Job.VERIFY:
            return verify_runs.stored(run, name)


def explained(run: RunFolder, name: str) -> str:
    """One finding or challenge in plain text."""
    match job_of(run):
        case Job.AUDIT:
            return explain(runs.finding_of(run, name))
        case Job.REVIEW:
            return stored_review.explained(run, name)
        case Job.VERIFY:
            return verify_runs.explained(run, name)
