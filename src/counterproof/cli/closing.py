"""The end of audits, reviews and verifications on the command line: results to standard output and --out, then the exit code.

Invariant: a single format is printed to standard output unchanged; a run without a report says why and how to continue.
Nothing is decided here.
"""

from pathlib import Path
from typing import NoReturn

import typer

from counterproof.app import delivery
from counterproof.app.delivery import STREAM, Ended
from counterproof.app.jobs import AUDIT
from counterproof.cli import console
from counterproof.cli.out_folder import refuse_unusable
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit, Outcome
from counterproof.reports.inert import terminal_text


def one_stream(formats: tuple[str, ...], out: Path | None) -> None:
    """Reject several formats without a folder, and a folder that cannot be written to."""
    refuse_unusable(out)
    if len(formats) > 1 and out is None:
        raise UserError("only one format can go to standard output", "add --out FOLDER, or ask for one format")


def _code(outcome: Outcome, fail_on_incomplete: bool) -> Exit:
    """The run's exit code. An incomplete run exits with 0 if the user asked for that; the receipt keeps its 3."""
    return Exit.CLEAN if outcome.exit is Exit.INCOMPLETE and not fail_on_incomplete else outcome.exit


def show(done: Ended, formats: tuple[str, ...], out: Path | None, quiet: bool, fail_on_incomplete: bool = True) -> NoReturn:
    """Write results to standard output and to --out, then exit. A runner's log goes to standard output even if files are
    written."""
    written = done.delivered(formats, out) if out else ()
    code = _code(done.outcome, fail_on_incomplete)
    stream = STREAM if STREAM in formats else formats[0] if formats and not out else ""
    if done.report is None:
        _tell((*_reasons(done), done.hint, f"Run {done.run.id}, exit code {int(code)}."), err=quiet)
    elif stream:
        typer.echo(done.text(stream), nl=False)
        if stream == STREAM and done.job is AUDIT:
            delivery.add_job_summary(done.report)
        short = [reason.text for reason in done.outcome.reasons if reason.code in (Exit.INCOMPLETE, Exit.OVER_BUDGET)]
        if short and not quiet:  # gaps are shown on the terminal too, not only in the report
            _tell((f"EXIT {int(code)}: {'; '.join(short)}",), err=True)
    elif not quiet:
        console.print_rows(delivery.closing_rows(done, written, console.height(), console.width(), code))
    elif done.hint:
        _tell(_reasons(done), err=True)
    raise typer.Exit(int(code))


def _reasons(done: Ended) -> tuple[str, ...]:
    return tuple(reason.text for reason in done.outcome.reasons)


def _tell(lines: tuple[str, ...], err: bool) -> None:
    typer.echo("\n".join(terminal_text(line) for line in lines if line), err=err)
