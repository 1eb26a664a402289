"""A worker that lies: its results do not count, and it gets no more runs (X23)."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from cli.command import counterproof
from counterproof import installation
from counterproof.agents.analysts import ANALYSTS, Analyst
from counterproof.agents.analysts.hunter import hunt
from counterproof.app import audit, audit_receipt
from counterproof.app.driving import receipt_of
from counterproof.app.jobs import AUDIT
from counterproof.app.standing import Standing
from counterproof.batch import acceptance
from counterproof.batch.preparing import Preparation
from counterproof.batch.runner import LocalRunner, audited
from counterproof.cli import commands_audit
from counterproof.cli.console import SilentObserver
from counterproof.fleet.queue import Queue, Taken
from counterproof.fleet.scheduling import FleetScheduler
from counterproof.model.batch import Order, Row, State, Target
from counterproof.model.budget import Limit
from counterproof.model.contract import Role
from counterproof.model.errors import UserError
from counterproof.protocols.audit.events import AgentFinished, Started, Surveyed
from counterproof.protocols.guard.budget import Cost
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.postgres.budget import PostgresBudget
from counterproof.runtime.postgres.database import Database
from counterproof.runtime.postgres.journal import Lease, LeaseLost, PostgresJournal
from counterproof.runtime.replaying import replay
from counterproof.toolbox.recording import RecordingToolbox
from counterproof.toolbox.workspace import Workspace
from fleet.test_leased_runs import WEAK
from fleet.test_workers import working

Rows = list[tuple[str, str]]
"""Kinds and bodies of a journal without its receipt."""


def read(words: tuple[str, ...]) -> acceptance.Question:
    request, asked = commands_audit.read(words[1:])
    return acceptance.Question(request, asked.since, asked.fail_on_incomplete)


@dataclass
class Site:
    """A fleet with one queued target, an honest login and a lying one."""

    worker: Database
    liar: Database
    operator: Database
    order: Order
    rows: tuple[Row, ...]

    @property
    def queue(self) -> Queue:
        return Queue(self.operator)

    def submit(self) -> None:
        for row in self.rows:
            self.queue.submit(self.order, row)

    def taken(self, by: Database) -> Taken:
        found = Queue(by).take("the worker next door", 3600)
        assert found
        return found

    def decided(self, run: str, share: int = 100) -> str:
        standing = self.queue.standing(run)
        assert standing
        return acceptance.decide(self.queue, standing, {}, read, share)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The target, and one that is harmless."""
    root = tmp_path_factory.mktemp("code")
    weak = "".join(
        line for line in WEAK.splitlines(keepends=True) if "KEY" not in line
    )  # a secret is named by each fleet's own key
    for name, text in (("shop", weak), ("harmless", "NUMBER = 1\n")):
        (root / name).mkdir()
        (root / name / "app.py").write_text(text)
    return root / "shop", root / "harmless"


