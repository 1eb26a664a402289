"""What only a journal in a file has: modes, a head in a file of its own, damage to the file itself (X18)."""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator

import pytest

from counterproof.model.errors import JournalError, StorageError
from counterproof.ports import ReplyKey
from counterproof.runtime import heads
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


def test_folders_and_files_are_readable_by_their_owner_alone(run: RunFolder, journal: SqliteJournal) -> None:
    assert stat.S_IMODE(os.stat(run.path).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(run.path.parent).st_mode) == 0o700
    assert stat.S_IMODE(os.stat(run.journal).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(run.head).st_mode) == 0o600
    assert run.size() > 0


@pytest.mark.rule("X18")
@pytest.mark.parametrize("text", [None, "", "5 x\n", "confirmed 000000000005 " + "0" * 64 + "\n", "\0" * 200])
def test_a_lost_or_broken_head_shows(run: RunFolder, journal: SqliteJournal, text: str | None) -> None:
    run.head.unlink()
    if text is not None:
        run.head.write_text(text)
    assert "separate head file of the journal is missing" in problems(run)


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


def test_a_crash_between_announcement_and_commit_or_after_it_is_no_tampering(run: RunFolder, journal: SqliteJournal) -> None:
    seq, before = journal.head
    heads.announce(run.head, (seq, before), (seq + 2, "f" * 64))
    assert problems(run) == ""
    journal.append("event", "six", "seven")
    heads.announce(run.head, (seq, before), journal.head)
    assert problems(run) == ""


@pytest.mark.rule("X18")
def test_a_journal_with_anything_but_its_own_tables_is_not_used(run: RunFolder, journal: SqliteJournal) -> None:
    """A trigger would run inside our own statements."""
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("CREATE TRIGGER eraser AFTER INSERT ON entries BEGIN DELETE FROM replies; END")
    with pytest.raises(JournalError, match="tables are not a journal's"):
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
    with pytest.raises(JournalError, match="has lost its journal"):
        verify(run)
    run.journal.touch()
    with pytest.raises(JournalError, match="has lost its journal"):
        verify(run)


def test_a_head_that_cannot_be_written_stops_the_append(run: RunFolder, journal: SqliteJournal) -> None:
    run.head.unlink()
    run.head.symlink_to("/dev/full")
    with pytest.raises(StorageError, match="No space left"):
        journal.append("event", "five")
    assert "five" not in [entry.body for entry in journal.entries()]
