"""The scheduler with a scripted runner behind its port: real threads, a real ledger of rows, no process."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from counterproof.batch.preparing import FetchFailed
from counterproof.batch.scheduling import OVER, LocalScheduler
from counterproof.model.batch import Job, Order, Outcome, Row, Spent, State, Target
from counterproof.model.budget import Limit

PAID = ("--agents", "openai:model")


class ScriptedRunner:
    """Runs a script for each target; a `FetchFailed` by its name."""

    def __init__(self, script: Callable[[Row], Outcome]) -> None:
        self._script = script
        self.seen: list[Row] = []
        self.stopped = threading.Event()

    def prepare(self, target: Target) -> Job:
        if "absent" in target.source:
            raise FetchFailed("there is nothing")
        return Job(f"key of {target.source}", target, "commit")

    def run(self, row: Row, order: Order, folder: Path, tell: Callable[[str], None]) -> Outcome:
        self.seen.append(row)
        tell("at work")
        return self._script(row)

    def stop(self) -> None:
        self.stopped.set()


def conducted(
    runner: ScriptedRunner, targets: list[Target], known: dict[str, Outcome] | None = None, **terms: object
) -> list[Row]:
    order = Order("b", "list", tuple(targets), **terms)  # type: ignore[arg-type]
    rows = {place: Row(place, target) for place, target in enumerate(targets)}
    found = known or {}
    scheduler = LocalScheduler(runner, Path("/nowhere"), lambda job, order: found.get(job.key))
    scheduler.conduct(order, tuple(rows.values()), lambda row: rows.__setitem__(row.position, row))
    return list(rows.values())


def clean(row: Row) -> Outcome:
    return Outcome(0, "clean", folder="f")


def test_each_target_once_and_a_failure_stops_nothing() -> None:
    runner = ScriptedRunner(clean)
    rows = conducted(
        runner,
        [Target(f"/{name}") for name in ("a", "absent", "b", "known")],
        {"key of /known": clean(Row(0, Target("/")))},
        jobs=3,
    )
    assert [row.state for row in rows] == [State.DONE, State.FAILED, State.DONE, State.UNCHANGED]
    assert sorted(row.target.source for row in runner.seen) == ["/a", "/b"]
    assert rows[1].outcome
    assert (rows[1].outcome.exit_code, rows[1].outcome.verdict) == (3, "there is nothing")


def test_when_all_is_reserved_the_next_gets_nothing() -> None:
    """Two jobs and one token: while the first has it, there is none for the second."""
    refused = threading.Event()

    def script(row: Row) -> Outcome:
        assert refused.wait(20)
        return Outcome(0, "clean", folder="f", cost=Spent(0))

    runner = ScriptedRunner(script)
    order = Order("b", "list", tuple(Target(f"/{name}", "", PAID) for name in "ab"), Limit(1), jobs=2)
    rows = {place: Row(place, target) for place, target in enumerate(order.targets)}

    def tell(row: Row) -> None:
        rows[row.position] = row
        if row.state is State.FAILED:
            refused.set()

    LocalScheduler(runner, Path("/nowhere"), lambda job, order: None).conduct(order, tuple(rows.values()), tell)
    assert len(runner.seen) == 1
    assert runner.seen[0].reserved == Limit(1)
    (over,) = [row.outcome for row in rows.values() if row.state is State.FAILED]
    assert over
    assert (over.exit_code, over.verdict) == (5, OVER)


def test_what_a_job_leaves_the_next_may_use() -> None:
    runner = ScriptedRunner(lambda row: Outcome(0, "clean", folder="f", cost=Spent(10)))
    conducted(runner, [Target(f"/{name}", "", PAID) for name in "abc"], budget=Limit(300))
    assert [row.reserved.tokens for row in runner.seen] == [100, 145, 280]


def test_a_pause_ends_what_runs_and_starts_nothing_more() -> None:
    def script(row: Row) -> Outcome:
        assert runner.stopped.wait(20)
        return Outcome(6, "paused", run="r")

    runner = ScriptedRunner(script)
    rows = conducted(runner, [Target("/a"), Target("/b")], batch_seconds=1)
    assert [row.state for row in rows] == [State.PAUSED, State.WAITING]
    assert rows[0].run == "r"


def test_a_row_that_was_reserved_for_goes_on_with_its_share() -> None:
    runner = ScriptedRunner(clean)
    order = Order("b", "list", (Target("/a", "", PAID),), Limit(500))
    before = Row(0, order.targets[0], State.PAUSED, Job("key then", order.targets[0], "then"), reserved=Limit(77), run="r")
    LocalScheduler(runner, Path("/nowhere"), lambda job, order: None).conduct(order, (before,), lambda row: None)
    assert (runner.seen[0].reserved, runner.seen[0].job) == (Limit(77), before.job)  # what was paid for is gone on with


def test_a_ledger_that_fails_ends_the_batch() -> None:
    def tell(row: Row) -> None:
        raise OSError("the disk is full")

    order = Order("b", "list", (Target("/a"),))
    scheduler = LocalScheduler(ScriptedRunner(clean), Path("/nowhere"), lambda job, order: None)
    with pytest.raises(OSError, match="full"):
        scheduler.conduct(order, (Row(0, order.targets[0]),), tell)
