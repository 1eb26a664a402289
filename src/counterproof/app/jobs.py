"""The jobs of a run: audit, review, verify. All their differences for readers of a run are here.

Invariant: no decisions here. Not handled here: starting and continuing runs.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from counterproof import reports
from counterproof.analysis.source.unread_kinds import accepting_glob
from counterproof.app.files import read_object
from counterproof.app.machines import ProtocolMachine, audit_machine, review_machine, verify_machine
from counterproof.model.counting import counted
from counterproof.model.errors import UserError
from counterproof.model.formats import FORMATS
from counterproof.model.plan.challenge import Challenge
from counterproof.model.plan.report import PlanReport
from counterproof.model.posture import PostureEntry
from counterproof.model.receipt import Outcome
from counterproof.model.report import Report, ReportedFinding
from counterproof.model.review.position import Resolved
from counterproof.model.review.report import ReviewReport
from counterproof.protocols.audit.events import ReportWritten
from counterproof.protocols.audit.outcome import not_read
from counterproof.protocols.audit.state import AuditState, known
from counterproof.protocols.plan.events import PlanReportWritten
from counterproof.protocols.review.events import ReviewReportWritten
from counterproof.reports import plan as plan_reports
from counterproof.reports import review as review_reports
from counterproof.reports.explanation import explain
from counterproof.reports.first_page import groups
from counterproof.reports.plan.challenges import explain as explain_challenge
from counterproof.reports.review.findings import MIN_FINGERPRINT, find
from counterproof.reports.review.findings import explain as explain_reviewed
from counterproof.reports.screen import Part
from counterproof.reports.summary import summary_parts
from counterproof.reports.triage import to_complete
from counterproof.reports.wording import by_severity, exit_meaning, meaning
from counterproof.runtime.home import RunFolder


@dataclass(frozen=True, slots=True)
class Job:
    """`command` is the id of the command that writes the report, `written` the kind of its answering event, which `answered`
    builds; `formats` have file names, or "" if they are only printed; `beside` names formats that accompany another. `render`
    takes the report, a format, and the target's folder in its repository; `find` returns the findings that match a name, or for
    '' all findings for the user; `number` is the display number of a finding. `summary` takes the report and the screen width,
    `why` explains the exit code, `advice` says how to complete the run; `resume` is the command that continues a run."""

    name: str
    machine: Callable[[], ProtocolMachine[Any, Any, Any]]
    command: str
    written: str
    answered: Callable[[str, tuple[tuple[str, str], ...]], Any]
    formats: Mapping[str, str]
    render: Callable[[Any, str, str], str]
    find: Callable[[Any, str], tuple[Any, ...]]
    explain: Callable[[Any, Any], str]
    number: Callable[[Any], str]
    told: Callable[[Any], str]
    summary: Callable[[Any, int], tuple[Part, ...]]
    why: Callable[[Any, Outcome], str]
    noun: str
    names: str
    resume: str = "resume"
    beside: Mapping[str, str] = field(default_factory=dict[str, str])
    advice: Callable[[Any, Any], str] = lambda _report, _state: ""

    @property
    def files(self) -> dict[str, str]:
        """The formats written to files, with the file names."""
        return {name: file for name, file in self.formats.items() if file}

    def refuse_unknown(self, run: str, *formats: str) -> None:
        """Raises `UserError` for a format that a run's report does not have."""
        for name in formats:
            if name not in self.formats:
                raise UserError(f"run {run} has no {name} report", f"it has {', '.join(self.formats)}")

    def to_write(self, formats: tuple[str, ...]) -> tuple[str, ...]:
        """The formats written to files: all, unless narrowed."""
        asked = {name for name in formats if name in self.files}
        asked |= {beside for name, beside in self.beside.items() if name in asked}
        return tuple(name for name in self.files if not asked or name in asked)


def _verdict(report: PlanReport) -> str:
    return f"verdict {report.verdict or 'none'}"


def _reasons(outcome: Outcome) -> str:
    return "; ".join(reason.text for reason in outcome.reasons)


