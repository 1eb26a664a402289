"""What a journal in PostgreSQL adds: a lease that fences, rights, the schema's steps, a lost connection (F15, F16, X18)."""

import contextlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import postgres
from counterproof.model.errors import JournalError, StorageError, UserError
from counterproof.ports import ReplyKey
from counterproof.runtime.replies import JournalReplies
from runtime.places import PostgresPlace


@pytest.fixture
def place() -> Iterator[PostgresPlace]:
    with contextlib.closing(PostgresPlace()) as kept:
        yield kept


def bodies(place: PostgresPlace) -> list[str]:
    return [entry.body for entry in place.open(writable=False).entries()]


@pytest.mark.rule("F15")
def test_a_worker_that_was_thought_dead_can_write_nothing_more(place: PostgresPlace) -> None:
    from counterproof.runtime.postgres.journal import LeaseLost

    first = place.create()
    first.append("event", "one")
    place.expire()
    first.append("event", "two")  # its lease ran out, and nobody has taken it: nothing is harmed
    second = place.open()
    for late in (lambda: first.append("event", "late"), lambda: JournalReplies(first).keep(ReplyKey("t", 1, 0, "q"), b"late")):
        with pytest.raises(LeaseLost, match="another worker took over"):
            late()
    second.append("event", "three")
    assert bodies(place) == ["one", "two", "three"]
    assert place.verdict().damages == ()


@pytest.mark.rule("F15")
def test_only_one_of_two_workers_gets_a_lease(place: PostgresPlace) -> None:
    mine = postgres.take_lease(place.database, place.run.id, 0)
    other = postgres.take_lease(place.database, place.run.id)
    assert postgres.take_lease(place.database, place.run.id) is None
    assert other.epoch >> 40 == (mine.epoch >> 40) + 1
    assert (other.epoch ^ mine.epoch) & ((1 << 40) - 1)


@pytest.mark.rule("X18")
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE counterproof.entries SET body = 'forged'",
        "DELETE FROM counterproof.entries",
        "TRUNCATE counterproof.entries CASCADE",
        "INSERT INTO counterproof.entries VALUES (1, 't', 'event', 'forged', 'x', 'r')",
        "UPDATE counterproof.replies SET raw = 'forged'",
        "UPDATE counterproof.runs SET epoch = 0",
        "DELETE FROM counterproof.runs",
        "INSERT INTO counterproof.migrations VALUES (99, '')",
        "DROP FUNCTION counterproof.append",
        "CREATE TABLE counterproof.mine (x int)",
    ],
)
def test_a_worker_has_no_right_to_change_what_was_written(place: PostgresPlace, statement: str) -> None:
    with contextlib.closing(place.create()) as journal:
        journal.append("event", "one")
        with pytest.raises((UserError, StorageError), match=r"refuses this user|refused a statement"):
            place.database.rows(statement)
    assert bodies(place) == ["one"]


@pytest.mark.rule("X18")
@pytest.mark.parametrize("table", ["entries", "replies"])
@pytest.mark.parametrize(
    "statement", ["UPDATE counterproof.{} SET seq = 7", "DELETE FROM counterproof.{}", "TRUNCATE counterproof.{} CASCADE"]
)
def test_not_even_the_owner_changes_rows_by_mistake(place: PostgresPlace, table: str, statement: str) -> None:
    import psycopg

    with contextlib.closing(place.create()) as journal:
        JournalReplies(journal).keep(ReplyKey("t", 1, 0, "q"), b"raw")
    with psycopg.connect(postgres.server().url()) as owner, pytest.raises(psycopg.Error, match="only ever appended"):
        owner.execute(statement.format(table))
    assert place.verdict().whole == 1


def test_a_stranger_reads_nothing(place: PostgresPlace) -> None:
    from counterproof.runtime.postgres.database import Database

    with Database(postgres.server().url(postgres.STRANGER)) as database, pytest.raises(UserError, match="refuses this user"):
        database.rows("SELECT * FROM counterproof.entries")


@pytest.mark.rule("F16")
def test_an_append_whose_answer_was_lost_is_there_once(place: PostgresPlace) -> None:
    from counterproof.runtime.postgres.database import Database

    wire = postgres.Wire(postgres.server())
    place.database.close()
    place.database = Database(wire.url(postgres.WORKER), patience=20)
    try:
        with contextlib.closing(place.create()) as journal:
            store = JournalReplies(journal)
            for number in range(4):
                wire.lose_next_answer()
                journal.append("event", f"a{number}", f"b{number}")
                wire.lose_next_answer()
                store.keep(ReplyKey("t", 1, number, "q"), b"raw")
            assert wire.answers_lost == 8
            assert len(list(journal.entries())) == 12
        assert place.verdict().damages == ()
    finally:
        place.database.close()
        wire.close()


