"""Looking at runs that exist: list, show, replay, verify, export, prune."""

import contextlib
import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from counterproof import reports
from counterproof.app.audit_executor import STORED_FORMATS
from counterproof.app.audit_machine import AuditMachine
from counterproof.model.canonical import digest
from counterproof.model.errors import JournalError, UserError
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.events import ReportWritten
from counterproof.protocols.audit.state import AuditState
from counterproof.reports.wording import by_severity
from counterproof.runtime import lock, signing
from counterproof.runtime.clock import WallClock
from counterproof.runtime.codec import Codec
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.export import lines as export_lines
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import Replayed, course
from counterproof.runtime.replaying import replay as replay_journal
from counterproof.runtime.verification import Verdict, verify

_WRITTEN: Final = Codec[ReportWritten](ReportWritten)


@dataclass(frozen=True, slots=True)
class RunLine:
    """One line of `counterproof runs`."""

    id: str
    target: str
    mode: str
    state: str
    bytes: int


def listed(home: Home) -> list[RunLine]:
    """All runs, newest first. Cheap: journals are not opened."""
    lines: list[RunLine] = []
    for run in reversed(home.runs()):
        request, receipt = _json(run.path / "request.json"), _json(run.path / "receipt.json")
        state = str(receipt.get("exit") or "unfinished")
        lines.append(
            RunLine(
                run.id, str(request.get("target", "?")), str(receipt.get("mode") or request.get("mode", "?")), state, run.size()
            )
        )
    return lines


def _json(path: Path) -> dict[str, Any]:
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def stored_report(run: RunFolder, name: str, noted: Mapping[str, str] | None = None) -> str:
    """The report as it was stored, checked against the digest in the journal; `noted` are the digests where they were read."""
    path = run.path / reports.FILE_NAMES[name]
    if not path.is_file():
        raise UserError(f"run {run.id} has no report", f"`counterproof resume {run.id}` finishes it")
    text = path.read_text(encoding="utf-8")
    if digest(text) != (noted_digests(run) if noted is None else noted).get(name):
        raise JournalError(
            f"the stored {name} report of run {run.id} was changed", f"`counterproof replay {run.id}` makes it anew"
        )
    return text


def noted_digests(run: RunFolder) -> dict[str, str]:
    """What the journal says of the stored reports. Nothing is decided again: a report outlives the version that wrote it."""
    noted: dict[str, str] = {}
    with contextlib.closing(_journal(run)) as journal:
        for recorded in course(journal).events:
            if '"kind":"report_written"' not in recorded.body:
                continue  # another version's events need not be known to this one
            noted = dict(_WRITTEN.decode(recorded.body).digests)
    return noted


def _journal(run: RunFolder) -> SqliteJournal:
    """An audit's journal. Other jobs have reports of their own, in the run's folder."""
    if _json(run.path / "request.json").get("job", "audit") != "audit":
        raise UserError(f"run {run.id} is not an audit", f"its report, if it has one, lies in {run.path}")
    return SqliteJournal(run, WallClock(), writable=False)


def rebuilt_run(run: RunFolder) -> Replayed:
    with contextlib.closing(_journal(run)) as journal:
        return replay_journal(AuditMachine(), journal)


def replayed(run: RunFolder) -> tuple[Report, tuple[str, ...]]:
    """Re-decide from the journal with no agent called; also the formats whose bytes differ from the stored digests."""
    rebuilt = rebuilt_run(run)
    return _compared(_decided(run.id, rebuilt), rebuilt)


def _compared(report: Report, rebuilt: Replayed) -> tuple[Report, tuple[str, ...]]:
    state: AuditState = rebuilt.state
    stored = dict(state.digests)
    return report, tuple(name for name in STORED_FORMATS if digest(reports.render(report, name)) != stored.get(name))


def report_of(run: RunFolder) -> Report:
    """The report as data, re-decided from the journal. Renders nothing, so it is much cheaper than `replayed`."""
    return _decided(run.id, rebuilt_run(run))


