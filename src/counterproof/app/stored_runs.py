"""The results of a stored run, for every job: its report in a format, the explanation of a finding or challenge, and a replay.

Invariant: the journal, and every stored file by its journalled digest, are verified before anything is shown, whatever is asked
for; a replay calls no agent. A stored report can be shown by later versions, because showing it replays nothing.
"""

import contextlib
import json
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from counterproof.app.files import delivered_files
from counterproof.app.jobs import AUDIT, JOBS, Job, folder_of, job_of
from counterproof.model.canonical import digest
from counterproof.model.counting import counted
from counterproof.model.demonstration import Demonstration
from counterproof.model.errors import JournalError, UserError
from counterproof.model.report import Report
from counterproof.ports import Journal
from counterproof.protocols.audit.report import demonstrated
from counterproof.runtime.clock import WallClock
from counterproof.runtime.codec import Codec
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.home import RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import RERUN, course, replay
from counterproof.runtime.verification import refuse_broken

Source = RunFolder | ExportedJournal
_RESTORE: Final = "`counterproof resume {}` writes it again from the journal"


def reported(run: RunFolder) -> bool:
    """True if the run has a report."""
    return (run.path / job_of(run).files["markdown"]).is_file()


def text(run: RunFolder, name: str) -> str:
    """The stored report in a format, unchanged; a format without a file is rendered from the report."""
    refuse_changed(run)
    job = job_of(run)
    if name in job.files:
        return stored(run, name)
    job.refuse_unknown(run.id, name)
    return job.render(report_of(run), name, folder_of(run))


def explained(run: RunFolder, name: str) -> str:
    """One finding or challenge in plain text, by number or fingerprint prefix; without a name the most severe."""
    refuse_changed(run)
    job, report = job_of(run), report_of(run)
    found = job.find(report, name.strip())
    if len(found) == 1 or (found and not name.strip()):
        return job.explain(report, found[0])
    if not name.strip():
        raise UserError(f"run {run.id} has no {job.noun}", "`counterproof runs` lists the other runs; choose one with --run")
    count = counted(len(found), job.noun) if found else f"no {job.noun}"
    raise UserError(
        f"{name} fits {count} of run {run.id}", f"{job.names}; `counterproof show` lists them; --run names another run"
    )