@pytest.mark.rule("F16")
def test_a_database_that_stays_away_stops_the_run_and_one_that_comes_back_goes_on(place: PostgresPlace) -> None:
    from counterproof.runtime.postgres.database import Database

    server = postgres.Server()
    try:
        postgres.prepare(server.url())
        place.database.close()
        place.database = Database(server.url(), patience=0.2)
        journal = place.create()
        journal.append("event", "before")
        server.stop()
        with pytest.raises(StorageError, match="does not answer"):
            journal.append("event", "away")
        server.start()
        place.database.close()
        place.database = Database(server.url(), patience=30)
        again = place.open()
        assert [entry.body for entry in again.entries()] == ["before"]
        again.append("event", "after")
        place.reading.close()
        place.reading = place.database
        assert place.verdict().damages == ()
    finally:
        place.database.close()
        server.remove()


def test_a_network_that_is_gone_is_noticed_by_the_connection_itself(place: PostgresPlace) -> None:
    from counterproof.runtime.postgres.database import Database

    wire = postgres.Wire(postgres.server())
    for more, wanted in (("", 20), ("?keepalives_idle=7", 7)):
        with Database(wire.url(postgres.WORKER) + more) as database:
            database.rows("SELECT 1")
            assert database._connection
            line = socket.socket(fileno=os.dup(database._connection.fileno()))
            with line:
                assert line.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
                assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == wanted
                assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000
    wire.close()


@pytest.mark.rule("F16")
@pytest.mark.parametrize("held", [False, True])
def test_a_short_network_cut_is_survived_and_a_long_one_fences_the_worker(place: PostgresPlace, held: bool) -> None:
    from counterproof.runtime.postgres.database import Database
    from counterproof.runtime.postgres.journal import LeaseLost

    wire = postgres.Wire(postgres.server())
    place.database.close()
    place.database = Database(wire.url(postgres.WORKER), patience=60)
    disturb, cut_off = wire.hold if held else wire.cut, place.database
    journal = place.create()
    journal.append("event", "one")
    disturb()
    threading.Timer(0.5, wire.restore).start()
    journal.append("event", "two")
    disturb()
    late = threading.Thread(target=lambda: told.append(_refused(lambda: journal.append("event", "late"))))
    told: list[type[Exception] | None] = []
    late.start()
    place.expire()
    place.database = Database(postgres.server().url(postgres.WORKER))
    place.open().append("event", "three")
    wire.restore()
    late.join()
    cut_off.close()
    wire.close()
    assert told == [LeaseLost]
    assert bodies(place) == ["one", "two", "three"]
    assert place.verdict().damages == ()


def _refused(call: Callable[[], object]) -> type[Exception] | None:
    try:
        call()
    except Exception as error:
        return type(error)
    return None


def test_a_server_ends_with_the_tests_that_started_it_however_they_end() -> None:
    code = "import postgres, time; server = postgres.Server(); print(server.folder, flush=True); time.sleep(600)"
    words = [sys.executable, "-c", code]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=Path(postgres.__file__).parent) as process:
        assert process.stdout
        folder = Path(process.stdout.readline().strip())
        assert (folder / "postmaster.pid").is_file()
        process.kill()
    until = time.monotonic() + 60
    while folder.exists() and time.monotonic() < until:
        time.sleep(0.1)
    assert not folder.exists()


def test_the_schema_goes_forward_step_by_step_and_only_once() -> None:
    import psycopg

    from counterproof.runtime.postgres.migrations import migrate, steps

    url = postgres.new_database("steps")
    known = tuple(step.version for step in steps())
    assert known == tuple(range(1, len(known) + 1))
    for version in known:
        assert migrate(url, version) == (version,)
    assert migrate(url) == ()
    with psycopg.connect(url) as owner:
        owner.execute("UPDATE counterproof.migrations SET digest = 'another' WHERE version = 1")
    with pytest.raises(UserError, match=r"step 1 .* is not that of this version"):
        migrate(url)
    with psycopg.connect(url) as owner:
        owner.execute("INSERT INTO counterproof.migrations VALUES (4000, 'of a later version')")
        owner.execute("DELETE FROM counterproof.migrations WHERE version = 1")
    with pytest.raises(UserError, match="step 4000"):
        migrate(url)


def test_a_database_without_schema_or_run_is_said_to_be_one(place: PostgresPlace) -> None:
    from counterproof.runtime.clock import WallClock
    from counterproof.runtime.home import Home
    from counterproof.runtime.postgres.database import Database
    from counterproof.runtime.postgres.journal import PostgresJournal

    with Database(postgres.new_database("bare")) as database, pytest.raises(UserError, match="no schema"):
        database.rows("SELECT counterproof.leased_head('r', 1)")
    with pytest.raises(JournalError, match="has no run"):
        PostgresJournal(place.reading, Home().create(), WallClock())