@pytest.fixture
def site(fleet, folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(installation, "_given", b"")
    targets = tuple(Target(str(folder), "", ("--mode", "quick")) for folder in folders)
    rows = tuple(Row(number, each, job=Preparation({}).job(each)) for number, each in enumerate(targets))
    order = Order("20300101-000000-000001", "list", targets)
    with (
        closing(Database(fleet.worker)) as one,
        closing(Database(fleet.other)) as two,
        closing(Database(fleet.operator)) as three,
    ):
        yield Site(one, two, three, order, rows)


def journalled(folder: Path, home: Path, *more: str, target: Path | None = None) -> Rows:
    """The rows of a real audit, as honest as its options."""
    words = audited(Row(0, Target(str(folder), "", ("--mode", "quick", *more))), Order("", "", ()), folder, home / "out")
    request = replace(read(words).request, target=str(folder))
    done = audit.start(request, Standing(), SilentObserver(), Home(home))
    with closing(SqliteJournal(done.run, WallClock(), writable=False)) as journal:
        rows = [(entry.kind, entry.body) for entry in journal.entries()]
    shown = [(kind, body.replace(str(folder), str(target))) for kind, body in rows] if target else rows
    return [row for row in shown if row[0] != "receipt"]


@pytest.fixture(scope="module")
def honest(folders: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return journalled(folders[0], tmp_path_factory.mktemp("home"))


def write(database: Database, lease: Lease, rows: Rows, receipt: Callable[[dict[str, Any]], dict[str, Any]] = dict) -> None:
    """A journal whose chain is right, and the receipt that follows from it where there is one."""
    run = RunFolder(lease.run, Home().root / "runs" / lease.run)
    journal = PostgresJournal(database, run, WallClock(), lease)
    for kind, body in rows:
        journal.append(kind, body)
    try:
        state = replay(AUDIT.machine(), journal).state
        own, times = audit_receipt.own(journal, {}, state), [entry.at for entry in journal.entries()]
        made = receipt_of(lease.run, times, journal.head, "audit", state.version, state.outcome, own)
    except Exception:
        made = {}
    journal.append("receipt", json.dumps(receipt(made), indent=2, sort_keys=True) + "\n")


def changed(rows: Rows, kind: type, change: Callable[[Any], Any]) -> Rows:
    """With the events of a kind altered, or, where the change gives None, left out."""
    machine, found = AUDIT.machine(), Rows()
    for name, body in rows:
        event = machine.decode(body) if name == "event" else None
        if not isinstance(event, kind):
            found.append((name, body))
        elif (now := change(event)) is not None:
            found.append((name, machine.encode(now)))
    return found


def asking(**otherwise: Any) -> Callable[[Any], Any]:
    return lambda event: replace(event, request=replace(event.request, **otherwise))


@pytest.mark.rule("X23")
def test_an_honest_workers_result_is_accepted_and_reused(site: Site, honest: Rows) -> None:
    site.submit()
    taken = site.taken(site.worker)
    write(site.worker, taken.lease, honest)
    assert site.queue.known(site.rows[0].job.key) is None
    assert Queue(site.worker).hand_in(taken.lease, "unverified", 0, "clean")
    assert site.decided(taken.lease.run) == ""
    [done, _] = site.queue.standings(site.order.id)
    assert done.outcome
    assert (done.state, done.outcome.exit_code, done.outcome.counts[0]) == ("done", 1, 1)  # not what it said of itself
    known = site.queue.known(site.rows[0].job.key)
    assert known
    assert {"appendix.md", "report.html", "report.json", "report.md", "report.sarif", "receipt.json"} == set(known[1])


LIES: dict[str, Callable[[Rows], Rows]] = {
    "no journal at all": lambda _: [],
    "a journal that ends early": lambda rows: rows[:-3],
    "an agent's findings left out": lambda rows: changed(
        rows, AgentFinished, lambda event: replace(event, reply=replace(event.reply, findings=()))
    ),
    "an agent that never answered": lambda rows: changed(rows, AgentFinished, lambda _: None),
    "a file that is not in the survey": lambda rows: changed(
        rows, Surveyed, lambda event: replace(event, survey=replace(event.survey, files=()))
    ),
    "a question with a file excluded": lambda rows: changed(rows, Started, asking(exclude=("app.py",))),
    "a question that only Critical fails": lambda rows: changed(rows, Started, asking(min_coverage=0)),
    "accepted unread": lambda rows: changed(rows, Started, asking(accept_unread=("**",))),
    "a date on which an exception still held": lambda rows: changed(rows, Started, asking(today="2020-01-01")),
    "other rules": lambda rows: changed(rows, Started, lambda event: replace(event, basis=(("rules", "none"),))),
    "a course begun anew": lambda rows: [*rows, ("rerun", rows[0][1])],
    "damage that was cut": lambda rows: [*rows[:2], ("repair", "{}"), *rows[2:]],
    "rows that are no events": lambda _: [("event", "{}"), ("event", "null"), ("event", "[" * 100_000)],
}


@pytest.mark.rule("X23")
@pytest.mark.parametrize("lie", LIES)
def test_a_forged_journal_is_rejected_and_its_writer_gets_nothing_more(site: Site, honest: Rows, lie: str) -> None:
    site.submit()
    taken = site.taken(site.liar)
    write(site.liar, taken.lease, LIES[lie](honest))
    assert Queue(site.liar).hand_in(taken.lease, "unverified", 0, "clean")
    assert site.decided(taken.lease.run) == "other_worker"
    standing = site.queue.standing(taken.lease.run)
    assert standing
    assert (standing.state, standing.outcome, site.queue.files(taken.lease.run)) == ("rejected", None, {})
    assert [(login, run) for login, run, _ in site.queue.status().quarantined] == [("other_worker", taken.lease.run)]
    with pytest.raises(UserError, match="other_worker is quarantined"):
        site.taken(site.liar)


@pytest.mark.rule("X23")
@pytest.mark.parametrize("lie", ["another target", "a narrower audit", "an exit code", "a cost", "a date"])
def test_a_journal_that_is_true_of_something_else_is_rejected(
    site: Site, honest: Rows, folders: tuple[Path, Path], tmp_path: Path, lie: str
) -> None:
    site.submit()
    taken, forged = site.taken(site.liar), dict[str, Any]()
    if lie == "another target":
        rows = journalled(folders[1], tmp_path / "home", target=folders[0])
    elif lie == "a narrower audit":
        rows = journalled(folders[0], tmp_path / "home", "--only", "D10")
    else:
        rows = honest
        forged = {"an exit code": {"exit_code": 0, "reasons": []}, "a cost": {"tokens": -5}, "a date": {"ended": "2020"}}[lie]
    write(site.liar, taken.lease, rows, lambda made: {**made, **forged})
    Queue(site.liar).hand_in(taken.lease, "unverified", 0, "clean")
    assert site.decided(taken.lease.run) == "other_worker"
    assert site.queue.standings(site.order.id)[0].position == 1  # the other target's, which it never had


@pytest.mark.rule("X23")
def test_an_edited_row_is_detected_and_attributed_to_its_writer(site: Site, honest: Rows) -> None:
    """The liar writes a row that is not in the chain and dies; an honest worker would stop there, a careless one hands in."""
    site.submit()
    first = site.taken(site.liar)
    statement = "SELECT counterproof.append(%s, %s, %s, %s, '{t}', '{event}', %s::bytea[], '{h}', NULL)"
    assert site.liar.value(statement, *_place(site.liar, first.lease), [honest[0][1].encode()]) == "appended"
    assert Queue(site.liar).hand_in(first.lease, "waiting", 0, "")
    second = site.taken(site.worker)
    assert second.lease.run == first.lease.run
    Queue(site.worker).hand_in(second.lease, "unverified", 0, "")
    assert site.decided(second.lease.run) == "other_worker"
    assert site.taken(site.worker)


def _place(database: Database, lease: Lease) -> tuple[Any, ...]:
    head = database.rows("SELECT * FROM counterproof.leased_head(%s, %s)", lease.run, lease.epoch)[0]
    return lease.run, lease.epoch, *head


@pytest.mark.rule("X23")
def test_a_worker_has_rights_on_its_own_lease_only(site: Site) -> None:
    site.submit()
    mine, theirs = site.taken(site.worker), site.taken(site.liar)
    epoch = mine.lease.epoch
    guesses = [0, 1, 2, epoch - 1, epoch + 1, theirs.lease.epoch, (epoch >> 40) << 40, 1 << 62]
    for lease in (Lease(mine.lease.run, guess) for guess in guesses):
        queue = Queue(site.liar)
        assert not queue.beat(lease, 60, "")
        assert not queue.hand_in(lease, "failed", 0, "")
        with pytest.raises(LeaseLost):
            PostgresBudget(site.liar, lease).reserve("m", Cost(1))
        with pytest.raises(LeaseLost):
            PostgresJournal(site.liar, RunFolder(lease.run, Home().root), WallClock(), lease)
        statement = "SELECT counterproof.append(%s, %s, 0, '', '{t}', '{event}', '{x}', '{h}', NULL)"
        assert site.liar.value(statement, lease.run, lease.epoch) == "fenced"
    assert Queue(site.worker).beat(mine.lease, 60, "")


@pytest.mark.rule("X23")
def test_a_budget_is_settled_by_its_own_lease_and_never_for_less_than_nothing(fleet, site: Site) -> None:
    site.submit()
    mine, theirs = site.taken(site.worker), site.taken(site.liar)
    site.queue.limit("fleet", Limit(1_000, None))
    assert PostgresBudget(site.worker, mine.lease).reserve("m", Cost(100))
    for guess in (0, theirs.lease.epoch, mine.lease.epoch + 1, 1 << 62):
        PostgresBudget(site.liar, Lease(mine.lease.run, guess)).settle("m", Cost(0))
    own = PostgresBudget(site.liar, theirs.lease)
    assert own.reserve("n", Cost(50))
    site.liar.rows("SELECT counterproof.settle(%s, %s, 'n', -900, -900)", theirs.lease.run, theirs.lease.epoch)
    [(_, used, held, *_)] = site.queue.purses()
    assert (used, held) == (0, 100)


@pytest.mark.rule("X23")
def test_a_journal_that_names_more_than_was_settled_is_rejected(site: Site, honest: Rows) -> None:
    site.submit()
    taken = site.taken(site.liar)
    write(site.liar, taken.lease, changed(honest, AgentFinished, lambda event: replace(event, cost=Cost(500, 0))))
    Queue(site.liar).hand_in(taken.lease, "unverified", 0, "")
    assert site.decided(taken.lease.run) == "other_worker"


@pytest.mark.rule("X23")
def test_a_lease_ends_within_the_hour_and_a_journal_that_does_not_grow_ends_it(fleet, site: Site) -> None:
    site.submit()
    taken = Queue(site.liar).take("eternal", 1e9)
    assert taken
    assert Queue(site.liar).beat(taken.lease, 1e9, "busy")
    with Database(fleet.owner) as owner:
        left = "SELECT max(lease_until - clock_timestamp()) <= interval '1 hour' FROM counterproof.runs WHERE state = 'running'"
        assert owner.value(left) is True
        owner.rows("UPDATE counterproof.runs SET moved_at = moved_at - interval '7 hours'")
        assert not Queue(site.liar).beat(taken.lease, 60, "busy")


@pytest.mark.rule("X23")
def test_runs_of_a_lying_worker_are_rejected_and_its_accepted_runs_revoked(
    site: Site, honest: Rows, folders: tuple[Path, Path]
) -> None:
    site.submit()
    good, other = site.taken(site.liar), site.taken(site.liar)
    write(site.liar, good.lease, honest)
    Queue(site.liar).hand_in(good.lease, "unverified", 0, "")
    assert site.decided(good.lease.run) == ""
    PostgresJournal(site.liar, RunFolder(other.lease.run, Home().root), WallClock(), other.lease).append("event", "{}")
    Queue(site.liar).hand_in(other.lease, "waiting", 0, "")
    site.queue.submit(replace(site.order, id="20300101-000000-000002"), site.rows[0])
    for _ in range(2):
        bad = site.taken(site.liar)
    Queue(site.liar).hand_in(bad.lease, "unverified", 0, "")
    assert site.decided(bad.lease.run) == "other_worker"
    assert site.queue.known(site.rows[0].job.key) is None
    assert site.queue.standing(good.lease.run).state == "rejected"
    assert site.queue.standings(site.order.id) == []
    assert not Queue(site.liar).beat(other.lease, 60, "")
    assert site.queue.release("other_worker")
    assert not site.queue.release("other_worker")
    site.submit()
    assert site.taken(site.liar).lease.run != other.lease.run


INVENTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "an analyst that finds nothing": lambda patch: patch.setitem(
        ANALYSTS, Role.HUNTER, Analyst(_altered(hunt, lambda reply: replace(reply, findings=(), hotspots=())))
    ),
    "a file that was never read": lambda patch: patch.setattr(
        RecordingToolbox, "ledger", _altered(RecordingToolbox.ledger, lambda ledger: replace(ledger, searches=()))
    ),
    "a program that is another": lambda patch: patch.setattr(
        Workspace, "take_recon", _altered(Workspace.take_recon, lambda recon: replace(recon, public_functions=7))
    ),
}


def _altered(honest: Callable[..., Any], lie: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda *given: lie(honest(*given))


@pytest.mark.rule("X23")
@pytest.mark.parametrize("lie", INVENTED)
def test_an_audit_that_is_invented_as_a_whole_differs_from_what_the_analysts_say(
    site: Site, folders: tuple[Path, Path], tmp_path: Path, lie: str
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        INVENTED[lie](patch)
        rows = journalled(folders[0], tmp_path / "home")
    for share, liar in ((0, ""), (100, "other_worker")):
        site.queue.submit(replace(site.order, id=f"20300101-000000-{share:06}"), site.rows[0])
        taken = site.taken(site.liar)
        write(site.liar, taken.lease, rows)
        assert Queue(site.liar).hand_in(taken.lease, "unverified", 0, "clean")
        assert site.decided(taken.lease.run, share) == liar
    assert site.queue.known(site.rows[0].job.key) is None


@pytest.mark.rule("X23")
def test_runs_accepted_from_a_lying_worker_are_audited_again_by_another(fleet, site: Site, honest: Rows, tmp_path: Path) -> None:
    told = dict[int, Row]()
    scheduler = FleetScheduler(fleet.operator, tmp_path / "out", LocalRunner(tmp_path / "home"), {})
    arguments = (site.order, site.rows, lambda row: told.update({row.position: row}))
    thread = threading.Thread(target=scheduler.conduct, args=arguments)
    thread.start()
    queue, leases = Queue(site.liar), dict[int, Lease]()
    while len(leases) < 2:
        if taken := queue.take("liar", 3600):
            leases[taken.work.row.position] = taken.lease
        scheduler._paused.wait(0.1)
    write(site.liar, leases[0], honest)
    assert queue.hand_in(leases[0], "unverified", 0, "clean")
    while 0 not in told or told[0].state is not State.DONE:
        scheduler._paused.wait(0.1)
    assert queue.hand_in(leases[1], "unverified", 0, "clean")
    with working(tmp_path / "one", fleet.worker):
        thread.join(120)
    assert not thread.is_alive()
    assert [told[each].state for each in (0, 1)] == [State.DONE, State.DONE]
    assert told[0].run != leases[0].run


@pytest.mark.rule("X23")
def test_a_batch_gets_its_reports_although_a_worker_lies(fleet, site: Site, tmp_path: Path) -> None:
    """The first lie has no journal, the second claims that there was nothing wrong with failing."""
    told = dict[int, Row]()
    scheduler = FleetScheduler(fleet.operator, tmp_path / "out", LocalRunner(tmp_path / "home"), {})
    rows = tuple(replace(row, job=None) for row in site.rows)
    thread = threading.Thread(target=scheduler.conduct, args=(site.order, rows, lambda row: told.update({row.position: row})))
    thread.start()
    queue = Queue(site.liar)
    while (taken := queue.take("liar", 3600)) is None:
        scheduler._paused.wait(0.1)
    assert taken.work.row.job
    assert taken.work.row.job.key == site.rows[taken.work.row.position].job.key
    position = taken.work.row.position
    while (other := queue.take("liar", 3600)) is None:
        scheduler._paused.wait(0.1)
    assert queue.hand_in(other.lease, "failed", 0, "clean")
    assert queue.hand_in(taken.lease, "unverified", 0, "clean")
    with working(tmp_path / "one", fleet.worker):
        thread.join(120)
    assert not thread.is_alive()
    outcome, failed = told[position].outcome, told[1 - position].outcome
    assert outcome
    assert failed
    assert told[position].state is State.DONE
    assert outcome.run != taken.lease.run
    assert (failed.exit_code, failed.codes) == (70, (70,))
    assert [login for login, *_ in site.queue.status().quarantined] == ["other_worker"]


@pytest.mark.rule("X23")
def test_a_fleet_takes_no_demonstrations(fleet, folders: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "list").write_text(f"{folders[0]}\n")
    said = counterproof("batch", str(tmp_path / "list"), "--fleet", fleet.operator, "--", "--demonstrate")
    assert (said.returncode, "cannot be demonstrated" in said.stderr) == (2, True)
