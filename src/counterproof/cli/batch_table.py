"""The display of a batch: a live table on a terminal, one line per finished target in a log, and the closing lines.

Invariant: everything shown has passed `inert`, and nothing is interpreted as markup. Drawing libraries are imported on a
terminal only.
"""

import json
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TextIO

from counterproof.batch.conducting import Conducted
from counterproof.batch.ledger import Summary
from counterproof.cli import console
from counterproof.model.batch import Row, State, distinct_names, exit_of, spent_of
from counterproof.model.budget import dollars
from counterproof.model.canonical import plain
from counterproof.model.counting import counted
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit
from counterproof.reports.batch import FILE_NAMES, document
from counterproof.reports.inert import line
from counterproof.reports.screen import Row as ScreenRow
from counterproof.reports.wording import meaning

if TYPE_CHECKING:
    from rich.console import RenderableType

_NAME: Final = 40
_WORST: Final = 10
_PER_SECOND: Final = 4


class SilentTable:
    """A display that prints nothing, for --quiet."""

    def __init__(self, rows: tuple[Row, ...]) -> None:
        self._rows = {row.position: row for row in rows}
        self.names = distinct_names(tuple(row.target for row in rows))
        self._turn = threading.Lock()

    def __enter__(self) -> None:
        """Does nothing."""

    def __exit__(self, *_: object) -> None:
        """Does nothing."""

    def tell(self, row: Row) -> None:
        with self._turn:
            before = self._rows[row.position]
            self._rows[row.position] = row
            self.changed(before, row)

    def changed(self, before: Row, row: Row) -> None:
        """Prints nothing."""


class LineTable(SilentTable):
    """One line for each target that ended or paused, for logs and pipes."""

    def __init__(self, rows: tuple[Row, ...], stream: TextIO) -> None:
        super().__init__(rows)
        self._stream = stream

    def changed(self, before: Row, row: Row) -> None:
        if row.state is before.state or not (row.state.ended or row.state is State.PAUSED):
            return
        ended = sum(each.state.ended for each in self._rows.values())
        self._stream.write(console.logged(f"{ended}/{len(self._rows)}  {said(row, self.names)}") + "\n")
        self._stream.flush()


class LiveTable(SilentTable):
    """The running targets and the last finished ones, as many as fit on the terminal."""

    def __init__(self, rows: tuple[Row, ...], stream: TextIO) -> None:
        super().__init__(rows)
        from rich.live import Live

        self._ended: list[int] = []
        self._began: dict[int, float] = {}
        self._console = console.make_console(stream)
        self._live = Live(get_renderable=self._drawn, console=self._console, refresh_per_second=_PER_SECOND, transient=True)

    def __enter__(self) -> None:
        self._live.start()

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def changed(self, before: Row, row: Row) -> None:
        if row.state is not before.state:
            self._began[row.position] = time.monotonic()
            if row.state.ended or row.state is State.PAUSED:
                self._ended.append(row.position)

    def _drawn(self) -> "RenderableType":
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        with self._turn:
            rows, ended = dict(self._rows), list(self._ended)
        running = [row for row in rows.values() if row.state is State.RUNNING]
        room = max(2, self._console.size.height - 5 - len(running))
        table = Table(box=None, pad_edge=False, expand=True, header_style="bold")
        table.add_column("target", ratio=2, no_wrap=True, overflow="ellipsis")
        for heading in ("C", "H", "M", "L", "s"):
            table.add_column(heading, justify="right", no_wrap=True)
        table.add_column("", ratio=4, no_wrap=True, overflow="ellipsis")
        for row in (*running, *(rows[position] for position in reversed(ended[-room:]))):
            table.add_row(*(Text(cell, style=_tone(row)) for cell in self._cells(row)))
        return Group(Text(progress(tuple(rows.values())), style="bold"), table)

    def _cells(self, row: Row) -> tuple[str, ...]:
        outcome = row.outcome
        if outcome is None or row.state is State.RUNNING:
            seconds = time.monotonic() - self._began.get(row.position, time.monotonic())
            return shown_name(row, self.names), "", "", "", "", f"{seconds:.0f}", line(row.note)
        counts = tuple(f"{each:,}" for each in outcome.counts) if outcome.folder else ("", "", "", "")
        return shown_name(row, self.names), *counts, f"{outcome.seconds:.0f}", _result(row)


def _tone(row: Row) -> str:
    if row.state is State.RUNNING or row.outcome is None:
        return ""
    return {Exit.CLEAN: "green", Exit.FINDINGS: "red"}.get(Exit(row.outcome.exit_code), "yellow")


