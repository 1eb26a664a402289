"""How reviews and verifications end on the command line: results to standard output and to --out, then the exit code.

Always: one format alone goes to standard output as it is; a run without a report says why and how to go on. Nothing is decided
here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Protocol

import typer

from counterproof.app.provisional import FOLDER
from counterproof.cli import console
from counterproof.cli.out_folder import refuse_unusable
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit, Outcome
from counterproof.reports.inert import terminal_text
from counterproof.reports.screen import Part, Row, fitted, headed
from counterproof.reports.wording import meaning
from counterproof.runtime.home import RunFolder


class Ended(Protocol):
    """How a command left a run."""

    @property
    def run(self) -> RunFolder: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def hint(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Told:
    """A report to be shown: in a format, and in few words. `first` is what `counterproof explain` may be asked about, if any;
    `clean` says what an end without reasons means, where that is not the absence of findings."""

    render: Callable[[str], str]
    summary: tuple[Part, ...]
    first: str = ""
    clean: str = ""


def one_stream(formats: tuple[str, ...], out: Path | None) -> None:
    """Several formats need a folder, and the folder has to be one that can be written to."""
    refuse_unusable(out)
    if len(formats) > 1 and out is None:
        raise UserError("several formats do not fit into one stream", "add --out FOLDER, or ask for one format")


def _stream(formats: tuple[str, ...], written: tuple[Path, ...]) -> str:
    """The format that goes to standard output: a runner's log even where files go to a folder; '' if none does."""
    from counterproof.reports.review import STREAM

    return STREAM if STREAM in formats else formats[0] if formats and not written else ""


def _end(done: Ended, told: Told, written: tuple[Path, ...]) -> Iterator[Row]:
    """The last lines: how it ended, which run it was, and where the whole report is."""
    reasons = "; ".join(reason.text for reason in done.outcome.reasons) or told.clean or meaning(done.outcome.exit)
    yield from headed("EXIT", f"{int(done.outcome.exit)}: {reasons}")
    paused = done.outcome.exit is Exit.PAUSED
    if paused:
        yield from headed("NEXT", done.hint)
    more = f"; `counterproof explain {told.first}` tells more" if told.first and not paused else ""
    yield from headed("RUN", f"{done.run.id}{more}")
    stored = str(done.run.path / FOLDER) if paused else f"`counterproof show {done.run.id} --out FOLDER` writes it"
    where = str(written[0]) if written else stored
    yield Row(terminal_text(f"REPORT    {where}"), "heading", 6)  # a path must stay whole


def leave(outcome: Outcome, fail_on_incomplete: bool) -> NoReturn:
    """End with the run's exit code. What is merely incomplete may end with 0 where the user said so; the receipt keeps its 3."""
    code = outcome.exit
    if code is Exit.INCOMPLETE and not fail_on_incomplete:
        typer.echo("incomplete; exits with 0, as --no-fail-on-incomplete asks", err=True)
        code = Exit.CLEAN
    raise typer.Exit(int(code))


def show(
    done: Ended,
    told: Told | None,
    formats: tuple[str, ...],
    written: tuple[Path, ...],
    quiet: bool,
    fail_on_incomplete: bool = True,
) -> NoReturn:
    """`written` are the files in the folder that the user named."""
    code = done.outcome.exit
    if told is None:
        lines = [*(reason.text for reason in done.outcome.reasons), done.hint, f"Run {done.run.id}, exit code {int(code)}."]
        typer.echo("\n".join(terminal_text(line) for line in lines if line), err=quiet)
    elif stream := _stream(formats, written):
        typer.echo(told.render(stream), nl=False)
        short = [reason.text for reason in done.outcome.reasons if reason.code in (Exit.INCOMPLETE, Exit.OVER_BUDGET)]
        if short and not quiet:  # what is missing is said where a person looks, not only inside the report
            typer.echo(terminal_text(f"EXIT {int(code)}: {'; '.join(short)}"), err=True)
    elif not quiet:
        console.print_rows(fitted((*told.summary, Part(tuple(_end(done, told, written)))), console.height()))
    leave(done.outcome, fail_on_incomplete)
