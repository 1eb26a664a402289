"""The result of a command on a run, for every job: texts, files, the closing lines on the terminal."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from counterproof.app import stored_runs
from counterproof.app.files import delivered_files
from counterproof.app.jobs import Job, folder_of, receipt_of
from counterproof.app.provisional import FOLDER
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit, Outcome
from counterproof.model.report import Report
from counterproof.reports.github import render_job_summary
from counterproof.reports.inert import terminal_text
from counterproof.reports.screen import Part, Row, fitted, headed
from counterproof.runtime.home import RunFolder

RECEIPT: Final = "receipt.json"
STREAM: Final = "github"
"""The format printed to standard output even if other formats go to a folder."""


@dataclass(frozen=True)
class Ended:
    """The state in which a command left a run. `hint` says how to continue a paused run; `draft` is the provisional report,
    without a receipt, if it has one; `state` is the protocol's state."""

    run: RunFolder
    job: Job
    outcome: Outcome
    hint: str = ""
    draft: Any = None
    state: Any = None

    @cached_property
    def report(self) -> Any:
        """The report of a finished run, or the provisional one; None if there is neither."""
        if self.draft is not None or self.hint or not stored_runs.reported(self.run):
            return self.draft
        return stored_runs.report_of(self.run)

    def text(self, name: str) -> str:
        """The report in a format."""
        if self.draft is None and name in self.job.files:
            return stored_runs.stored(self.run, name)
        return self.job.render(self.report, name, folder_of(self.run))

    def delivered(self, formats: tuple[str, ...], out: Path) -> tuple[Path, ...]:
        """Write the report to a folder, in every file format unless narrowed; do nothing without a report."""
        if self.report is None:
            return ()
        names = self.job.to_write(formats)
        return delivered_files(self.run, {self.job.files[name]: self.text(name) for name in names}, out)


def add_job_summary(report: Report) -> None:
    """Append the job summary to the file named by GitHub's runner, if any."""
    place = os.environ.get("GITHUB_STEP_SUMMARY", "")
    if not place:
        return
    try:
        with Path(place).open("a", encoding="utf-8") as stream:
            stream.write(render_job_summary(report))
    except OSError as error:
        raise UserError(f"cannot write to GITHUB_STEP_SUMMARY: {error.strerror}", "unset it, or give another format") from error


def closing_rows(done: Ended, written: tuple[Path, ...], height: int, width: int, code: Exit) -> tuple[Row, ...]:
    """The last lines shown for a run with a report: summary, outcome, cost, location of the report. `code` is the exit code of
    the process."""
    end = Part(tuple(_ending(done, written, code)))
    return fitted((*done.job.summary(done.report, width), end), height)


def _ending(done: Ended, written: tuple[Path, ...], code: Exit) -> Iterator[Row]:
    run, job, report = done.run, done.job, done.report
    anyway = "" if code is done.outcome.exit else " (0 because of --no-fail-on-incomplete)"
    yield from headed("EXIT", f"{int(code)}: {job.why(report, done.outcome)}{anyway}")
    if done.draft is None:
        if (advice := job.advice(report, done.state)) and not anyway:
            yield from headed("NEXT", advice)
        yield _named("COST", cost(run))
    if done.hint:
        yield _named("NEXT", done.hint)
    first = next((job.number(row) for row in job.find(report, "")), "")
    explained = first and done.draft is None
    yield _named("RUN", f"{run.id}; `counterproof explain {first}` shows more" if explained else run.id)
    stored_at = f"`counterproof show {run.id} --out report` writes it" if done.draft is None else str(run.path / FOLDER)
    yield _named("REPORT", _places(written) or stored_at)


def _named(name: str, text: str) -> Row:
    """A line that is not wrapped, so that a path or command in it can be copied."""
    return Row(f"{name:<10}{terminal_text(text)}", "heading", len(name))


def _places(written: tuple[Path, ...]) -> str:
    """The HTML page first; the other files are in the same folder."""
    files = [path for path in written if path.name != RECEIPT]
    if not files:
        return ""
    best = next((path for path in files if path.suffix == ".html"), files[0])
    beside = dict.fromkeys(path.suffix for path in files if path != best)
    return f"{best} (and {', '.join(beside)})" if beside else str(best)


def cost(run: RunFolder) -> str:
    """Tokens, money and time, from the receipt; reports contain none of them."""
    receipt = receipt_of(run)
    models: dict[str, Any] = {**receipt, **(receipt.get("models") or {})}
    tokens = int(models.get("tokens") or 0)
    none = "no model answered" if receipt.get("models") else "no model was called"
    spent = f"{tokens:,} tokens, ${models.get('cost_usd', '0.00')}" if tokens else none
    return ", ".join(part for part in (spent, _duration(receipt)) if part)


def _duration(receipt: dict[str, Any]) -> str:
    try:
        ended, started = (datetime.fromisoformat(str(receipt[name])) for name in ("ended", "started"))
        seconds = int((ended - started).total_seconds())
    except (KeyError, ValueError, TypeError):
        return ""
    return f"{seconds // 60} min {seconds % 60} s" if seconds >= 60 else f"{seconds} s"