def delivered(run: RunFolder, out: Path, formats: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """Copy the stored report (every file format, unless narrowed) and the receipt to a folder."""
    refuse_changed(run)
    job, known = job_of(run), noted_digests(run)
    names = (name for name in job.to_write(formats) if name in known or name not in job.beside.values())
    return delivered_files(run, {job.files[name]: stored(run, name, known) for name in names}, out)


def stored(run: RunFolder, name: str, known: dict[str, str] | None = None) -> str:
    """A stored report, checked against its journalled digest; `known` are the digests if already read."""
    path = run.path / job_of(run).files[name]
    if not path.is_file():
        raise UserError(f"run {run.id} has no report", f"`counterproof resume {run.id}` finishes it")
    written = _read(path)
    if digest(written) != (noted_digests(run) if known is None else known).get(name):
        raise JournalError(f"the stored {name} report of run {run.id} was changed", _RESTORE.format(run.id))
    return written


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def refuse_changed(run: RunFolder) -> None:
    """Raises `JournalError` unless a run's log is intact and no stored report was changed, for readers of its results."""
    refuse_broken(run)
    for name in changed_reports(run):
        raise JournalError(f"the stored {name} report of run {run.id} was changed", _RESTORE.format(run.id))


def changed_reports(run: RunFolder, known: dict[str, str] | None = None) -> tuple[str, ...]:
    """The formats whose stored file is not the journalled one; a file that is missing was not changed."""
    files, known = job_of(run).files, noted_digests(run) if known is None else known
    paths = {name: run.path / files[name] for name in known if name in files}
    return tuple(name for name, path in paths.items() if path.is_file() and digest(_read(path)) != known[name])


def noted_digests(run: RunFolder) -> dict[str, str]:
    """The journalled digests of the stored reports."""
    with _journal(run) as journal:
        return noted(job_of(run), journal)


def report_of(run: RunFolder) -> Any:
    """The report as data, replayed from the journal. Renders nothing, so it is much cheaper than `replayed`."""
    with _journal(run) as journal:
        return decided(job_of(run), run.id, journal)


def audit_report(run: RunFolder) -> Report:
    """The report of an audit; other jobs are rejected."""
    if job_of(run) is not AUDIT:
        raise UserError(f"run {run.id} is not an audit", f"its report, if it has one, is in {run.path}")
    return report_of(run)


@contextlib.contextmanager
def _journal(source: Source) -> Generator[Journal]:
    if isinstance(source, ExportedJournal):
        yield source
        return
    with contextlib.closing(SqliteJournal(source, WallClock(), writable=False)) as journal:
        yield journal


def noted(job: Job, journal: Journal) -> dict[str, str]:
    """Read the digests without decoding other events, which another version may have written."""
    after = demonstrations_of(journal)
    if after:
        return dict(after[-1].digests)
    written = [each.body for each in course(journal).events if f'"kind":"{job.written}"' in each.body]
    event: dict[str, Any] = json.loads(written[-1]) if written else {}
    return dict(event.get("digests") or event.get("files") or ())


@dataclass(frozen=True, slots=True)
class Demonstrated:
    """A journal row: the results of one `demonstrate`, and the report stored after it."""

    demonstrations: tuple[Demonstration, ...]
    digests: tuple[tuple[str, str], ...]


DEMONSTRATED: Final = "demonstrated"
"""The kind of these rows."""
DEMONSTRATIONS: Final = Codec[Demonstrated](Demonstrated)


def demonstrations_of(journal: Journal) -> tuple[Demonstrated, ...]:
    """All such rows of the current course."""
    found: list[Demonstrated] = []
    for entry in journal.entries():
        if entry.kind == RERUN:
            found = []
        elif entry.kind == DEMONSTRATED:
            found.append(DEMONSTRATIONS.decode(entry.body))
    return tuple(found)


def decided(job: Job, name: str, journal: Journal) -> Any:
    """The report as data, with the demonstrations made since."""
    replayed = replay(job.machine(), journal)
    command = replayed.commands.get(job.command)
    if command is None:
        raise UserError(f"run {name} has no report", f"`counterproof resume {name}` continues it, or says why it ended")
    after = tuple(each for row in demonstrations_of(journal) for each in row.demonstrations)
    return demonstrated(replayed.state, command.report, after) if after else command.report


@dataclass(frozen=True, slots=True)
class Again:
    """A run replayed from its journal without calling an agent. `differing` are formats that differ from the stored ones."""

    source: Source
    job: Job
    report: Any
    differing: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.source.id if isinstance(self.source, RunFolder) else self.source.run_id

    @property
    def told(self) -> str:
        return self.job.told(self.report)

    def text(self, name: str) -> str:
        """The report in one format."""
        self.job.refuse_unknown(self.name, name)
        return self.job.render(self.report, name, "")

    def deliver(self, name: str, out: Path) -> tuple[Path, ...]:
        """Write one format, or all, to a folder."""
        files = self.job.files
        if name and name not in files:
            raise UserError(f"{name} does not belong to run {self.name}", f"its files are {', '.join(files)}")
        texts = {files[each]: self.text(each) for each in ((name,) if name else files)}
        return delivered_files(self.source if isinstance(self.source, RunFolder) else None, texts, out)


def replayed(source: Source) -> Again:
    """Replay a run, or an exported journal alone, which is verified while reading: neither the run nor its target needs to be
    on this machine."""
    if isinstance(source, RunFolder):
        refuse_changed(source)
    job = job_of(source) if isinstance(source, RunFolder) else _job_of_export(source)
    name = source.id if isinstance(source, RunFolder) else source.run_id
    with _journal(source) as journal:
        report, known = decided(job, name, journal), noted(job, journal)
    differing = tuple(each for each in job.files if digest(job.render(report, each, "")) != known.get(each))
    return Again(source, job, report, differing)


def _job_of_export(journal: ExportedJournal) -> Job:
    """The job, determined by the first event."""
    first = next((entry.body for entry in journal.entries() if entry.kind == "event"), "")
    return next((job for job in JOBS if f'"kind":"{job.name}_started"' in first), AUDIT)
