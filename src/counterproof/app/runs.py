"""Looking at runs that exist: list, show, replay, verify, prune."""

import contextlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from counterproof import reports
from counterproof.app.audit_executor import STORED_FORMATS
from counterproof.app.audit_machine import AuditMachine
from counterproof.model.canonical import digest
from counterproof.model.errors import JournalError, UserError
from counterproof.model.report import Report, ReportedFinding
from counterproof.protocols.audit.commands import WriteReport
from counterproof.protocols.audit.state import AuditState
from counterproof.runtime import lock
from counterproof.runtime.clock import WallClock
from counterproof.runtime.driver import Replayed
from counterproof.runtime.driver import replay as replay_journal
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import Damage, SqliteJournal, verify


@dataclass(frozen=True, slots=True)
class RunLine:
    """One line of `counterproof runs`."""

    id: str
    target: str
    mode: str
    state: str
    bytes: int


def listed(home: Home) -> list[RunLine]:
    """All runs, oldest first. Cheap: journals are not opened."""
    lines: list[RunLine] = []
    for run in home.runs():
        request, receipt = _json(run.path / "request.json"), _json(run.path / "receipt.json")
        state = str(receipt.get("exit") or "unfinished")
        lines.append(RunLine(run.id, str(request.get("target", "?")), str(request.get("mode", "?")), state, run.size()))
    return lines


def _json(path: Path) -> dict[str, Any]:
    try:
        value: Any = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]


def stored_report(run: RunFolder, name: str) -> str:
    """The report as it was stored, checked against the digest in the journal."""
    path = run.path / reports.FILE_NAMES[name]
    if not path.is_file():
        raise UserError(f"run {run.id} has no report", f"`counterproof resume {run.id}` finishes it")
    text = path.read_text(encoding="utf-8")
    if digest(text) != dict(_rebuilt(run).state.digests).get(name):
        raise JournalError(
            f"the stored {name} report of run {run.id} was changed", f"`counterproof replay {run.id}` makes it anew"
        )
    return text


def _rebuilt(run: RunFolder) -> Replayed:
    with contextlib.closing(SqliteJournal(run, WallClock())) as journal:
        return replay_journal(AuditMachine(), journal)


def replayed(run: RunFolder) -> tuple[Report, tuple[str, ...]]:
    """Re-decide from the journal with no agent called; also the formats whose bytes differ from the stored digests."""
    rebuilt = _rebuilt(run)
    state: AuditState = rebuilt.state
    command = rebuilt.commands.get("report")
    if not isinstance(command, WriteReport):
        raise UserError(f"run {run.id} has no report", f"`counterproof resume {run.id}` goes on with it, or says why it ended")
    stored = dict(state.digests)
    differing = [name for name in STORED_FORMATS if digest(reports.render(command.report, name)) != stored.get(name)]
    return command.report, tuple(differing)


def finding_of(run: RunFolder, name: str) -> ReportedFinding:
    """One finding of a run, by its number or by the beginning of its fingerprint."""
    report, _ = replayed(run)
    matches = [
        row for row in report.findings if row.number == name.upper() or (len(name) >= 6 and row.fingerprint.startswith(name))
    ]
    if len(matches) == 1:
        return matches[0]
    count = f"{len(matches)} findings" if matches else "no finding"
    raise UserError(f"{name} fits {count} of run {run.id}", "findings are named C-01, H-01, …; `counterproof show` lists them")


def damages(run: RunFolder) -> tuple[Damage, ...]:
    """What `log verify` reports; nothing means that the chain is whole."""
    with contextlib.closing(SqliteJournal(run, WallClock())) as journal:
        return verify(run, journal)


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