def _advice(report: Report, state: AuditState) -> str:
    """How to complete an audit, from its report and its state."""
    globs = dict.fromkeys(accepting_glob(each) for each in not_read(state))
    return to_complete(report, tuple(globs), waivable=known(state.request).min_coverage is None)


def _finding(report: Report, name: str) -> tuple[ReportedFinding | PostureEntry, ...]:
    every = (*by_severity(report), *report.posture)
    if not name:
        first = groups(report).first
        return (first,) if first else every
    return tuple(
        row for row in every if row.number == name.upper() or (len(name) >= MIN_FINGERPRINT and row.fingerprint.startswith(name))
    )


def _resolved(report: ReviewReport, name: str) -> tuple[Resolved | ReportedFinding, ...]:
    return find(report, name) if name else tuple(each for each in report.resolved if each.kept)


def _challenge(report: PlanReport, name: str) -> tuple[Challenge, ...]:
    if not name:
        return tuple(each for each in report.challenges if each.counts)
    return tuple(each for each in (*report.challenges, *report.set_aside) if each.id == name.upper())[:1]


AUDIT: Final = Job(
    "audit",
    audit_machine,
    "report",
    "report_written",
    ReportWritten,
    FORMATS["audit"],
    reports.render,
    _finding,
    explain,
    lambda row: row.number,
    lambda report: f"with {counted(len(report.findings), 'finding')}",
    summary_parts,
    lambda report, _: exit_meaning(report),
    "finding",
    "findings are named C-01, H-01, …, hardening recommendations P-01, …",
    "resume",
    {"markdown": "appendix"},
    _advice,
)
REVIEW: Final = Job(
    "review",
    review_machine,
    "write-report",
    "review_report_written",
    ReviewReportWritten,
    FORMATS["review"],
    review_reports.render,
    _resolved,
    explain_reviewed,
    lambda row: row.finding.id,
    lambda report: f"with {counted(len(report.resolved), 'finding')}",
    lambda report, _: review_reports.document(report).summary,
    lambda _, outcome: _reasons(outcome) or meaning(outcome.exit),
    "finding",
    "findings are named SEC-001, CORR-001, …",
    "review --resume",
)
VERIFY: Final = Job(
    "verify",
    verify_machine,
    "write-report",
    "plan_report_written",
    PlanReportWritten,
    FORMATS["verify"],
    plan_reports.render,
    _challenge,
    explain_challenge,
    lambda row: row.id,
    _verdict,
    lambda report, _: plan_reports.document(report).summary,
    lambda report, outcome: _reasons(outcome) or _verdict(report),
    "challenge",
    "challenges are named C1, C2, …",
    "verify --resume",
)
JOBS: Final = [AUDIT, REVIEW, VERIFY]
"""The registry: one line makes a protocol's runs readable."""


def noted(run: RunFolder) -> dict[str, Any]:
    """The facts stored when the run began; empty if they cannot be read."""
    return read_object(run.path / "request.json")


def receipt_of(run: RunFolder) -> dict[str, Any]:
    """The receipt; empty if a run has none."""
    return read_object(run.receipt)


def job_of(run: RunFolder) -> Job:
    """The job noted when the run began; runs of the first versions noted none and are audits."""
    name = noted(run).get("job", AUDIT.name)
    job = next((each for each in JOBS if each.name == name), None)
    if job is None:
        raise UserError(f"run {run.id} is of a type unknown to this version", "use the version that made it")
    return job


def folder_of(run: RunFolder) -> str:
    """The target's folder in the repository that GitHub's runner checked out; "" at its top, or outside of one."""
    top = os.environ.get("GITHUB_WORKSPACE", "")
    target = Path(str(receipt_of(run).get("target") or noted(run).get("target") or "."))
    if not top or not target.resolve().is_relative_to(Path(top).resolve()):
        return ""
    return target.resolve().relative_to(Path(top).resolve()).as_posix().removeprefix(".")
