"""The queue: each run goes to one worker, dead workers' runs to the next, cancelled ones to none (F15)."""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from counterproof.fleet.queue import Queue, Taken
from counterproof.model.batch import Job, Order, Outcome, Row, Target
from counterproof.model.budget import Limit
from counterproof.model.errors import UserError
from counterproof.protocols.guard.budget import Cost
from counterproof.runtime.chain import genesis
from counterproof.runtime.postgres.budget import PostgresBudget
from counterproof.runtime.postgres.database import Database

TARGETS = tuple(Target(f"/repositories/{number}") for number in range(12))
ORDER = Order("20300101-000000-000001", "list", TARGETS)
DONE = Outcome(0, "clean", folder="targets/x", codes=(0,))
MOST_DEATHS = 20


@pytest.fixture
def worker(fleet) -> Iterator[Queue]:
    with contextlib.closing(Database(fleet.worker)) as database:
        yield Queue(database)


@pytest.fixture
def operator(fleet) -> Iterator[Queue]:
    with contextlib.closing(Database(fleet.operator)) as database:
        yield Queue(database)


def submitted(operator: Queue, count: int = 1, order: Order = ORDER) -> None:
    for number in range(count):
        operator.submit(order, Row(number, TARGETS[number], job=Job(f"key{number}", TARGETS[number], "commit")))


def accepted(operator: Queue, run: str, outcome: Outcome = DONE, files: dict[str, bytes] | None = None) -> bool:
    """As if its journal had been checked."""
    standing = operator.standing(run)
    assert standing
    return operator.accept(standing, outcome, files or {"report.md": b"text"})


def taken(worker: Queue, seconds: float = 3600) -> Taken:
    found = worker.take("a worker", seconds)
    assert found
    return found


def states(operator: Queue) -> list[str]:
    return [each.state for each in operator.standings(ORDER.id)]


def test_every_run_goes_to_one_worker_in_the_order_of_the_list(fleet, operator: Queue) -> None:
    submitted(operator, 12)
    submitted(operator, 12)  # the same batch, conducted again
    got: list[tuple[int, str]] = []

    def work(name: str) -> None:
        with Database(fleet.worker) as database:
            queue = Queue(database)
            while (found := queue.take(name, 3600)) is not None:
                got.append((found.work.row.position, found.lease.run))
                assert found.work.order == Order(ORDER.id, ORDER.name, ())
                assert found.work.row.job
                assert found.work.row.job.key == f"key{found.work.row.position}"
                assert queue.hand_in(found.lease, "unverified", 0, "")

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(position for position, _ in got) == list(range(12))
    assert states(operator) == ["unverified"] * 12
    assert accepted(operator, got[0][1])
    assert not accepted(operator, got[0][1])  # by another one who checked it too
    assert operator.files(got[0][1]) == {"report.md": b"text"}


@pytest.mark.rule("F15")
def test_a_dead_workers_run_is_taken_over_and_its_late_result_does_not_count(worker: Queue, operator: Queue) -> None:
    submitted(operator, 2)
    first = taken(worker, 0)
    second = taken(worker)
    assert second.lease.run == first.lease.run
    assert second.lease.epoch >> 40 == (first.lease.epoch >> 40) + 1
    assert not worker.beat(first.lease, 60, "late")
    assert not worker.hand_in(first.lease, "unverified", 0, "late")
    assert worker.beat(second.lease, 60, "hunting")
    assert worker.hand_in(second.lease, "unverified", 0, "right")
    assert worker.hand_in(second.lease, "unverified", 0, "right")  # its answer was lost
    assert not worker.hand_in(second.lease, "failed", 3, "on second thoughts")
    assert not worker.beat(second.lease, 60, "done")
    [standing, _] = operator.standings(ORDER.id)
    assert (standing.state, standing.note) == ("unverified", "right")
    assert taken(worker).work.row.position == 1


