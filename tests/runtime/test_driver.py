"""The driver: journalled work is never repeated, a pause lets running tasks finish, a new course reuses valid answers."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any, NoReturn

import pytest

from counterproof.model.errors import JournalError, StorageError
from counterproof.runtime.clock import WallClock
from counterproof.runtime.driver import Driver, Paused
from counterproof.runtime.home import Home
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.kept import RunJournal
from counterproof.runtime.replaying import RERUN, course, replay, rerun_body
from runtime.places import Place
from runtime.toy import Begin, Quiet, ToyExecutor, ToyMachine

THREE = Begin(("a", "b", "c"))


@pytest.fixture
def journal(place: Place) -> Iterator[RunJournal]:
    with contextlib.closing(place.create()) as made:
        yield made


def driven(journal: RunJournal, executor: ToyExecutor) -> Any:
    return asyncio.run(Driver(ToyMachine(), journal, executor, Quiet()).run(THREE))


def pausing() -> NoReturn:
    raise Paused("the provider is out of money", "pay, then resume")


def bodies(journal: RunJournal, kind: str) -> list[str]:
    return [entry.body for entry in journal.entries() if entry.kind == kind]


def test_a_run_goes_to_its_end_and_replays_to_the_same_state(journal: RunJournal) -> None:
    executor = ToyExecutor()
    state = driven(journal, executor)
    assert dict(state.given)["sum"] == "A+B+C"
    assert replay(ToyMachine(), journal).state == state
    assert bodies(journal, "marker") == list(ToyMachine().narrated(state))


@pytest.mark.rule("F2")
def test_a_pause_lets_running_tasks_finish_and_resume_runs_only_missing_ones(place: Place, journal: RunJournal) -> None:
    async def slow() -> None:
        await asyncio.sleep(0.05)

    executor = ToyExecutor({"ask/1": lambda: slow(), "ask/2": pausing})
    with pytest.raises(Paused, match="out of money"):
        driven(journal, executor)
    assert [name for name, _ in replay(ToyMachine(), journal).state.given] == ["ask/3", "ask/1"]
    again = ToyExecutor()
    assert dict(driven(journal, again).given)["sum"] == "A+B+C"
    assert again.asked == ["ask/2", "sum"]
    assert place.verdict().damages == ()


@pytest.mark.rule("F2")
def test_nothing_new_begins_while_a_run_pauses(journal: RunJournal) -> None:
    """The last answers come in during the pause; the question that follows from them waits for resume."""
    machine = ToyMachine()

    class Impatient(ToyExecutor):
        async def execute(self, command: Any, emit: Any) -> None:
            if command.id != "ask/1":
                await asyncio.sleep(0.05)
            await super().execute(command, emit)
            if command.id == "ask/1":
                raise Paused("after its last word")

    executor = Impatient()
    with pytest.raises(Paused):
        driven(journal, executor)
    assert "sum" not in executor.asked
    assert machine.outstanding(replay(machine, journal).state) == ("sum",)
    again = ToyExecutor()
    driven(journal, again)
    assert again.asked == ["sum"]


@pytest.mark.rule("F2")
def test_several_that_pause_at_once_are_one_pause(journal: RunJournal) -> None:
    with pytest.raises(Paused):
        driven(journal, ToyExecutor({"ask/1": pausing, "ask/2": pausing, "ask/3": pausing}))
    again = ToyExecutor()
    driven(journal, again)
    assert sorted(again.asked) == ["ask/1", "ask/2", "ask/3", "sum"]


def test_another_failure_during_a_pause_is_not_swallowed(journal: RunJournal) -> None:
    async def breaking() -> None:
        await asyncio.sleep(0.02)
        raise StorageError("the disk is gone")

    with pytest.raises(StorageError):
        driven(journal, ToyExecutor({"ask/1": lambda: breaking(), "ask/2": pausing}))


@pytest.mark.rule("F14")
@pytest.mark.parametrize("rows", range(1, 9))
def test_cut_off_after_any_row_the_rest_is_done_and_nothing_twice(rows: int) -> None:
    whole = SqliteJournal.create(Home().create(), WallClock())
    expected = driven(whole, ToyExecutor())
    kept = [entry for entry in whole.entries() if entry.seq <= rows]
    partial = SqliteJournal.create(Home().create(), WallClock())
    for entry in kept:
        partial.append(entry.kind, entry.body)
    before = {name for name, _ in replay(ToyMachine(), partial).state.given}
    executor = ToyExecutor()
    state = driven(partial, executor)
    assert sorted(state.given) == sorted(expected.given)
    assert not before & set(executor.asked)
    assert bodies(partial, "marker") == list(ToyMachine().narrated(state))
    whole.close()
    partial.close()


def test_a_journal_whose_markers_this_version_would_not_write_is_refused(journal: RunJournal) -> None:
    journal.append("event", ToyMachine().encode(THREE))
    journal.append("marker", "ask/1: something else")
    with pytest.raises(JournalError, match="decides differently"):
        replay(ToyMachine(), journal)


@pytest.mark.rule("F17")
def test_a_new_course_uses_old_answers_for_the_same_questions_only(place: Place, journal: RunJournal) -> None:
    driven(journal, ToyExecutor())
    answers = tuple(entry.seq for entry in journal.entries() if entry.kind == "event")[1:]
    start = ToyMachine().encode(Begin(("a", "changed", "c")))
    journal.append(RERUN, rerun_body(start, answers, ("target",)))
    executor = ToyExecutor()
    state = driven(journal, executor)
    assert sorted(executor.asked) == ["ask/2", "sum"]
    assert dict(state.given)["sum"] == "A+CHANGED+C"
    assert replay(ToyMachine(), journal).state == state
    assert place.verdict().damages == ()


@pytest.mark.rule("F17")
def test_answers_that_depend_on_a_change_are_not_reused(journal: RunJournal) -> None:
    driven(journal, ToyExecutor())
    journal.append(RERUN, rerun_body(ToyMachine().encode(THREE), (), ("rules",)))
    executor = ToyExecutor()
    driven(journal, executor)
    assert sorted(executor.asked) == ["ask/1", "ask/2", "ask/3", "sum"]


@pytest.mark.rule("F15", "F17")
def test_killed_rerun_resumes_and_still_reuses_replies(journal: RunJournal) -> None:
    driven(journal, ToyExecutor())
    answers = tuple(entry.seq for entry in journal.entries() if entry.kind == "event")[1:4]
    journal.append(RERUN, rerun_body(ToyMachine().encode(THREE), answers, ("rules",)))
    with pytest.raises(Paused):
        driven(journal, ToyExecutor({"sum": pausing}))
    executor = ToyExecutor()
    assert dict(driven(journal, executor).given)["sum"] == "A+B+C"
    assert executor.asked == ["sum"]
    now = course(journal)
    assert len(now.events) == 5
    assert now.narrated == ToyMachine().narrated(replay(ToyMachine(), journal).state)


def test_a_rerun_in_an_unknown_form_is_refused(journal: RunJournal) -> None:
    journal.append(RERUN, "{}")
    with pytest.raises(JournalError, match="rerun"):
        replay(ToyMachine(), journal)
