"""The journal: chained, private, synced; one writer; tampering shows (R33, X18)."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator

import pytest

from counterproof.model.errors import JournalError, StorageError
from counterproof.ports import ReplyKey
from counterproof.runtime import heads
from counterproof.runtime.chain import chained, genesis
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import NeverStarted, OtherFormat, SqliteJournal
from counterproof.runtime.replies import JournalReplies
from counterproof.runtime.verification import verify


@pytest.fixture
def run() -> RunFolder:
    return Home().create()


@pytest.fixture
def journal(run: RunFolder) -> Iterator[SqliteJournal]:
    with contextlib.closing(SqliteJournal.create(run, WallClock())) as made:
        made.append("event", "one", "two")
        made.append("marker", "three")
        made.append("event", "four")
        JournalReplies(made).keep(ReplyKey("task", 1, 0, "digest"), b"raw bytes")
        yield made


def problems(run: RunFolder, noted: str = "") -> str:
    return "; ".join(damage.text for damage in verify(run, noted).damages)


def test_what_was_appended_is_read_back_in_order(run: RunFolder, journal: SqliteJournal) -> None:
    rows = [(entry.seq, entry.kind, entry.body) for entry in journal.entries()]
    assert rows[:4] == [(1, "event", "one"), (2, "event", "two"), (3, "marker", "three"), (4, "event", "four")]
    assert rows[4][:2] == (5, "reply")
    assert problems(run) == ""
    assert verify(run).whole == 5


def test_folders_and_files_are_readable_by_their_owner_alone(run: RunFolder, journal: SqliteJournal) -> None:
    assert stat.S_IMODE(os.stat(run.path).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(run.path.parent).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(run.journal).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(run.head).st_mode) == 0o600
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
        (edit("UPDATE entries SET body = x'00' WHERE seq = 3"), "wrong type"),
        (edit("DELETE FROM entries WHERE seq = 2"), "row 2 is missing"),
        (edit("DELETE FROM entries WHERE seq = 5"), "raw reply that no row"),
        (edit("DELETE FROM entries WHERE seq >= 4"), "raw reply that no row"),
        (edit("UPDATE entries SET seq = 9 WHERE seq = 5"), "row 5 is missing"),
        (edit("UPDATE entries SET body = CASE seq WHEN 1 THEN 'two' ELSE 'one' END WHERE seq < 3"), "row 1 was changed"),
        (edit("INSERT INTO entries VALUES (6, 't', 'event', 'extra', 'x')"), "row 6 was changed"),
        (edit("UPDATE replies SET raw = x'00'"), "raw reply of row 5 was changed"),
        (edit("DELETE FROM replies"), "raw reply of row 5 is missing"),
        (edit("INSERT INTO replies VALUES (2, x'00')"), ""),
    ],
    ids=[
        "edit", "time", "kind", "type", "remove", "cut with reply", "cut more", "renumber", "reorder", "append", "reply edited",
        "reply removed", "reply of no reply",
    ],
)  # fmt: skip
def test_tampering_shows(
    run: RunFolder, journal: SqliteJournal, change: Callable[[sqlite3.Connection], object], says: str
) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        change(database)
    assert problems(run)
    assert says in problems(run)


@pytest.mark.rule("X18")
@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4])
def test_a_cut_journal_shows_whatever_is_left_of_it(run: RunFolder, journal: SqliteJournal, kept: int) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("DELETE FROM entries WHERE seq > ?", (kept,))
        database.execute("DELETE FROM replies WHERE seq > ?", (kept,))
    assert f"was cut: its head was once row 5, the last row now is {kept}" in problems(run)


@pytest.mark.rule("X18")
def test_a_whole_rewritten_chain_shows_against_the_head_outside(run: RunFolder, journal: SqliteJournal) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        rewritten_chain(database, run.id)
    assert "replaced" in problems(run)


@pytest.mark.rule("X18")
def test_one_properly_chained_row_behind_the_heads_back_shows(run: RunFolder, journal: SqliteJournal) -> None:
    seq, before = journal.head
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        added = chained(before, seq + 1, "t", "event", "forged")
        database.execute("INSERT INTO entries VALUES (?, 't', 'event', 'forged', ?)", (seq + 1, added))
    assert "behind the head's back" in problems(run)


@pytest.mark.rule("X18")
def test_whoever_forges_the_head_too_is_betrayed_by_a_head_noted_elsewhere(run: RunFolder, journal: SqliteJournal) -> None:
    noted = journal.head[1]
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        rewritten_chain(database, run.id)
        (last,) = database.execute("SELECT hash FROM entries WHERE seq = 5").fetchone()
    heads.confirm(run.head, (5, last))
    assert problems(run) == ""
    assert "head that you noted" in problems(run, noted)


@pytest.mark.rule("X18")
@pytest.mark.parametrize("text", [None, "", "5 x\n", "confirmed 000000000005 " + "0" * 64 + "\n", "\0" * 200])
def test_a_lost_or_broken_head_shows(run: RunFolder, journal: SqliteJournal, text: str | None) -> None:
    run.head.unlink()
    if text is not None:
        run.head.write_text(text)
    assert "head outside the journal is missing" in problems(run)


@pytest.mark.rule("X18")
def test_the_receipt_must_name_a_head_of_this_journal(run: RunFolder, journal: SqliteJournal) -> None:
    seq, head = journal.head
    receipt = run.path / "receipt.json"
    receipt.write_text(f'{{"journal": {{"entries": {seq}, "head": "{head}"}}}}')
    assert problems(run) == ""
    receipt.write_text(f'{{"journal": {{"entries": {seq}, "head": "{"0" * 64}"}}}}')
    assert "receipt names a head" in problems(run)
    receipt.write_text("[]")
    assert "receipt is not readable" in problems(run)


@pytest.mark.rule("X18")
def test_another_journal_in_its_place_shows(run: RunFolder, journal: SqliteJournal) -> None:
    """Same bodies, same times even, but made anew: the head outside does not know it."""
    journal.close()
    for suffix in ("", "-wal", "-shm"):
        run.journal.with_name(run.journal.name + suffix).unlink(missing_ok=True)
    before = run.head.read_bytes()
    with contextlib.closing(SqliteJournal.create(run, WallClock())) as other:
        for number in range(5):
            other.append("event", f"{number}")
    run.head.write_bytes(before)
    assert "replaced" in problems(run)


@pytest.mark.rule("X18", "F15")
def test_a_second_writer_is_refused_and_nothing_interleaves(run: RunFolder, journal: SqliteJournal) -> None:
    """Two processes that both think they drive the run, as if the lock had failed."""
    with contextlib.closing(SqliteJournal(run, WallClock())) as second:
        journal.append("event", "first was quicker")
        with pytest.raises(JournalError, match="another process wrote"):
            second.append("event", "second is late")
        journal.append("event", "first goes on")
    assert problems(run) == ""
    assert [entry.body for entry in journal.entries()][5:] == ["first was quicker", "first goes on"]


@pytest.mark.rule("X18", "F15")
def test_a_second_writer_after_a_cut_is_refused_too(run: RunFolder, journal: SqliteJournal) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("DELETE FROM entries WHERE seq > 3")
    with pytest.raises(JournalError, match="another process wrote"):
        journal.append("event", "into the gap")


def test_a_crash_between_announcement_and_commit_or_after_it_is_no_tampering(run: RunFolder, journal: SqliteJournal) -> None:
    seq, before = journal.head
    heads.announce(run.head, (seq, before), (seq + 2, "f" * 64))
    assert problems(run) == ""
    journal.append("event", "six", "seven")
    heads.announce(run.head, (seq, before), journal.head)
    assert problems(run) == ""


@pytest.mark.rule("F17")
def test_a_clock_that_jumps_back_harms_nothing(run: RunFolder) -> None:
    class Jumping:
        times = iter(["2030-01-01", "1970-01-01", "2030-01-01", "1999-12-31"])

        def now(self) -> str:
            return next(self.times)

    with contextlib.closing(SqliteJournal.create(run, Jumping())) as journal:
        for text in ("a", "b", "c", "d"):
            journal.append("event", text)
        assert [entry.body for entry in journal.entries()] == ["a", "b", "c", "d"]
    assert problems(run) == ""


@pytest.mark.rule("X18")
def test_a_journal_with_anything_but_its_own_tables_is_not_used(run: RunFolder, journal: SqliteJournal) -> None:
    """A trigger would run inside our own statements."""
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("CREATE TRIGGER eraser AFTER INSERT ON entries BEGIN DELETE FROM replies; END")
    with pytest.raises(JournalError, match="tables are not those of a journal"):
        SqliteJournal(run, WallClock())


def test_a_journal_of_another_format_is_named_as_such(run: RunFolder, journal: SqliteJournal) -> None:
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("UPDATE meta SET value = '1'")
    with pytest.raises(OtherFormat, match="format 1"):
        SqliteJournal(run, WallClock())


def test_a_damaged_file_is_a_clear_error(run: RunFolder, journal: SqliteJournal) -> None:
    journal.close()
    for name in ("journal.db", "journal.db-wal"):
        if (run.path / name).exists():
            (run.path / name).write_bytes(b"not a database at all")
    with pytest.raises(JournalError, match="not readable"):
        SqliteJournal(run, WallClock())


def test_a_run_that_died_at_birth_never_started(run: RunFolder) -> None:
    with pytest.raises(NeverStarted):
        SqliteJournal(run, WallClock())
    run.journal.touch()
    with pytest.raises(NeverStarted):
        SqliteJournal(run, WallClock())


@pytest.mark.rule("X18")
def test_a_journal_that_was_removed_or_emptied_is_not_taken_for_a_run_that_never_started(
    run: RunFolder, journal: SqliteJournal
) -> None:
    journal.close()
    run.journal.unlink()
    with pytest.raises(JournalError, match="no journal any more"):
        verify(run)
    run.journal.touch()
    with pytest.raises(JournalError, match="no journal any more"):
        verify(run)


def test_a_head_that_cannot_be_written_stops_the_append(run: RunFolder, journal: SqliteJournal) -> None:
    run.head.unlink()
    run.head.symlink_to("/dev/full")
    with pytest.raises(StorageError, match="No space left"):
        journal.append("event", "five")
    assert "five" not in [entry.body for entry in journal.entries()]