def test_a_run_that_kills_its_workers_is_given_up(worker: Queue, operator: Queue) -> None:
    submitted(operator)
    for _ in range(MOST_DEATHS + 1):
        last = taken(worker, 0)
    assert worker.take("one more", 60) is None
    assert not worker.hand_in(last.lease, "unverified", 0, "")
    [standing] = operator.standings(ORDER.id)
    assert (standing.state, standing.note) == ("failed", f"given up: {MOST_DEATHS} workers died over it")
    assert operator.retry(ORDER.id) == 1
    assert taken(worker).lease.epoch > last.lease.epoch


def test_cancelled_runs_stop_and_can_be_retried(worker: Queue, operator: Queue) -> None:
    submitted(operator, 3)
    running = taken(worker)
    assert operator.cancel(running.lease.run) == 1
    assert not worker.beat(running.lease, 60, "")
    assert not worker.hand_in(running.lease, "unverified", 0, "")
    assert operator.cancel(ORDER.id) == 2
    assert worker.take("a worker", 60) is None
    assert states(operator) == ["cancelled"] * 3
    assert operator.retry(ORDER.id) == 3
    assert taken(worker).lease.run == running.lease.run


def test_a_drained_fleet_takes_nothing_and_finishes_what_it_has(worker: Queue, operator: Queue) -> None:
    submitted(operator, 2)
    running = taken(worker)
    operator.drain(True)
    assert worker.take("a worker", 60) is None
    assert worker.hand_in(running.lease, "unverified", 0, "")
    operator.drain(False)
    assert taken(worker).work.row.position == 1


def test_what_was_done_with_the_same_key_is_known_and_what_did_not_last_is_not(worker: Queue, operator: Queue) -> None:
    submitted(operator, 2)
    first, second = taken(worker).lease, taken(worker).lease
    for lease in (first, second):
        worker.hand_in(lease, "unverified", 0, "")
    assert operator.known("key0") is None
    accepted(operator, first.run)
    assert operator.known("key0") == (DONE, {"report.md": b"text"})
    accepted(operator, second.run, Outcome(5, "over", folder="x", codes=(5,)))
    assert operator.known("key1") is None
    assert operator.known("") is None


@pytest.mark.rule("F18")
def test_a_batch_pays_from_its_own_purse_and_from_the_fleets(fleet, worker: Queue, operator: Queue) -> None:
    order = Order(ORDER.id, "list", TARGETS, Limit(100, None))
    operator.limit("fleet", Limit(150, None))
    operator.limit(order.id, order.budget)
    submitted(operator, 1, order)
    submitted(operator, 1, Order("20300101-000000-000002", "other", TARGETS))
    with Database(fleet.worker) as database:
        mine = taken(worker)
        ours = PostgresBudget(database, mine.lease)
        theirs = PostgresBudget(database, taken(worker).lease)
        assert not ours.reserve("a", Cost(101))
        assert ours.reserve("a", Cost(90))
        assert not theirs.reserve("b", Cost(61))
        assert theirs.reserve("b", Cost(60))
        assert not ours.reserve("c", Cost(1))
        worker.hand_in(mine.lease, "unverified", 0, "")  # what it still holds was perhaps spent
    spent = {purse: (used, held) for purse, used, held, *_ in operator.purses()}
    assert spent == {"fleet": (90, 60), order.id: (90, 0)}


@pytest.mark.parametrize(
    "call", [lambda queue: queue.drain(True), lambda queue: queue.cancel("x"), lambda queue: submitted(queue)]
)
def test_a_worker_is_no_operator(worker: Queue, call) -> None:
    with pytest.raises(UserError, match="refuses this user"):
        call(worker)


def test_an_operator_is_no_worker(operator: Queue) -> None:
    with pytest.raises(UserError, match="refuses this user"):
        operator.take("me", 60)


