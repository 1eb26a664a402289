"""What each role may do in the database, as a whole: nothing that is not named here (X18)."""

import contextlib

import pytest

from counterproof.fleet.queue import Queue
from counterproof.model.errors import UserError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import LeaseLost, PostgresJournal
from fleet.test_queue import submitted, taken

_TABLES = """
SELECT relname, privilege FROM pg_class, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege
WHERE relnamespace = 'counterproof'::regnamespace AND relkind IN ('r', 'v', 'm') AND has_table_privilege(%s, oid, privilege)"""
_COLUMNS = """
SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
WHERE relnamespace = 'counterproof'::regnamespace AND relkind = 'r' AND attnum > 0
    AND has_column_privilege(%s, pg_class.oid, attname, 'SELECT') AND NOT has_table_privilege(%s, pg_class.oid, 'SELECT')"""
_FUNCTIONS = """
SELECT proname FROM pg_proc WHERE pronamespace = 'counterproof'::regnamespace AND has_function_privilege(%s, oid, 'EXECUTE')"""
_LARGE = """
SELECT has_schema_privilege(%s, 'counterproof', 'CREATE'), has_database_privilege(%s, current_database(), 'CREATE'),
    (SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolcanlogin FROM pg_roles WHERE rolname = %s)"""

WORKER = {
    ("fleet_key", "SELECT"), ("fleet_state", "SELECT"), "append", "settle", "reserve", "depart",
    "take_next", "beat", "hand_in", "leased_head", "leased_entries", "leased_end", "leased_reply", "leased_reply_rows",
}  # fmt: skip
READER = {(table, "SELECT") for table in ("runs", "entries", "replies", "purses", "holds", "fleet_state", "files", "quarantine")}
OPERATOR = READER | {("fleet_key", "SELECT"), "set_limits", "enqueue", "cancel", "retry", "drain", "accept", "reject", "release"}


@pytest.mark.rule("X18")
@pytest.mark.parametrize(
    ("role", "rights"),
    [("counterproof_worker", WORKER), ("counterproof_operator", OPERATOR), ("counterproof_reader", READER), ("stranger", set())],
)
def test_a_role_has_the_rights_that_it_needs_and_no_other(fleet, role: str, rights: set[object]) -> None:
    with Database(fleet.owner) as owner:
        found: set[object] = {*owner.rows(_TABLES, role), *owner.rows(_COLUMNS, role, role)}
        found |= {name for (name,) in owner.rows(_FUNCTIONS, role)}
        large = owner.rows(_LARGE, role, role, role)[0]
    assert found == rights
    assert large == (False, False, role == "stranger")


@pytest.mark.rule("X18")
@pytest.mark.parametrize(
    "statement",
    [
        "SELECT body FROM counterproof.entries", "SELECT raw FROM counterproof.replies", "SELECT body FROM counterproof.files",
        "SELECT job FROM counterproof.runs", "SELECT epoch FROM counterproof.runs", "SELECT run FROM counterproof.runs",
        "SELECT limit_tokens FROM counterproof.purses", "SELECT why FROM counterproof.quarantine",
        "SELECT counterproof.accept('r', '', '', '{}', '{}')", "SELECT counterproof.reject('r', 0, '')",
        "SELECT counterproof.release('some_worker')", "SELECT counterproof.next_epoch(1)",
        "DROP TABLE counterproof.entries", "DROP SCHEMA counterproof CASCADE", "TRUNCATE counterproof.files",
        "ALTER TABLE counterproof.entries DISABLE TRIGGER ALL", "SET ROLE counterproof_operator",
        "SELECT counterproof.prune(now(), 10)", "SELECT counterproof.cancel('all')", "SELECT counterproof.close_holds('r')",
        "SELECT counterproof.set_limits('fleet', NULL, NULL, NULL)", "SELECT counterproof.drain(true)",
    ],
)  # fmt: skip
def test_a_worker_can_drop_nothing_and_read_nothing_that_is_not_its_own(fleet, statement: str) -> None:
    with Database(fleet.worker) as worker, pytest.raises(UserError, match="refuses this user"):
        worker.rows(statement)


@pytest.mark.rule("X18")
def test_a_journal_is_read_under_its_lease_and_no_longer(fleet) -> None:
    with contextlib.ExitStack() as open_ones:
        opened = [open_ones.enter_context(Database(each)) for each in (fleet.worker, fleet.operator)]
        worker, operator = Queue(opened[0]), Queue(opened[1])
        submitted(operator, 1)
        mine = taken(worker)
        run = Home().adopt(mine.lease.run)
        journal = PostgresJournal(opened[0], run, WallClock(), mine.lease)
        journal.append("event", "code of others")
        row = journal.keep("{}", b"raw")
        assert [entry.body for entry in journal.entries()] == ["code of others", "{}"]
        assert (journal.raw(row), journal.raw_rows(), journal.raw(row - 1)) == (b"raw", (row,), None)
        assert worker.hand_in(mine.lease, "unverified", 0, "")
        for late in (
            lambda: journal.append("event", "after the end"),
            lambda: list(journal.entries()),
            journal.raw_rows,
            lambda: PostgresJournal(opened[0], run, WallClock(), mine.lease),
        ):
            with pytest.raises(LeaseLost):
                late()
        assert journal.raw(row) is None
