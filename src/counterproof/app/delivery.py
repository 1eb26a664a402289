"""Handing results over: files into the folder the user named, and the closing words on the terminal."""

from pathlib import Path

from counterproof import reports
from counterproof.app.audit import Finished
from counterproof.app.audit_executor import STORED_FORMATS, write_whole
from counterproof.app.runs import replayed, stored_report
from counterproof.model.errors import UserError
from counterproof.reports.inert import terminal_text
from counterproof.runtime.home import RunFolder


def stored(run: RunFolder, name: str) -> str:
    """A stored report, whole."""
    return stored_report(run, name)


def deliver(run: RunFolder, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """Copy the report (all formats unless narrowed) and the receipt into `out`."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        paths: list[Path] = []
        for name in formats or STORED_FORMATS:
            path = out / reports.FILE_NAMES[name]
            write_whole(path, stored_report(run, name))
            paths.append(path)
        receipt = out / "receipt.json"
        write_whole(receipt, (run.path / "receipt.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"cannot write to {out}: {error.strerror}",
            f"the run is finished; `counterproof show {run.id} --out FOLDER` tries again",
        ) from error
    return (*paths, receipt)


def closing_text(finished: Finished, written: tuple[Path, ...]) -> str:
    """What a user reads last: the summary, where the report is, and how to go on."""
    run = finished.run
    lines: list[str] = []
    if finished.state.digests:
        report, _ = replayed(run)
        lines.append(reports.render(report, "summary").rstrip("\n"))
        places = ", ".join(str(path) for path in written) or f"`counterproof show {run.id}`"
        lines.append(f"Full report: {terminal_text(places)}")
    else:
        lines.extend(terminal_text(f"{reason.code.name.lower()}: {reason.text}") for reason in finished.outcome.reasons)
    if finished.hint:
        lines.append(finished.hint)
    lines.append(f"Run {run.id}, exit code {int(finished.outcome.exit)} ({finished.outcome.exit.name.lower()}).")
    return "\n".join(lines)
