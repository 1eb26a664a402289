"""Going on with a real audit: after a pause, a change of the world, damage, or on another machine (F2, F16, F17)."""

import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.command import small_app
from counterproof.agents.analysts import ANALYSTS
from counterproof.app import audit, basis, recovery, runs, stored_runs
from counterproof.app.recovery import Choices
from counterproof.app.standing import Standing
from counterproof.model.contract import AgentReply, AgentTask, Role
from counterproof.model.errors import JournalError, ProviderPause, StorageError
from counterproof.model.receipt import Exit
from counterproof.ports import Agent
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.clock import WallClock
from counterproof.runtime.home import Home, RunFolder
from counterproof.runtime.journal import SqliteJournal
from counterproof.runtime.replaying import RERUN
from counterproof.runtime.verification import verify

Trouble = Callable[[AgentTask], None]


class Watching:
    """Remembers what was begun."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    def narrate(self, text: str) -> None:
        pass

    def progress(self, who: str, text: str) -> None:
        if text:  # an empty one says that somebody has finished
            self.begun.append(who)


class Absent:
    """A user who is not present."""

    async def confirm(self, question: str) -> bool | None:
        return None


class TroubledAgent:
    """An embedded analyst that something happens to first."""

    def __init__(self, inner: Agent, trouble: Trouble) -> None:
        self._inner, self._trouble = inner, trouble

    async def run(self, task: AgentTask, toolbox: Any) -> AgentReply:
        self._trouble(task)
        return await self._inner.run(task, toolbox)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return small_app(tmp_path / "app")


@pytest.fixture
def troubled(monkeypatch: pytest.MonkeyPatch) -> Callable[[Trouble], None]:
    def arrange(trouble: Trouble) -> None:
        team: dict[Role, Agent] = {role: TroubledAgent(agent, trouble) for role, agent in ANALYSTS.items()}
        monkeypatch.setattr(audit, "ANALYSTS", team)

    return arrange


def request(target: Path, mode: Mode = Mode.QUICK, **more: Any) -> AuditRequest:
    return AuditRequest(str(target), mode, **more)


def report_files(run: RunFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.path.glob("*.*") if path.stem in ("report", "appendix")}


def uninterrupted(target: Path, tmp_path: Path) -> dict[str, bytes]:
    return report_files(audit.start(request(target), Standing(), Watching(), Home(tmp_path / "other")).run)


@pytest.mark.rule("F2")
def test_a_provider_that_is_out_of_money_pauses_the_run_and_resume_retries_only_what_failed(
    target: Path, tmp_path: Path, troubled: Callable[[Trouble], None]
) -> None:
    expected = uninterrupted(target, tmp_path)

    def no_money(task: AgentTask) -> None:
        if task.agent_id == "agent-r1-02":
            raise ProviderPause("the provider's spend limit is reached", "raise the limit at the provider")

    troubled(no_money)
    paused = audit.start(request(target), Standing(), Watching(), Home())
    assert paused.outcome.exit is Exit.PAUSED
    assert paused.outcome.reasons[0].text == "the provider's spend limit is reached"
    assert "raise the limit" in paused.hint
    assert f"counterproof resume {paused.run.id}" in paused.hint

    troubled(lambda task: None)
    watcher = Watching()
    finished = audit.resume(paused.run, Standing(), watcher)
    assert finished.outcome.exit is Exit.FINDINGS
    assert [who for who in watcher.begun if who.startswith("agent")] == ["agent-r1-02"]
    assert report_files(paused.run) == expected
    assert not any("failed" in entry.kind for entry in finished.state.markers if hasattr(entry, "kind"))


@pytest.mark.rule("F16")
def test_a_disk_that_fails_under_an_agent_pauses_the_run_and_does_not_blame_the_agent(
    target: Path, tmp_path: Path, troubled: Callable[[Trouble], None]
) -> None:
    def full(task: AgentTask) -> None:
        raise StorageError("the journal could not be written: disk full", "free disk space")

    troubled(full)
    paused = audit.start(request(target), Standing(), Watching(), Home())
    assert paused.outcome.exit is Exit.PAUSED
    assert not any(work.failure for work in paused.state.work)
    troubled(lambda task: None)
    assert audit.resume(paused.run, Standing(), Watching()).outcome.exit is Exit.FINDINGS
    assert report_files(paused.run) == uninterrupted(target, tmp_path)


@pytest.mark.rule("F16")
def test_a_report_that_cannot_be_written_pauses_the_run(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder has the file's name, so that not even root can write the file."""
    made = Home.create

    def blocked(self: Home) -> RunFolder:
        run = made(self)
        (run.path / "report.html").mkdir()
        return run

    monkeypatch.setattr(Home, "create", blocked)
    paused = audit.start(request(target), Standing(), Watching(), Home())
    assert paused.outcome.exit is Exit.PAUSED
    assert "report of run" in paused.outcome.reasons[0].text
    (paused.run.path / "report.html").rmdir()
    watcher = Watching()
    assert audit.resume(paused.run, Standing(), watcher).outcome.exit is Exit.FINDINGS
    assert watcher.begun == ["report"]


