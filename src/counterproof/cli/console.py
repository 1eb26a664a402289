"""Progress displays. Progress goes to standard error, results to standard output.

Everything printed has passed `inert`, because it contains names and paths of the reviewed code. Drawing libraries are imported
only on a terminal.
"""

import os
import shutil
import sys
import threading
from typing import TYPE_CHECKING, Final, TextIO

from counterproof.cli.how_far import HowFar
from counterproof.cli.spoken import SURVEYED, spoken
from counterproof.reports.inert import terminal_text, workflow_line
from counterproof.reports.screen import HEIGHT, WIDTH, Row

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status
    from rich.text import Text

TONES: Final = {"heading": "bold", "critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan"}


class Announced:
    """The latest description of the target and the plan, to be shown when the user is asked; `shown` are lines of it that are
    already on the screen."""

    def __init__(self, shown: tuple[str, ...] = ()) -> None:
        self._texts: dict[str, str] = {}
        self._hidden = ("[", "phase0_", *shown)

    def hear(self, text: str) -> None:
        if text.startswith(("[RECON]", "[PLAN]")):
            self._texts[text.partition("\n")[0]] = text

    def lines(self) -> tuple[str, ...]:
        """Each line once: the plan repeats some of the survey."""
        told = dict.fromkeys(each for text in self._texts.values() for each in text.split("\n"))
        return tuple(terminal_text(each) for each in told if not each.startswith(self._hidden))


class SilentObserver:
    """A display that prints nothing, for --quiet."""

    def __init__(self, shown: tuple[str, ...] = ()) -> None:
        self._announced = Announced(shown)

    def narrate(self, text: str) -> None:
        self._announced.hear(text)

    def asked(self) -> tuple[str, ...]:
        """Information that the user needs for a question and has not seen."""
        return self._announced.lines()

    def progress(self, who: str, text: str) -> None:
        """Prints nothing."""

    def stop(self) -> None:
        """Does nothing."""


class MarkerObserver:
    """Every marker in the protocol's form, for --verbose."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def narrate(self, text: str) -> None:
        self._stream.write(logged(terminal_text(text)) + "\n")
        self._stream.flush()

    def asked(self) -> tuple[str, ...]:
        """Empty: the markers are already on the screen."""
        return ()

    def progress(self, who: str, text: str) -> None:
        """Prints nothing: only markers are shown."""

    def stop(self) -> None:
        """Does nothing."""


PATIENCE: Final = 60.0
"""Seconds after which a log gets a line on progress, so that the run does not appear to hang."""


class LineObserver(SilentObserver):
    """One sentence per phase, and one line per minute in between, for logs and pipes."""

    def __init__(self, stream: TextIO, patience: float = PATIENCE) -> None:
        super().__init__(tuple(SURVEYED))
        self._stream = stream
        self._far = HowFar()
        self._over = threading.Event()
        self._patience = patience
        threading.Thread(target=self._remind, daemon=True).start()

    def narrate(self, text: str) -> None:
        super().narrate(text)
        self._far.hear(text)
        if line := spoken(terminal_text(text)):
            self._write(line)

    def progress(self, who: str, text: str) -> None:
        """Record a step without printing it."""
        self._far.hear(who)

    def _remind(self) -> None:
        while not self._over.wait(self._patience):
            self._write(f"… {terminal_text(self._far.line().lstrip())}")

    def _write(self, line: str) -> None:
        self._stream.write(logged(line) + "\n")
        self._stream.flush()

    def stop(self) -> None:
        self._over.set()


STEPS = ("survey", "recon", "scope", "report")
MAX_LINES = 6
MAX_LINE = 200


class Moving:
    """The lines at the bottom of the screen, redrawn with the terminal: progress, current file, agents at work."""

    def __init__(self, far: HowFar, doing: dict[str, str]) -> None:
        self._far = far
        self._doing = doing

    def __rich__(self) -> "Text":
        from rich.text import Text

        at_work = list(self._doing.values())[-MAX_LINES:]
        return Text("\n".join([terminal_text(self._far.line())[:MAX_LINE], *at_work]), no_wrap=True, overflow="ellipsis")


class LiveObserver(SilentObserver):
    """Progress and current file, a line for each working agent, and one line per finished phase, on a real terminal."""

    def __init__(self, console: "Console") -> None:
        super().__init__(tuple(SURVEYED))
        self._console = console
        self._status: "Status | None" = None  # noqa: UP037 (rich is not imported yet)
        self._doing: dict[str, str] = {}
        self._far = HowFar()

    def narrate(self, text: str) -> None:
        super().narrate(text)
        self._far.hear(text)
        marker = terminal_text(text)
        line = "" if marker.startswith("[PLAN]\n") else spoken(marker)  # the question shows the plan
        if line:
            self._console.print(line, style="dim", markup=False, highlight=False, soft_wrap=False)

    def progress(self, who: str, text: str) -> None:
        """Show one line per agent at work; an empty text means that the agent is done, and a step of the run that all others
        are."""
        self._far.hear(who)
        self._doing.pop(who, None)
        if who in STEPS:
            self._doing.clear()
        if text:
            self._doing[who] = f"       {terminal_text(f'{who}: {text}')}"[:MAX_LINE]
        if self._status is None:
            self._status = self._console.status(Moving(self._far, self._doing))
            self._status.start()

    def stop(self) -> None:
        """Restore the terminal."""
        if self._status is not None:
            self._status.stop()
            self._status = None


def make_console(stream: TextIO) -> "Console":
    """Colour only on a terminal, and never with NO_COLOR set."""
    from rich.console import Console

    return Console(file=stream, no_color=bool(os.environ.get("NO_COLOR")), highlight=False, soft_wrap=True)


def can_draw(stream: TextIO) -> bool:
    """True if the terminal supports escape sequences."""
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")


def height() -> int:
    """Rows of the terminal that results go to; those of a standard one for logs and pipes."""
    return shutil.get_terminal_size((80, HEIGHT)).lines if sys.stdout.isatty() else HEIGHT


def width() -> int:
    """Columns of the terminal that results go to; those of a standard one for logs and pipes."""
    return max(WIDTH, shutil.get_terminal_size((WIDTH, HEIGHT)).columns) if sys.stdout.isatty() else WIDTH


def logged(text: str) -> str:
    """Text for a log, made safe: GitHub's runner executes commands in it, and names in the reviewed code must not become one."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return text
    return "\n".join(workflow_line(each) for each in text.split("\n"))


def print_rows(rows: tuple[Row, ...]) -> None:
    """Print rows to standard output, coloured by tone where possible and wanted. Text is never interpreted as markup."""
    if not can_draw(sys.stdout) or os.environ.get("NO_COLOR"):
        sys.stdout.write("".join(f"{logged(row.text)}\n" for row in rows))
        return
    from rich.text import Text

    console = make_console(sys.stdout)
    for row in rows:
        text = Text(row.text)
        if row.tone in TONES:
            text.stylize(TONES[row.tone], 0, row.lead)
        console.print(text)


Watcher = SilentObserver | MarkerObserver


def choose(quiet: bool, verbose: bool) -> Watcher:
    """Silent or every marker if requested; otherwise live on a terminal, and lines in a log."""
    if quiet:
        return SilentObserver()
    if verbose:
        return MarkerObserver(sys.stderr)
    return LiveObserver(make_console(sys.stderr)) if can_draw(sys.stderr) else LineObserver(sys.stderr)