def _decided(run_id: str, rebuilt: Replayed) -> Report:
    command = rebuilt.commands.get("report")
    if not isinstance(command, WriteReport):
        raise UserError(f"run {run_id} has no report", f"`counterproof resume {run_id}` goes on with it, or says why it ended")
    return command.report


def receipt_of(run: RunFolder) -> dict[str, Any]:
    """The receipt; empty where a run has none."""
    return _json(run.path / "receipt.json")


def finding_of(run: RunFolder, name: str) -> ReportedFinding:
    """One finding of a run, by its number or by the beginning of its fingerprint; without a name the gravest."""
    report = report_of(run)
    if not name:
        if not report.findings:
            raise UserError(f"run {run.id} has no finding", "`counterproof runs` lists the other runs; choose one with --run")
        return by_severity(report)[0]
    matches = [
        row for row in report.findings if row.number == name.upper() or (len(name) >= 6 and row.fingerprint.startswith(name))
    ]
    if len(matches) == 1:
        return matches[0]
    count = f"{len(matches)} findings" if matches else "no finding"
    raise UserError(f"{name} fits {count} of run {run.id}", "findings are named C-01, H-01, …; `counterproof show` lists them")


def verdict(name: str, home: Home, noted_head: str = "", key: Path | None = None) -> Verdict:
    """What `log verify` reports on a run, or on an exported journal; with a public key, whether its owner signed it."""
    exported = exported_journal(name)
    found = exported.verify(noted_head) if exported else verify(home.find(name), noted_head)
    if key is None or found.damages:
        return found
    run_id, place = _signature(name, home)
    unsigned = signing.disagreement(run_id, found.whole, found.head, key, place)
    return replace(found, damages=(unsigned,)) if unsigned else found


def sign(name: str, home: Home, key: Path) -> tuple[Verdict, Path]:
    """Sign a log that is whole; a broken one is not signed."""
    found = verdict(name, home)
    run_id, place = _signature(name, home)
    if not found.damages:
        signing.sign(run_id, found.whole, found.head, key, place)
    return found, place


def _signature(name: str, home: Home) -> tuple[str, Path]:
    """The run's id, and where its signature lies: in the run's folder, or beside the exported file."""
    exported = exported_journal(name)
    if exported:
        return exported.run_id, Path(name + signing.SUFFIX)
    run = home.find(name)
    return run.id, run.signature


def exported_journal(name: str) -> ExportedJournal | None:
    """The exported journal of that path; None if the name is rather a run's."""
    return ExportedJournal(Path(name)) if "/" in name or name.endswith(".jsonl") else None


def export(run: RunFolder, out: Path) -> int:
    """Write a run's journal to a file that stands alone, whole or not at all; returns the number of lines."""
    temporary = out.with_name(out.name + ".tmp")
    count = 0
    try:
        with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as file:
                for line in export_lines(run.id, journal):
                    file.write(line)
                    count += 1
        temporary.replace(out)
        if run.signature.is_file():
            shutil.copyfile(run.signature, f"{out}{signing.SUFFIX}")
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise UserError(f"cannot write {out}: {error.strerror}", "give another --out") from error
    return count


def replayed_export(journal: ExportedJournal) -> tuple[Report, tuple[str, ...]]:
    """The same as `replayed`, from an exported journal alone: neither the run nor its target need be on this machine."""
    rebuilt = replay_journal(AuditMachine(), journal)
    return _compared(_decided(journal.run_id, rebuilt), rebuilt)


def prunable(home: Home, keep: int, finished_only: bool) -> list[RunFolder]:
    """All but the newest `keep` runs; unfinished ones stay unless asked for."""
    runs = home.runs()
    old = runs[: max(0, len(runs) - keep)]
    return [run for run in old if not finished_only or (run.path / "receipt.json").is_file()]


def prune(home: Home, runs: list[RunFolder]) -> int:
    """Remove runs that nobody drives; returns the bytes freed."""
    freed = 0
    for run in runs:
        with lock.held(run):
            freed += run.size()
            home.remove(run)
    return freed