def test_the_driver_is_loaded_for_a_fleet_and_for_nothing_else() -> None:
    code = (
        "import sys, counterproof.cli.main, counterproof.app.audit, counterproof.fleet.queue; sys.exit('psycopg' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.fixture
def owner(fleet) -> Iterator[Queue]:
    with contextlib.closing(Database(fleet.owner)) as database:
        yield Queue(database)


def ended(worker: Queue, operator: Queue) -> Taken:
    found = taken(worker)
    assert worker.hand_in(found.lease, "unverified", 0, "")
    assert accepted(operator, found.lease.run)
    return found


def test_old_runs_are_removed_whole_and_young_ones_stay(fleet, owner: Queue, operator: Queue, worker: Queue) -> None:
    from datetime import UTC, datetime, timedelta

    later = ORDER.__class__("20300101-000000-000009", "list", TARGETS, Limit(500))
    operator.limit(later.id, later.budget)
    submitted(operator, 2)
    submitted(operator, 1, later)
    with Database(fleet.worker) as connection:
        for _ in range(2):
            old = taken(worker)
            assert connection.value(
                "SELECT counterproof.append(%s, %s, 0, %s, '{t}', '{event}', '{x}', '{h}', 'raw')",
                old.lease.run, old.lease.epoch, genesis(old.lease.run),
            ) == "appended"  # fmt: skip
            assert PostgresBudget(connection, old.lease).reserve("m", Cost(1, 0))
            assert worker.hand_in(old.lease, "unverified", 0, "")
            assert accepted(operator, old.lease.run)
    young = ended(worker, operator)
    now = datetime.now(UTC)
    assert (owner.prunable(now - timedelta(days=1)), owner.prune(now - timedelta(days=1))) == (0, 0)
    with Database(fleet.owner) as database:
        database.rows("UPDATE counterproof.runs SET ended_at = ended_at - interval '9 days' WHERE batch = %s", ORDER.id)
        assert owner.prunable(now - timedelta(days=8)) == 2
        assert owner.prune(now - timedelta(days=8)) == 2
        for table in ("entries", "replies", "holds"):
            assert database.value(f"SELECT count(*) FROM counterproof.{table}") == 0
        assert database.rows("SELECT run FROM counterproof.files") == [(young.lease.run,)]
    assert operator.counts() == {"done": 1}
    assert {row[0] for row in operator.purses()} == {"fleet", later.id}
    assert owner.prune(now + timedelta(days=1)) == 1
    assert {row[0] for row in operator.purses()} == {"fleet"}
    assert operator.known("key0") is None


@pytest.mark.parametrize("left", ["waiting", "paused", "running", "unverified"])
def test_nothing_of_a_batch_that_goes_on_is_removed(owner: Queue, operator: Queue, worker: Queue, left: str) -> None:
    from datetime import UTC, datetime, timedelta

    tomorrow = datetime.now(UTC) + timedelta(days=1)
    submitted(operator, 2)
    ended(worker, operator)
    if left != "waiting":
        other = taken(worker)
        assert left == "running" or worker.hand_in(other.lease, left, 6, "")
    assert (owner.prunable(tomorrow), owner.prune(tomorrow)) == (0, 0)
    operator.cancel(ORDER.id)
    assert owner.prune(tomorrow) == 2


@pytest.mark.rule("X18")
def test_only_the_owner_removes_runs_and_by_no_other_way(fleet, operator: Queue, worker: Queue) -> None:
    from datetime import UTC, datetime, timedelta

    import psycopg

    submitted(operator, 1)
    ended(worker, operator)
    for each in (operator, worker):
        with pytest.raises(UserError, match="refuses this user"):
            each.prune(datetime.now(UTC) + timedelta(days=1))
    with psycopg.connect(fleet.owner) as database, pytest.raises(psycopg.Error, match="only ever appended"):
        database.execute("DELETE FROM counterproof.files")
    with psycopg.connect(fleet.owner) as database:
        database.execute("SELECT counterproof.prune(now() - interval '1 day', 10)")
        with pytest.raises(psycopg.Error, match="only ever appended"):  # in the same transaction too
            database.execute("DELETE FROM counterproof.files")
