"""Looking at plan verifications that exist: the stored report, the report decided again, one challenge explained.

Always: what is shown was checked against the digests in the journal, and deciding again calls no agent. Listing, exporting and
checking journals is the same for every kind of run and stands in `runs`.
"""

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from counterproof.app.driving import delivered_files
from counterproof.app.verify_machine import VerifyMachine
from counterproof.model.canonical import digest
from counterproof.model.errors import JournalError, UserError
from counterproof.model.plan.report import PlanReport
from counterproof.protocols.plan.events import PlanReportWritten, WritePlanReport
from counterproof.reports import plan as plan_reports
from counterproof.reports.plan.challenges import explain
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import course
from counterproof.runtime.replaying import replay as replay_journal

if TYPE_CHECKING:
    from counterproof.ports import Journal
    from counterproof.runtime.export import ExportedJournal


def stored(run: RunFolder, name: str) -> str:
    """The report as it was stored, checked against the digest in the journal."""
    file = plan_reports.FILE_NAMES.get(name)
    if file is None:
        raise UserError(
            f"run {run.id} is a plan verification and has no {name} report", f"it has {', '.join(plan_reports.FORMATS)}"
        )
    if not (run.path / file).is_file():
        raise UserError(f"run {run.id} has no report", f"`counterproof verify --resume {run.id}` finishes it")
    text = (run.path / file).read_text(encoding="utf-8")
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        known = _digests(journal)
    if digest(text) != known.get(name):
        raise JournalError(
            f"the stored {name} report of run {run.id} was changed", f"`counterproof replay {run.id}` makes it anew"
        )
    return text


def delivered(run: RunFolder, out: Path) -> tuple[Path, ...]:
    """Every stored format and the receipt into a folder."""
    return delivered_files(run, {file: stored(run, name) for name, file in plan_reports.FILE_NAMES.items()}, out)


def replayed(run: RunFolder) -> tuple[PlanReport, tuple[str, ...]]:
    """Decide again from the journal with no agent called; also the formats whose bytes differ from those on record."""
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        return _decided(run.id, journal)


def replayed_export(journal: "ExportedJournal") -> tuple[PlanReport, tuple[str, ...]]:
    """The same from an exported journal alone."""
    return _decided(journal.run_id, journal)


def explained(run: RunFolder, name: str) -> str:
    """One challenge of a verification, in plain text."""
    report, _ = replayed(run)
    wanted = name.strip().upper()
    standing = [each for each in report.challenges if each.counts]
    named = [each for each in (*report.challenges, *report.set_aside) if each.id == wanted]
    challenge = next(iter(named if wanted else standing), None)
    if challenge is None:
        what = f"{name} is no challenge of run {run.id}" if wanted else f"no challenge of run {run.id} stands"
        raise UserError(what, "challenges are named C1, C2, …; `counterproof show` lists them")
    return explain(report, challenge)


def _decided(run_id: str, journal: "Journal") -> tuple[PlanReport, tuple[str, ...]]:
    command = replay_journal(VerifyMachine(), journal).commands.get("write-report")
    if not isinstance(command, WritePlanReport):
        raise UserError(f"run {run_id} has no report", f"`counterproof verify --resume {run_id}` goes on with it")
    known = _digests(journal)
    differing = [name for name in plan_reports.FORMATS if digest(plan_reports.render(command.report, name)) != known.get(name)]
    return command.report, tuple(differing)


def _digests(journal: "Journal") -> dict[str, str]:
    """What was written, by format. A run that was stopped before that has none."""
    machine = VerifyMachine()
    events = (machine.decode(each.body) for each in course(journal).events if '"plan_report_written"' in each.body)
    return dict(next((event.files for event in events if isinstance(event, PlanReportWritten)), ()))
