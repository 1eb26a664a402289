"""The journal: chained, private, synced; tampering shows (R33, X18)."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator

import pytest

from counterproof.model.errors import JournalError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal, chained, genesis, verify


class Ticking:
    """A clock that never stands still."""

    def __init__(self) -> None:
        self.ticks = 0

    def now(self) -> str:
        self.ticks += 1
        return f"t{self.ticks:06}"


@pytest.fixture
def run() -> RunFolder:
    return Home().create()


@pytest.fixture
def journal(run: RunFolder) -> Iterator[SqliteJournal]:
    with contextlib.closing(SqliteJournal.create(run, Ticking())) as made:
        made.append("event", "one", "two")
        made.append("marker", "three")
        made.append("event", "four")
        yield made


def problems(run: RunFolder) -> str:
    with contextlib.closing(SqliteJournal(run, WallClock())) as opened:
        return "; ".join(damage.text for damage in verify(run, opened))


def test_what_was_appended_is_read_back_in_order(run: RunFolder, journal: SqliteJournal) -> None:
    assert [(entry.seq, entry.kind, entry.body) for entry in journal.entries()] == [
        (1, "event", "one"),
        (2, "event", "two"),
        (3, "marker", "three"),
        (4, "event", "four"),
    ]
    assert problems(run) == ""


def test_folders_and_files_are_readable_by_their_owner_alone(run: RunFolder, journal: SqliteJournal) -> None:
    assert stat.S_IMODE(os.stat(run.path).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(run.path.parent).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(run.journal).st_mode) == 0o600
    assert run.size() > 0


def edit(text: str, *values: object) -> Callable[[sqlite3.Connection], object]:
    return lambda database: database.execute(text, values)


def rewritten_chain(database: sqlite3.Connection, run_id: str) -> None:
    """A clever forger recomputes every hash after the change."""
    database.execute("UPDATE entries SET body = 'forged' WHERE seq = 2")
    before = genesis(run_id)
    for seq, at, kind, body in database.execute("SELECT seq, at, kind, body FROM entries ORDER BY seq").fetchall():
        before = chained(before, seq, at, kind, body)
        database.execute("UPDATE entries SET hash = ? WHERE seq = ?", (before, seq))


@pytest.mark.rule("R33", "X18")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (edit("UPDATE entries SET body = 'forged' WHERE seq = 2"), "row 2 was changed"),
        (edit("UPDATE entries SET at = 'never' WHERE seq = 1"), "row 1 was changed"),
        (edit("UPDATE entries SET kind = 'event' WHERE seq = 3"), "row 3 was changed"),
        (edit("DELETE FROM entries WHERE seq = 2"), "row 2 is missing"),
        (edit("DELETE FROM entries WHERE seq = 4"), "the journal was cut"),
        (edit("DELETE FROM entries"), "the journal was cut"),
        (edit("UPDATE entries SET seq = 9 WHERE seq = 4"), "row 4 is missing"),
        (edit("UPDATE entries SET body = CASE seq WHEN 1 THEN 'two' ELSE 'one' END WHERE seq < 3"), "row 1 was changed"),
        (edit("INSERT INTO entries VALUES (5, 't', 'event', 'extra', 'x')"), "row 5 was changed"),
    ],
    ids=["edit", "time", "kind", "remove", "cut", "empty", "renumber", "reorder", "append"],
)
def test_tampering_shows(
    run: RunFolder, journal: SqliteJournal, change: Callable[[sqlite3.Connection], object], says: str
) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        change(database)
    assert says in problems(run)


@pytest.mark.rule("X18")
def test_a_whole_rewritten_chain_shows_against_the_head_outside(run: RunFolder, journal: SqliteJournal) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        rewritten_chain(database, run.id)
    assert "replaced" in problems(run)


@pytest.mark.rule("X18")
def test_properly_chained_rows_behind_the_heads_back_show(run: RunFolder, journal: SqliteJournal) -> None:
    seq, before = journal.head
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        for number, at in ((seq + 1, "t8"), (seq + 2, "t9")):
            before = chained(before, number, at, "event", "forged")
            database.execute("INSERT INTO entries VALUES (?, ?, 'event', 'forged', ?)", (number, at, before))
    assert "behind the head's back" in problems(run)


@pytest.mark.rule("X18")
def test_a_lost_head_shows(run: RunFolder, journal: SqliteJournal) -> None:
    run.head.unlink()
    assert "head outside the journal is missing" in problems(run)


def test_a_head_that_a_crash_left_one_append_behind_is_no_tampering(run: RunFolder, journal: SqliteJournal) -> None:
    before = run.head.read_text()
    journal.append("event", "five", "six")
    run.head.write_text(before)
    assert problems(run) == ""


def test_a_damaged_file_is_a_clear_error(run: RunFolder, journal: SqliteJournal) -> None:
    journal.close()
    for name in ("journal.db", "journal.db-wal"):
        if (run.path / name).exists():
            (run.path / name).write_bytes(b"not a database at all")
    with pytest.raises(JournalError, match="not readable"):
        SqliteJournal(run, WallClock())


def test_no_journal_is_a_clear_error(run: RunFolder) -> None:
    with pytest.raises(JournalError, match="no journal"):
        SqliteJournal(run, WallClock())
