"""What is shown of a batch while it runs: a line for each end in a log, a table on a terminal, and nothing that acts."""

import io
from dataclasses import replace

import pytest
from rich.console import Console

from counterproof.cli.batch_table import LineTable, LiveTable, progress, said
from counterproof.model.batch import Outcome, Row, Spent, State, Target, distinct_names

HOSTILE = "\x1b]0;owned\x07[bold]red[/bold]\u202e"


def rows() -> tuple[Row, ...]:
    return tuple(Row(place, Target(name)) for place, name in enumerate(("/one/app", "/two/app", f"/three/{HOSTILE}")))


def done(row: Row, *counts: int, code: int = 1) -> Row:
    return replace(
        row, state=State.DONE, outcome=Outcome(code, f"verdict {HOSTILE}", counts, folder="f", seconds=3.0, cost=Spent(7))
    )


def test_a_log_has_one_line_for_each_target_that_ended() -> None:
    stream, all_rows = io.StringIO(), rows()
    table = LineTable(all_rows, stream)
    for row in all_rows:
        table.tell(replace(row, state=State.RUNNING))
        table.tell(replace(row, state=State.RUNNING, note="reading"))
        table.tell(done(row, 1, 0, 2, 0))
    lines = stream.getvalue().splitlines()
    assert [line.split("  ")[0] for line in lines] == ["1/3", "2/3", "3/3"]
    assert "one/app" in lines[0]
    assert "C1 M2" in lines[0]
    assert "\x1b" not in stream.getvalue()
    assert "\u202e" not in stream.getvalue()


def test_a_terminal_shows_what_runs_and_what_ended_last(monkeypatch: pytest.MonkeyPatch) -> None:
    all_rows = rows()
    table = LiveTable(all_rows, io.StringIO())
    table.tell(done(all_rows[0], 1, 0, 0, 0))
    table.tell(replace(all_rows[2], state=State.RUNNING, note=f"phase {HOSTILE}"))
    drawn = io.StringIO()
    Console(file=drawn, width=120, no_color=True).print(table._drawn())  # pyright: ignore[reportPrivateUsage]
    text = drawn.getvalue()
    assert "1 of 3 targets · 1 waiting, 1 running, 1 done · 7 tokens" in text
    assert text.index("phase") < text.index("one/app")
    assert "[bold]" in text  # shown, not read as markup
    assert "\x1b" not in text


def test_targets_of_one_name_are_distinguished() -> None:
    targets = tuple(Target(each) for each in ("/one/app", "/two/app", "/two/lib", "https://h/team/x.git", "git@h:other/x.git"))
    assert list(distinct_names(targets).values()) == ["one/app", "two/app", "lib", "team/x", "other/x"]


def test_words_for_each_state() -> None:
    row = rows()[0]
    names = distinct_names((row.target,))
    assert said(row, names) == "app  waiting"
    assert said(replace(done(row, 0, 0, 0, 0, code=0), state=State.UNCHANGED), names) == "app  unchanged, clean"
    failed = replace(row, state=State.FAILED, outcome=Outcome(3, "the fetch failed"))
    assert said(failed, names) == "app  failed, incomplete: the fetch failed"
    assert progress((row, failed)) == "1 of 2 targets · 1 waiting, 1 failed"
