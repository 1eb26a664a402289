"""Disks that fail: full, torn, flipped. Detected; the run stops with a clear error or is cut to its last sound row (F16)."""

import contextlib
import json
import os
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.model.errors import JournalError, StorageError
from counterproof.ports import Entry, ReplyKey
from counterproof.runtime import heads, repair
from counterproof.runtime.chain import Damage
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replies import JournalReplies
from counterproof.runtime.verification import verify

KEY = ReplyKey("agent-1/attempt-1", 1, 0, "q" * 64)
RAW = b'{"reply": "' + b"x" * 300 + b'"}'


class Still:
    """A stopped clock, so that every journal here has the same bytes except for the run's id."""

    def now(self) -> str:
        return "2026-01-01T00:00:00.000+00:00"


def written(run: RunFolder) -> list[Entry]:
    """A small journal with events, markers and a reply, closed; returns its rows."""
    with contextlib.closing(SqliteJournal.create(run, Still())) as journal:
        for number in range(6):
            journal.append("event", f"event number {number}, with some text")
            journal.append("marker", f"marker {number}")
        JournalReplies(journal).keep(KEY, RAW)
        journal.append("event", "the last one")
        return list(journal.entries())


@pytest.fixture
def run() -> RunFolder:
    return Home().create()


@pytest.fixture
def crashed(run: RunFolder) -> tuple[RunFolder, list[Entry]]:
    """A run as a killed process leaves it: most rows still in the write-ahead log."""
    with contextlib.closing(SqliteJournal.create(run, Still())) as journal:
        for number in range(6):
            journal.append("event", f"event number {number}")
        JournalReplies(journal).keep(KEY, RAW)
        journal.append("event", "the last one")
        rows = list(journal.entries())
        copy = run.path / "left"
        copy.mkdir()
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{run.journal}{suffix}", copy / f"journal.db{suffix}")
    for suffix in ("", "-wal"):
        os.replace(copy / f"journal.db{suffix}", f"{run.journal}{suffix}")
    copy.rmdir()
    return run, rows


def judged(run: RunFolder, rows: list[Entry]) -> str:
    """`detected`, `harmless` (the same rows and replies are read), or what went wrong."""
    try:
        if verify(run).damages:
            return "detected"
        with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
            same = list(journal.entries()) == rows and JournalReplies(journal).find(KEY) == RAW
    except JournalError:
        return "detected"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return "harmless" if same else "other rows were accepted"


def places(size: int, density: int, seed: int) -> list[int]:
    """Every byte of the first page's header, and a random one in each stretch of `density` bytes elsewhere."""
    chance = random.Random(seed)
    return [*range(100), *(start + chance.randrange(density) for start in range(100, size - density, density))]


@pytest.mark.rule("F16")
def test_every_flipped_bit_of_the_database_is_detected_or_harmless(run: RunFolder) -> None:
    rows = written(run)
    original = run.journal.read_bytes()
    chance, seen = random.Random(5), dict[str, int]()
    used = [at for at, byte in enumerate(original) if byte]
    for at in sorted({*places(len(original), 97, 1), *chance.sample(used, 500)}):
        flipped = bytearray(original)
        flipped[at] ^= 1 << chance.randrange(8)
        run.journal.write_bytes(flipped)
        outcome = judged(run, rows)
        seen[outcome] = seen.get(outcome, 0) + 1
        for suffix in ("-wal", "-shm"):
            Path(f"{run.journal}{suffix}").unlink(missing_ok=True)
    assert set(seen) == {"detected", "harmless"}
    assert seen["detected"] > 300


@pytest.mark.rule("F16")
def test_every_flipped_bit_of_the_write_ahead_log_is_detected_or_harmless(crashed: tuple[RunFolder, list[Entry]]) -> None:
    run, rows = crashed
    database, log = run.journal.read_bytes(), Path(f"{run.journal}-wal").read_bytes()
    chance, seen = random.Random(6), dict[str, int]()
    for at in places(len(log), 251, 2):
        flipped = bytearray(log)
        flipped[at] ^= 1 << chance.randrange(8)
        restore(run, database, bytes(flipped))
        outcome = judged(run, rows)
        seen[outcome] = seen.get(outcome, 0) + 1
    assert set(seen) <= {"detected", "harmless"}
    assert seen["detected"] > 50


