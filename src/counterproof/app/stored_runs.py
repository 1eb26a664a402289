"""What a run left behind, whatever its job was: its report in a format, one finding or challenge explained, all decided again.

Always: what is shown was checked against the digests in the journal, and the journal itself before that; nothing is decided here
that its job does not decide.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from counterproof import reports
from counterproof.app import delivery, driving, review, runs, stored_review, verify, verify_runs
from counterproof.model.counting import counted
from counterproof.model.errors import UserError
from counterproof.reports import plan as plan_reports
from counterproof.reports import review as review_reports
from counterproof.reports.explanation import explain
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.home import RunFolder
from counterproof.runtime.verification import refuse_broken


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


def _job_of_export(journal: ExportedJournal) -> Job:
    """Its first event tells."""
    first = next((entry.body for entry in journal.entries() if entry.kind == "event"), "")
    return next((job for job in (Job.REVIEW, Job.VERIFY) if f'"kind":"{job}_started"' in first), Job.AUDIT)


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
    refuse_broken(run)
    match job_of(run):
        case Job.AUDIT:
            return delivery.stored(run, name)
        case Job.REVIEW:
            return stored_review.stored(run, name)
        case Job.VERIFY:
            return verify_runs.stored(run, name)


def explained(run: RunFolder, name: str) -> str:
    """One finding or challenge in plain text."""
    refuse_broken(run)
    match job_of(run):
        case Job.AUDIT:
            return explain(runs.finding_of(run, name))
        case Job.REVIEW:
            return stored_review.explained(run, name)
        case Job.VERIFY:
            return verify_runs.explained(run, name)


def delivered(run: RunFolder, out: Path) -> tuple[Path, ...]:
    """The report in every format, and the receipt, into a folder."""
    refuse_broken(run)
    match job_of(run):
        case Job.AUDIT:
            return delivery.deliver(run, (), out)
        case Job.REVIEW:
            return review.written(stored_review.replayed(run)[0], run, (), out)
        case Job.VERIFY:
            return verify_runs.delivered(run, out)


Source = RunFolder | ExportedJournal


@dataclass(frozen=True, slots=True)
class Again:
    """A run decided again from its journal with no agent called. `differing` are formats whose bytes are not those on record."""

    source: Source
    render: Callable[[str], str]
    formats: tuple[str, ...]
    files: dict[str, str]
    differing: tuple[str, ...]
    told: str

    @property
    def name(self) -> str:
        return self.source.id if isinstance(self.source, RunFolder) else self.source.run_id

    def text(self, name: str) -> str:
        """In one format."""
        if name not in self.formats:
            raise UserError(f"run {self.name} has no {name} report", f"it has {', '.join(self.formats)}")
        return self.render(name)

    def deliver(self, name: str, out: Path) -> tuple[Path, ...]:
        """One format, or all of them, into a folder."""
        if name and name not in self.files:
            raise UserError(f"{name} is no file of run {self.name}", f"its files are {', '.join(self.files)}")
        texts = {self.files[each]: self.render(each) for each in ((name,) if name else self.files)}
        return driving.delivered_files(self.source if isinstance(self.source, RunFolder) else None, texts, out)


def replayed(source: Source) -> Again:
    """From a run, or from an exported journal alone, which is checked as it is read."""
    if isinstance(source, RunFolder):
        refuse_broken(source)
    match job_of(source) if isinstance(source, RunFolder) else _job_of_export(source):
        case Job.AUDIT:
            return _audited(source)
        case Job.REVIEW:
            return _reviewed(source)
        case Job.VERIFY:
            return _verified(source)


def _audited(source: Source) -> Again:
    report, differing = runs.replayed(source) if isinstance(source, RunFolder) else runs.replayed_export(source)
    told = f"with {counted(len(report.findings), 'finding')}"
    return Again(source, partial(reports.render, report), reports.FORMATS, reports.FILE_NAMES, differing, told)


def _reviewed(source: Source) -> Again:
    again = stored_review.replayed(source) if isinstance(source, RunFolder) else stored_review.replayed_export(source)
    report, differing = again
    told = f"with {counted(len(report.resolved), 'finding')}"
    formats = (*review_reports.FORMATS, review_reports.STREAM, review_reports.COMMENTS)
    return Again(source, partial(review_reports.render, report), formats, review_reports.FILE_NAMES, differing, told)


def _verified(source: Source) -> Again:
    report, differing = verify_runs.replayed(source) if isinstance(source, RunFolder) else verify_runs.replayed_export(source)
    render = partial(plan_reports.render, report)
    told = f"verdict {report.verdict or 'none'}"
    return Again(source, render, plan_reports.FORMATS, plan_reports.FILE_NAMES, differing, told)
