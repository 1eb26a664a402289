"""Handing results over: files into the folder the user named, and the closing words on the terminal."""

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from counterproof import reports
from counterproof.app.audit import Finished
from counterproof.app.audit_executor import STORED_FORMATS, write_whole
from counterproof.app.driving import delivered_files, noted
from counterproof.app.provisional import FOLDER
from counterproof.app.runs import noted_digests, receipt_of, report_of, stored_report
from counterproof.model.errors import UserError
from counterproof.model.report import Report
from counterproof.reports.first_page import kinds
from counterproof.reports.github import render_github, render_job_summary
from counterproof.reports.inert import terminal_text
from counterproof.reports.screen import Row, headed
from counterproof.reports.summary import summary_rows
from counterproof.reports.triage import to_complete
from counterproof.reports.wording import by_severity
from counterproof.runtime.home import RunFolder

RECEIPT: Final = "receipt.json"
APPENDIX: Final = "appendix"
STREAM: Final = "github"
"""The format that goes to standard output even where others go to a folder."""


def report(finished: Finished) -> Report:
    """The report of a run that has ended, or the provisional one of a run that has not."""
    return finished.provisional or report_of(finished.run)


def text(finished: Finished, name: str) -> str:
    """That report in a format."""
    return _rendered(finished.provisional, finished.run, name) if finished.provisional else stored(finished.run, name)


def _rendered(report: Report, run: RunFolder, name: str) -> str:
    return render_github(report, folder_of(run)) if name == STREAM else reports.render(report, name)


def delivered(finished: Finished, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """That report in a folder; nothing where there is none. A provisional report has no receipt."""
    if finished.provisional is None:
        return deliver(finished.run, formats, out) if finished.state.digests else ()
    names = tuple(each for each in formats if each != STREAM) or STORED_FORMATS
    texts = {reports.FILE_NAMES[name]: reports.render(finished.provisional, name) for name in names}
    return delivered_files(finished.run, texts, out)


def stored(run: RunFolder, name: str) -> str:
    """A stored report, whole; a format that is not stored is made from the report."""
    if name in STORED_FORMATS:
        return stored_report(run, name)
    return _rendered(report_of(run), run, name)


def folder_of(run: RunFolder) -> str:
    """Where the target lies in the repository that GitHub's runner checked out; "" at its top, or where there is none."""
    top = os.environ.get("GITHUB_WORKSPACE", "")
    target = Path(str(receipt_of(run).get("target") or noted(run).get("target") or "."))
    if not top or not target.resolve().is_relative_to(Path(top).resolve()):
        return ""
    return target.resolve().relative_to(Path(top).resolve()).as_posix().removeprefix(".")


def add_job_summary(report: Report) -> None:
    """Add the job's page to the file that GitHub's runner names; nothing where it names none."""
    place = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not place:
        return
    try:
        with Path(place).open("a", encoding="utf-8") as stream:
            stream.write(render_job_summary(report))
    except OSError as error:
        raise UserError(f"cannot write to GITHUB_STEP_SUMMARY: {error.strerror}", "unset it, or give another format") from error


def deliver(run: RunFolder, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
    """Copy the report (all formats that are files, unless narrowed) and the receipt into `out`."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        paths: list[Path] = []
        noted = noted_digests(run)
        for name in _files(formats, noted):
            path = out / reports.FILE_NAMES[name]
            write_whole(path, stored_report(run, name, noted))
            paths.append(path)
        receipt = out / RECEIPT
        write_whole(receipt, (run.path / RECEIPT).read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"cannot write to {out}: {error.strerror}",
            f"the run is finished; `counterproof show {run.id} --out FOLDER` tries again",
        ) from error
    return (*paths, receipt)


def _files(formats: tuple[str, ...], noted: dict[str, str]) -> tuple[str, ...]:
    """The formats to write. The appendix belongs to the Markdown report; runs of earlier versions have none."""
    asked = tuple(each for each in formats if each != STREAM) or STORED_FORMATS
    wanted = {*asked, APPENDIX} if "markdown" in asked else set(asked)
    return tuple(each for each in STORED_FORMATS if each in wanted and (each != APPENDIX or each in noted))


def closing_rows(finished: Finished, written: tuple[Path, ...], height: int, width: int) -> tuple[Row, ...]:
    """What a user reads last: the summary, what the run cost, where the report is, and how to go on."""
    run = finished.run
    if finished.state.digests or finished.provisional:
        shown = report(finished)
        return summary_rows(shown, height, tuple(_ending(finished, shown, written)), width)
    reasons = [Row(terminal_text(f"{reason.code.name.lower()}: {reason.text}")) for reason in finished.outcome.reasons]
    hint = [Row(terminal_text(finished.hint))] if finished.hint else []
    code = finished.outcome.exit
    return (*reasons, *hint, Row(f"Run {run.id}, exit code {int(code)} ({code.name.lower()})."))


def _ending(finished: Finished, report: Report, written: tuple[Path, ...]) -> Iterator[Row]:
    run = finished.run
    if not finished.provisional:
        yield _named("COST", cost(run))
    if finished.hint:
        yield Row(terminal_text(finished.hint))
    if (advice := to_complete(report)) and not finished.provisional:
        yield from headed("NEXT", advice)
    first = next((kind.rows[0].number for kind in kinds(by_severity(report))), "")
    explained = first and not finished.provisional
    yield _named("RUN", f"{run.id}; `counterproof explain {first}` tells more" if explained else run.id)
    stored_at = str(run.path / FOLDER) if finished.provisional else f"`counterproof show {run.id} --out FOLDER` writes it"
    yield _named("REPORT", _places(written) or stored_at)


def _named(name: str, text: str) -> Row:
    return Row(f"{name:<10}{terminal_text(text)}", "heading", len(name))


def _places(written: tuple[Path, ...]) -> str:
    """The page for people first; the other files lie beside it."""
    files = [path for path in written if path.name != RECEIPT]
    if not files:
        return ""
    best = next((path for path in files if path.suffix == ".html"), files[0])
    beside = dict.fromkeys(path.suffix for path in files if path != best)
    return f"{best} (and {', '.join(beside)})" if beside else str(best)


def cost(run: RunFolder) -> str:
    """Tokens, money and time, from the receipt; a report holds none of them."""
    receipt = receipt_of(run)
    tokens = int(receipt.get("tokens") or 0)
    none = "no model answered" if receipt.get("models") else "no model was called"
    spent = f"{tokens:,} tokens, ${receipt.get('cost_usd', '0.00')}" if tokens else none
    return ", ".join(part for part in (spent, _duration(receipt)) if part)


def _duration(receipt: dict[str, Any]) -> str:
    try:
        ended, started = (datetime.fromisoformat(str(receipt[name])) for name in ("ended", "started"))
        seconds = int((ended - started).total_seconds())
    except (KeyError, ValueError, TypeError):
        return ""
    return f"{seconds // 60} min {seconds % 60} s" if seconds >= 60 else f"{seconds} s"
