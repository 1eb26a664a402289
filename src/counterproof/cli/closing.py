"""How reviews and verifications end on the command line: results to standard output and to --out, then the exit code.

Always: one format alone goes to standard output as it is; a run without a report says why and how to go on. Nothing is decided
here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, Protocol

import typer

from counterproof.cli import console
from counterproof.model.errors import UserError
from counterproof.model.receipt import Outcome
from counterproof.reports.inert import terminal_text
from counterproof.reports.review import STREAM
from counterproof.reports.screen import Row
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
    """A report to be shown: in a format, and in few words."""

    render: Callable[[str], str]
    rows: tuple[Row, ...]


def one_stream(formats: tuple[str, ...], out: Path | None) -> None:
    """Several formats need a folder."""
    if len(formats) > 1 and out is None:
        raise UserError("several formats do not fit into one stream", "add --out FOLDER, or ask for one format")


def _stream(formats: tuple[str, ...], written: tuple[Path, ...]) -> str:
    """The format that goes to standard output: a runner's log even where files go to a folder; '' if none does."""
    return STREAM if STREAM in formats else formats[0] if formats and not written else ""


def show(done: Ended, told: Told | None, formats: tuple[str, ...], written: tuple[Path, ...], quiet: bool) -> NoReturn:
    """`written` are the files in the folder that the user named."""
    code = done.outcome.exit
    if told is None:
        lines = [*(reason.text for reason in done.outcome.reasons), done.hint, f"Run {done.run.id}, exit code {int(code)}."]
        typer.echo("\n".join(terminal_text(line) for line in lines if line), err=quiet)
    elif stream := _stream(formats, written):
        typer.echo(told.render(stream), nl=False)
    elif not quiet:
        where = f"REPORT    {written[0].parent if written else done.run.path}"
        console.print_rows((*told.rows, Row(terminal_text(where), "heading", 6)))
    raise typer.Exit(int(code))
