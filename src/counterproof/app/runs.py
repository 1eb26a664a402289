"""Existing runs: list, verify, sign, export, prune."""

import contextlib
import os
import shutil
from dataclasses import dataclass, replace
from pathlib import Path

from counterproof.app.jobs import noted, receipt_of
from counterproof.app.stored_runs import changed_reports
from counterproof.model.errors import UserError
from counterproof.runtime import lock, signing
from counterproof.runtime.chain import Damage
from counterproof.runtime.clock import WallClock
from counterproof.runtime.export import ExportedJournal
from counterproof.runtime.export import lines as export_lines
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.verification import Verdict, verify


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
        request, receipt = noted(run), receipt_of(run)
        state = str(receipt.get("exit") or "unfinished").replace("clean", "passed")
        lines.append(
            RunLine(
                run.id, str(request.get("target", "?")), str(receipt.get("mode") or request.get("mode", "?")), state, run.size()
            )
        )
    return lines


def verdict(name: str, home: Home, noted_head: str = "", key: Path | None = None) -> Verdict:
    """The result of `log verify` for a run, with its stored reports, or an exported journal; with a public key, whether its
    owner signed it."""
    exported = exported_journal(name)
    found = exported.verify(noted_head) if exported else _with_reports(home.find(name), noted_head)
    if key is None or found.damages:
        return found
    run_id, place = _signature(name, home)
    unsigned = signing.disagreement(run_id, found.whole, found.head, key, place)
    return replace(found, damages=(unsigned,)) if unsigned else found


def _with_reports(run: RunFolder, noted_head: str) -> Verdict:
    found = verify(run, noted_head)
    changed = () if found.damages else changed_reports(run)
    return replace(found, damages=tuple(Damage(0, f"the stored {name} report was changed") for name in changed) or found.damages)


def sign(name: str, home: Home, key: Path) -> tuple[Verdict, Path]:
    """Sign an intact journal; a broken one is not signed."""
    found = verdict(name, home)
    run_id, place = _signature(name, home)
    if not found.damages:
        signing.sign(run_id, found.whole, found.head, key, place)
    return found, place


def _signature(name: str, home: Home) -> tuple[str, Path]:
    """The run's id and the path of its signature: in the run's folder, or next to the exported file."""
    exported = exported_journal(name)
    if exported:
        return exported.run_id, Path(name + signing.SUFFIX)
    run = home.find(name)
    return run.id, run.signature


def exported_journal(name: str) -> ExportedJournal | None:
    """The exported journal at that path; None if the name is not a file but a run."""
    return ExportedJournal(Path(name)) if "/" in name or name.endswith(".jsonl") else None


def export(run: RunFolder, out: Path) -> int:
    """Export a run's journal to a self-contained file, atomically; return the number of lines."""
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


def prunable(home: Home, keep: int, finished_only: bool) -> list[RunFolder]:
    """All but the newest `keep` runs; unfinished ones only on request."""
    runs = home.runs()
    old = runs[: max(0, len(runs) - keep)]
    return [run for run in old if not finished_only or (run.path / "receipt.json").is_file()]


def prune(home: Home, runs: list[RunFolder]) -> int:
    """Delete runs that are not being driven; return the bytes freed."""
    freed = 0
    for run in runs:
        with lock.held(run):
            freed += run.size()
            home.remove(run)
    return freed