def restore(run: RunFolder, database: bytes, log: bytes) -> None:
    Path(f"{run.journal}-shm").unlink(missing_ok=True)
    run.journal.write_bytes(database)
    Path(f"{run.journal}-wal").write_bytes(log)


@pytest.mark.rule("F16")
def test_a_tail_torn_off_at_any_place_is_detected(crashed: tuple[RunFolder, list[Entry]]) -> None:
    run, rows = crashed
    database, log = run.journal.read_bytes(), Path(f"{run.journal}-wal").read_bytes()
    frame = 4096 + 24
    cuts = {0, 1, 31, 32, 33, *range(frame, len(log), frame), *(at - 1 for at in range(frame, len(log), frame)), len(log) - 1}
    for at in sorted(cuts):
        restore(run, database, log[:at])
        assert judged(run, rows) == "detected", at
    restore(run, database, log)
    assert judged(run, rows) == "harmless"


@pytest.mark.rule("F16")
def test_a_truncated_database_is_detected(run: RunFolder) -> None:
    rows = written(run)
    original = run.journal.read_bytes()
    for at in (0, 1, 15, 100, 512, 4095, 4096, 8192, len(original) - 4096, len(original) - 1):
        run.journal.write_bytes(original[:at])
        assert judged(run, rows) == "detected", at


def test_every_flipped_bit_of_the_head_is_detected_or_harmless(run: RunFolder) -> None:
    rows = written(run)
    original = run.head.read_bytes()
    for at in range(len(original)):
        flipped = bytearray(original)
        flipped[at] ^= 1 << at % 8
        run.head.write_bytes(flipped)
        assert judged(run, rows) in ("detected", "harmless")


@pytest.mark.rule("F16")
@pytest.mark.parametrize("row", [1, 4, 9, 14])
def test_a_damaged_journal_is_cut_to_its_last_sound_row_when_the_user_says_so(run: RunFolder, row: int) -> None:
    rows = written(run)
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("UPDATE entries SET body = 'rotten' WHERE seq = ?", (row,))
    (damage,) = verify(run).damages
    assert repair.cut(run, damage, Still()) == row - 1
    after = verify(run)
    assert after.damages == ()
    assert after.repairs == (f"cut by the user after row {row - 1}: {damage.text}",)
    with contextlib.closing(SqliteJournal(run, Still())) as journal:
        kept = list(journal.entries())
        assert kept[:-1] == rows[: row - 1]
        assert kept[-1].kind == "repair"
        assert JournalReplies(journal).find(KEY) == (RAW if row > 13 else None)
        journal.append("event", "and it goes on")
    assert verify(run).damages == ()
    assert (run.path / "damaged-1.db").exists()


@pytest.mark.rule("F16")
def test_a_file_that_is_no_database_any_more_is_cut_to_nothing(run: RunFolder) -> None:
    written(run)
    run.journal.write_bytes(b"\0" * 5000)
    assert repair.cut(run, Damage(0, "not readable"), Still()) == 0
    assert verify(run).damages == ()


@pytest.mark.rule("F16")
def test_a_journal_without_its_tail_is_accepted_as_it_is_and_says_so(crashed: tuple[RunFolder, list[Entry]]) -> None:
    run, rows = crashed
    log = Path(f"{run.journal}-wal").read_bytes()
    restore(run, run.journal.read_bytes(), log[: len(log) - 5000])
    (damage,) = verify(run).damages
    assert "was truncated" in damage.text
    kept = repair.cut(run, damage, Still())
    assert 0 < kept < len(rows)
    with contextlib.closing(SqliteJournal(run, Still(), writable=False)) as journal:
        note = json.loads(list(journal.entries())[-1].body)
    assert note["kept"] == kept
    assert note["head_was"] == [rows[-1].seq, rows[-1].hash]