def waiting_for_plan(target: Path) -> RunFolder:
    """A standard run that paused at its plan."""
    paused = audit.start(request(target, Mode.STANDARD), Absent(), Watching(), Home())
    assert paused.outcome.exit is Exit.PAUSED
    return paused.run


@pytest.mark.rule("F17")
def test_changed_code_is_refused_or_everything_that_rests_on_it_runs_again(target: Path) -> None:
    run = waiting_for_plan(target)
    (target / "new.py").write_text("import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n")
    with pytest.raises(JournalError, match="the code changed since run") as refused:
        audit.resume(run, Standing(), Watching())
    assert "--rerun-changed" in refused.value.hint
    watcher = Watching()
    finished = audit.resume(run, Standing(), watcher, Choices(rerun_changed=True))
    assert finished.outcome.exit in (Exit.FINDINGS, Exit.INCOMPLETE)
    assert watcher.begun[:2] == ["survey", "recon"]
    assert any(file.path == "new.py" for file in finished.state.survey.files)
    assert verify(run).damages == ()
    differing = stored_runs.replayed(run).differing
    assert differing == ()


@pytest.mark.rule("F17")
@pytest.mark.parametrize(
    ("part", "says", "begins"),
    [
        ("rules", "the rules changed", ()),
        ("prompts", "the prompts changed", ()),
        ("documents", "the protocol documents changed", ()),
        ("program", "the program is now version", ("survey", "recon")),
    ],
)
def test_a_changed_input_is_rejected_or_reruns_only_dependent_steps(
    target: Path, monkeypatch: pytest.MonkeyPatch, part: str, says: str, begins: tuple[str, ...]
) -> None:
    run = waiting_for_plan(target)
    now = tuple((name, "something else" if name == part else digest) for name, digest in basis.present())
    monkeypatch.setattr(basis, "present", lambda: now)
    with pytest.raises(JournalError, match=says):
        audit.resume(run, Standing(), Watching())
    watcher = Watching()
    finished = audit.resume(run, Standing(), watcher, Choices(rerun_changed=True))
    assert finished.outcome.exit in (Exit.FINDINGS, Exit.INCOMPLETE)
    assert tuple(who for who in watcher.begun if who in ("survey", "recon")) == begins
    with contextlib.closing(SqliteJournal(run, WallClock(), writable=False)) as journal:
        (rerun,) = [entry for entry in journal.entries() if entry.kind == RERUN]
    assert f'"because":["{part}"]' in rerun.body
    assert verify(run).damages == ()