def choose(quiet: bool, rows: tuple[Row, ...]) -> SilentTable:
    """Silent if requested; otherwise a table on a terminal, and lines in a log."""
    if quiet:
        return SilentTable(rows)
    return LiveTable(rows, sys.stderr) if console.can_draw(sys.stderr) else LineTable(rows, sys.stderr)


def shown_name(row: Row, names: dict[str, str]) -> str:
    revision = f" {row.target.revision}" if row.target.revision else ""
    return line(f"{names[row.target.id]}{revision}")[:_NAME]


def _result(row: Row) -> str:
    outcome = row.outcome
    if outcome is None:
        return row.state.value
    code = Exit(outcome.exit_code)
    known = f"{row.state.value}, " if row.state is not State.DONE else ""
    return line(f"{known}{code.name.lower().replace('_', ' ')}: {outcome.verdict}" if code else f"{known}clean")


def said(row: Row, names: dict[str, str]) -> str:
    """One target as a line."""
    outcome = row.outcome
    counts = "".join(f" {name}{number}" for name, number in zip("CHML", outcome.counts, strict=True) if number) if outcome else ""
    seconds = f", {outcome.seconds:.0f} s" if outcome and outcome.seconds and row.state is not State.UNCHANGED else ""
    return f"{shown_name(row, names)}  {_result(row)}{f',{counts}' if counts else ''}{seconds}"


def progress(rows: tuple[Row, ...]) -> str:
    """The progress of the batch, on one line."""
    states = [row.state for row in rows]
    named = [f"{number:,} {state.value}" for state in State if (number := states.count(state))]
    ended = sum(state.ended for state in states)
    spent = spent_of(rows)
    money = f" · {spent.tokens:,} tokens, {dollars(spent.micros)}" if spent.tokens else ""
    return f"{ended:,} of {counted(len(rows), 'target')} · {', '.join(named)}{money}"


def closing(done: Conducted) -> tuple[ScreenRow, ...]:
    """The closing lines."""
    made, rows = document(done.report), done.report.rows
    worst = [each for each in made.targets if each.exit_code != Exit.CLEAN]
    lines = [ScreenRow("")]
    for each in worst[:_WORST]:
        counts = each.counts
        figures = f"{counts.critical:>4} {counts.high:>4} {counts.medium:>4} {counts.low:>4}"
        text = f"{line(each.name)[:_NAME]:<{_NAME}} {figures}  {line(f'{each.result}: {each.verdict}')}"
        lines.append(ScreenRow(text[: console.width()] if sys.stdout.isatty() else text))
    if worst:
        lines.insert(1, ScreenRow(f"{'most severe first':<{_NAME}}    C    H    M    L", "heading", 13))
    if len(worst) > _WORST:
        lines.append(ScreenRow(f"and {len(worst) - _WORST:,} more in the report"))
    since = (
        f"; {made.totals.new:,} new and {made.totals.gone or 0:,} gone since the last batch"
        if made.totals.new is not None
        else ""
    )
    again = "; the same command continues" if done.exit is Exit.PAUSED and not made.ended else ""
    ending = (
        ("BATCH", f"{done.batch.id}: {progress(rows)}{since}"),
        ("EXIT", f"{int(done.exit)}: {meaning(done.exit)}{again}"),
        ("REPORT", f"{done.folder / FILE_NAMES['html']} (and .json, .csv)"),
    )
    return (*lines, *(ScreenRow(f"{name:<10}{line(text)}", "heading", len(name)) for name, text in ending))


def every(found: list[Summary], as_json: bool) -> Iterator[str]:
    """All batches, one per line."""
    if as_json:
        yield json.dumps([_facts(each) for each in found], indent=2)
        return
    if not found:
        yield "No batches yet. `counterproof batch TARGETS` starts one."
    for each in found:
        state = f"exit {int(exit_of(each.rows))}" if each.ended else "unfinished"
        yield line(f"{each.batch.id}  {state:10}  {progress(each.rows)}  {each.order.name}")


def one(found: list[Summary], name: str, as_json: bool) -> Iterator[str]:
    """The status of each target of a batch."""
    fitting = [each for each in found if each.batch.id.startswith(name)] if name != "latest" else found[:1]
    if len(fitting) != 1:
        raise UserError(f"{name} fits {counted(len(fitting), 'batch', 'batches')}", "`counterproof batches` lists them")
    each = fitting[0]
    if as_json:
        yield json.dumps({**_facts(each), "targets": [plain(row) for row in each.rows]}, indent=2)
        return
    yield progress(each.rows)
    names = distinct_names(each.order.targets)
    for row in each.rows:
        yield said(row, names)


def _facts(each: Summary) -> dict[str, Any]:
    code = int(exit_of(each.rows))
    return {"batch": each.batch.id, "list": each.order.name, "started": each.started, "ended": each.ended, "exit_code": code}