@pytest.mark.rule("F15")
@pytest.mark.parametrize("moved", [("-wal",), ("-wal", "")])
def test_a_repair_that_was_killed_is_finished_by_the_next_one(run: RunFolder, moved: tuple[str, ...]) -> None:
    """The new journal was ready, the old one half way out of its place."""
    written(run)
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        database.execute("UPDATE entries SET body = 'rotten' WHERE seq = 9")
    Path(f"{run.journal}-wal").write_bytes(b"")
    (damage,) = verify(run).damages
    script = f"""
import os
from pathlib import Path
from counterproof.runtime import repair
from counterproof.runtime.chain import Damage
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
repair.cut(Home(Path({str(run.path.parent.parent)!r})).runs()[-1], Damage(9, {damage.text!r}), WallClock())
"""
    killed = subprocess.run([sys.executable, "-c", script], env={**os.environ, "COUNTERPROOF_CRASH_AT": "mid-repair"})
    assert killed.returncode == -9
    for suffix in moved:
        os.replace(f"{run.journal}{suffix}", run.path / f"damaged-1.db{suffix}")
    assert repair.cut(run, Damage(0, "whatever is seen now"), Still()) == 8
    assert verify(run).damages == ()
    assert verify(run).repairs == (f"cut by the user after row 8: {damage.text}",)


KILLED_WRITER = """
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode=DELETE")
database.execute("PRAGMA cache_size=1")
database.execute("BEGIN IMMEDIATE")
for number in range(100, 400):
    database.execute("INSERT INTO entries VALUES (?, 't', 'event', ?, 'x')", (number, "x" * 500))
os.kill(os.getpid(), 9)
"""


@pytest.mark.rule("F16")
def test_a_write_that_was_killed_half_way_is_rolled_back_even_when_the_journal_is_only_read(run: RunFolder) -> None:
    rows = written(run)
    killed = subprocess.run([sys.executable, "-c", KILLED_WRITER, str(run.journal)])
    assert killed.returncode == -9
    assert Path(f"{run.journal}-journal").stat().st_size > 0
    assert judged(run, rows) == "harmless"


def limited(size: int) -> Callable[[], None]:
    """No file may grow past this size: what a quota or a full disk does, for one process and without a mount."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


WRITER = """
import sys
from pathlib import Path
from counterproof.model.errors import StorageError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
run = Home(Path(sys.argv[1])).create()
written = 0
try:
    journal = SqliteJournal.create(run, WallClock())
    for number in range(200):
        journal.append("event", f"{number} " + "x" * 700)
        written += 1
except StorageError as error:
    print(written, error, error.hint)
"""


@pytest.mark.rule("F16")
@pytest.mark.parametrize("size", [100, 4_096, 20_000, 60_000, 150_000])
def test_a_disk_that_takes_no_more_stops_with_a_clear_error_and_loses_nothing(home: Path, size: int) -> None:
    result = subprocess.run(
        [sys.executable, "-c", WRITER, str(home)], capture_output=True, text=True, preexec_fn=limited(size), check=False
    )
    assert result.returncode == 0, result.stderr
    count, text = result.stdout.split(" ", 1)
    assert "could not be" in text
    run = Home(home).runs()[-1]
    if int(count) == 0:
        with pytest.raises(JournalError):
            verify(run)
        return
    assert verify(run).damages == ()
    with contextlib.closing(SqliteJournal(run, WallClock())) as journal:
        assert [entry.body.split()[0] for entry in journal.entries()] == [str(number) for number in range(int(count))]
        journal.append("event", "there is room again")
    assert verify(run).damages == ()


@pytest.mark.rule("F16")
def test_a_full_disk_is_distinguished_from_a_damaged_journal(run: RunFolder) -> None:
    """SQLite's own limit on pages raises exactly the error of a full disk."""
    with contextlib.closing(SqliteJournal.create(run, WallClock())) as journal:
        journal.append("event", "before")
        journal._database.execute("PRAGMA max_page_count = 6")
        with pytest.raises(StorageError, match="full") as raised:
            journal.append("event", *(f"{number}" + "x" * 2000 for number in range(100)))
        assert f"resume {run.id}" in raised.value.hint
        journal._database.execute("PRAGMA max_page_count = 1000000")
        journal.append("event", "after")
        assert [entry.body for entry in journal.entries()][-1] == "after"
    assert verify(run).damages == ()


def test_the_head_is_read_only_if_it_is_exactly_one(run: RunFolder) -> None:
    heads.announce(run.head, (3, "a" * 64), (4, "b" * 64))
    assert heads.read(run.head) == heads.Head((3, "a" * 64), (4, "b" * 64))
    run.head.write_bytes(run.head.read_bytes() + b"more")
    assert heads.read(run.head) is None