@pytest.mark.rule("F17")
def test_changed_rules_run_analysts_again_but_not_the_agents_of_before(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Survey, recon and the confirmed plan are reused; hunters, which depend on rules, run again."""
    paused = audit.start(request(target), Standing(), Stopping("report"), Home())
    assert paused.outcome.exit is Exit.PAUSED
    now = tuple((name, "something else" if name == "rules" else digest) for name, digest in basis.present())
    monkeypatch.setattr(basis, "present", lambda: now)
    watcher = Watching()
    audit.resume(paused.run, Standing(), watcher, Choices(rerun_changed=True))
    assert sorted(watcher.begun) == ["agent-r1-01", "agent-r1-02", "agent-r1-03", "report"]


@pytest.mark.rule("F17")
def test_changed_prompts_leave_the_work_of_analysts_alone(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paused = audit.start(request(target), Standing(), Stopping("report"), Home())
    now = tuple((name, "something else" if name == "prompts" else digest) for name, digest in basis.present())
    monkeypatch.setattr(basis, "present", lambda: now)
    watcher = Watching()
    audit.resume(paused.run, Standing(), watcher, Choices(rerun_changed=True))
    assert watcher.begun == ["report"]


class Stopping(Watching):
    """Stops the run when something begins, as Ctrl-C would."""

    def __init__(self, at: str) -> None:
        super().__init__()
        self._at = at

    def progress(self, who: str, text: str) -> None:
        if who == self._at:
            raise KeyboardInterrupt


def test_an_unchanged_world_is_not_compared_as_changed() -> None:
    assert basis.changed(basis.present()) == ()


@pytest.mark.rule("F16")
def test_a_damaged_journal_is_refused_or_cut_and_gone_on_with(target: Path, tmp_path: Path) -> None:
    expected = uninterrupted(target, tmp_path)
    run = audit.start(request(target), Standing(), Watching(), Home()).run
    with contextlib.closing(sqlite3.connect(run.journal)) as database, database:
        (row,) = database.execute("SELECT max(seq) FROM entries WHERE body LIKE '%agent_finished%'").fetchone()
        database.execute("UPDATE entries SET body = body || ' ' WHERE seq = ?", (row,))
    with pytest.raises(JournalError, match=f"row {row} or an earlier row was changed") as refused:
        audit.resume(run, Standing(), Watching())
    assert "--cut-damage" in refused.value.hint
    watcher = Watching()
    finished = audit.resume(run, Standing(), watcher, Choices(cut_damage=True))
    assert finished.outcome.exit is Exit.FINDINGS
    assert len([who for who in watcher.begun if who.startswith("agent")]) == 1
    assert report_files(run) == expected
    verdict = verify(run)
    assert verdict.damages == ()
    assert "cut by the user" in verdict.repairs[0]


@pytest.mark.rule("F14")
@pytest.mark.parametrize("lost", ["receipt.json", "report.md", "report.sarif"])
def test_a_file_that_a_finished_run_has_lost_is_made_again(target: Path, lost: str) -> None:
    run = audit.start(request(target), Standing(), Watching(), Home()).run
    before = (run.path / lost).read_bytes()
    (run.path / lost).unlink()
    watcher = Watching()
    assert audit.resume(run, Standing(), watcher).outcome.exit is Exit.FINDINGS
    assert (run.path / lost).read_bytes() == before
    assert watcher.begun == []


@pytest.mark.rule("R33")
def test_an_exported_run_gives_the_same_report_where_neither_run_nor_target_exist(
    target: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = audit.start(request(target), Standing(), Watching(), Home()).run
    stored = report_files(run)
    path = tmp_path / "run.jsonl"
    runs.export(run, path)
    Home().remove(run)
    target.rename(tmp_path / "elsewhere")
    monkeypatch.setenv("COUNTERPROOF_HOME", str(tmp_path / "another machine"))
    exported = runs.exported_journal(str(path))
    assert exported
    assert exported.verify().damages == ()
    again = stored_runs.replayed(exported)
    assert again.differing == ()
    written = again.deliver("", tmp_path / "out")
    assert {place.name: place.read_bytes() for place in written} == stored


def test_a_run_that_never_started_says_so(target: Path) -> None:
    run = Home().create()
    with pytest.raises(JournalError, match="never started"):
        audit.resume(run, Standing(), Watching())
    assert Choices() == recovery.CAREFUL


@pytest.mark.rule("F17")
def test_a_reused_answer_counts_once_in_the_cost_of_the_run(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paused = audit.start(request(target), Standing(), Stopping("report"), Home())
    with contextlib.closing(SqliteJournal(paused.run, WallClock(), writable=False)) as journal:
        before = [event for event in recovery.paid_events(journal) if event.kind == "agent_finished"]
    now = tuple((name, "something else" if name == "prompts" else digest) for name, digest in basis.present())
    monkeypatch.setattr(basis, "present", lambda: now)
    audit.resume(paused.run, Standing(), Watching(), Choices(rerun_changed=True))
    with contextlib.closing(SqliteJournal(paused.run, WallClock(), writable=False)) as journal:
        assert sum("agent_finished" in entry.body for entry in journal.entries() if entry.kind == "event") == 2 * len(before)
        assert [event for event in recovery.paid_events(journal) if event.kind == "agent_finished"] == before
