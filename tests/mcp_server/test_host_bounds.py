"""What a coding agent cannot do: reach beyond its task, its turns, its time, the user's folders or the user's word."""

import asyncio
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.command import small_app
from counterproof.agents.host.desk import Desk, Said, Shown
from counterproof.agents.models.channel import Message, ToolCall
from counterproof.app import audit as audits
from counterproof.app.host_process import RunProcess
from counterproof.app.host_roots import roots_of
from counterproof.app.host_runs import HostRuns
from counterproof.app.standing import Standing
from counterproof.app.team import AUDIT_SEATS, terms_of
from counterproof.cli.console import choose
from counterproof.mcp import words
from counterproof.model.errors import UserError
from counterproof.model.receipt import Exit
from counterproof.protocols.audit.modes import Mode
from counterproof.protocols.audit.request import AuditRequest
from counterproof.runtime.home import Home
from mcp_server.hosting import beside, finding, header, id_of, nothing

LOOK = Said(calls=(ToolCall("", "glob", '{"pattern":"*"}'),))


@contextmanager
def _started(root: Path, seconds: int = 0) -> Iterator[RunProcess]:
    host_runs = HostRuns(Home(), roots_of((root,)), yes=True, seconds=seconds)
    try:
        run = host_runs.start(".", Mode.QUICK, "hunter=host,analyst", (), (), "2026-11-16")
        live = host_runs.live(host_runs.find(run))
        assert live is not None
        yield live
    finally:
        host_runs.leave()


def test_a_task_is_answered_by_who_took_it_and_once(tmp_path: Path) -> None:
    async def session() -> None:
        async with beside(small_app(tmp_path / "app", padding=0)) as host:
            run = (await host.call("start_audit", agents="host")).split()[1]
            text = await host.task()
            task = id_of(text)
            for foreign in ("model-r1-01/attempt-1", f"{run}:model-r1-02/attempt-1", ":x", "19990101-000000-aaaaaa:x"):
                assert (await host.call("task_glob", task_id=foreign, pattern="*")).startswith("refused: ")
            assert "refused: " in await host.call("task_read", task_id=task, path="../../../etc/passwd")
            # a claim whose quote is not in its lines does not stand, however often it is handed in
            claim = finding("made up", 13, "os.system(term)", cwe=78)
            reply = {**header(text), "nothing_found": False, "findings": [claim]}
            told = await host.call("submit_result", task_id=task, reply=reply)
            assert "would be refused: the quoted evidence is not in those lines" in told
            assert "the quoted evidence is not in those lines" in await host.call("submit_result", task_id=task, reply=reply)
            assert "accepts no more results" in await host.call("submit_result", task_id=task, reply=nothing(text))
            assert "finished" in await host.task()

    asyncio.run(session())


def test_a_host_that_never_hands_in_uses_up_its_turns_its_attempts_and_the_restart(tmp_path: Path) -> None:
    taken: list[str] = []
    with _started(small_app(tmp_path / "app", padding=0)) as live:
        while shown := live.desk.take(60):
            taken.append(shown.task)
            while shown.tools:
                shown = live.desk.answer(shown.task, LOOK, 60)
            with pytest.raises(UserError, match="no tools left"):
                live.desk.answer(shown.task, LOOK, 60)
            while not shown.ended:
                shown = live.desk.answer(shown.task, Said("I looked at everything and it is fine."), 60)
        assert live.finished is not None
    assert taken[:2] == ["model-r1-01/attempt-1", "model-r1-01/attempt-2"]
    assert {task.split("/")[0] for task in taken[2:]} == {"model-r1-recovery-01", "model-r1-recovery-02"}
    assert Exit.INCOMPLETE in [reason.code for reason in live.finished.outcome.reasons]


def test_a_result_that_comes_after_the_time_is_over_is_refused(tmp_path: Path) -> None:
    app = small_app(tmp_path / "app", padding=0)
    for seconds in (6, 30, 150):  # on a busy machine the time may be over before anything is asked
        with _started(app, seconds=seconds) as live:
            if (shown := live.desk.take(seconds)) is None:
                continue
            assert live.wait(lambda: live.over, 10 * seconds)
            with pytest.raises(UserError, match="accepts no more results"):
                live.desk.answer(shown.task, Said("{}"), 5)
        assert live.finished is not None
        reasons = [reason.text for reason in live.finished.outcome.reasons]
        assert any("the time for models was over" in each for each in reasons), "the host's time ends before the analysts' does"
        return
    raise AssertionError("no question came within the time")


def test_when_the_host_leaves_the_run_pauses(tmp_path: Path) -> None:
    with _started(small_app(tmp_path / "app", padding=0)) as live:
        assert live.desk.take(60) is not None
    assert live.finished is not None
    assert live.finished.outcome.exit is Exit.PAUSED


def test_a_desk_without_a_host_pauses_a_resumed_run_and_refuses_a_new_one(tmp_path: Path) -> None:
    root = small_app(tmp_path / "app", padding=0)
    terms = terms_of(AUDIT_SEATS, "host", 0, "", Home().root)
    assert terms
    request = AuditRequest(str(root), models=tuple(role for role, _ in terms.players), terms=terms)
    with pytest.raises(UserError, match="none is connected"):
        audits.start(request, Standing(True), choose(quiet=True, verbose=False), Home())
    desk = Desk()
    desk.close("gone")
    paused = audits.start(request, Standing(True), choose(quiet=True, verbose=False), Home(), desk)
    assert audits.resume(paused.run, Standing(True), choose(quiet=True, verbose=False)).outcome.exit is Exit.PAUSED


@pytest.mark.rule("X13")
def test_only_the_folders_of_the_user_are_served(tmp_path: Path) -> None:
    root, other = small_app(tmp_path / "app", padding=0), small_app(tmp_path / "secret", padding=0)
    (root / "link").symlink_to(other)

    async def session() -> None:
        async with beside(other) as host:
            await host.call("start_audit")
        async with beside(root) as host:
            for path in ("..", str(other), "link", "app.py", "nowhere", "a\0b", "x" * 1025):
                assert (await host.call("start_audit", path=path)).startswith("refused: "), path
                claim = {"file": "app.py", "line": 13, "quote": "term", "cwe": 89, "path": path}
                assert (await host.call("verify_claim", **claim)).startswith("refused: "), path
            run = Home().runs()[-1].id
            assert "outside those that this server serves" in await host.call("audit_status", run=run)
            assert "outside those that this server serves" in await host.call("resume_audit", run=run)
            assert "no run yet" in await host.call("list_findings")
            assert "cannot spend the user's keys" in await host.call("start_audit", agents="openai:gpt-5")
            assert "no role" in await host.call("start_audit", agents="boss=host")

    asyncio.run(session())


def test_server_started_in_the_home_folder_needs_a_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in (tmp_path, Path("/")):
        monkeypatch.chdir(folder)
        with pytest.raises(UserError, match="larger than one project"):
            roots_of(())
    assert roots_of((tmp_path,)).folders == (tmp_path.resolve(),)


@pytest.mark.rule("X19")
def test_a_host_cannot_confirm_a_plan_but_the_user_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNTERPROOF_SEMGREP", "")
    root = small_app(tmp_path / "app")

    async def session(yes: bool) -> str:
        async with beside(root, yes) as host:
            await host.call("resume_audit" if yes else "start_audit", **({} if yes else {"mode": "standard"}))
            while "in progress" in (told := await host.call("audit_status")):
                await asyncio.sleep(0.05)
            return told

    assert "the plan needs your confirmation" in asyncio.run(session(yes=False))
    assert "finished" in asyncio.run(session(yes=True))


def test_a_single_claim_is_verified_and_judged(tmp_path: Path) -> None:
    root = small_app(tmp_path / "app", padding=0)

    async def session() -> None:
        async with beside(root) as host:
            line = (root / "app.py").read_text().splitlines()[12]
            true = await host.call("verify_claim", file="app.py", line=13, quote=line, cwe=89, description="term in a query")
            assert "The analysers reach the same result" in true
            assert 'would be "reported by the agent and by the analysers"' in true
            for told in ({"quote": "cursor.execute(sql)"}, {"line": 9_999}, {"file": "other.py"}):
                given = {"file": "app.py", "line": 13, "quote": line, "cwe": 89, **told}
                assert (await host.call("verify_claim", **given)).startswith("Refused: "), told
            assert "cannot be checked" in await host.call("verify_claim", file="../x.py", line=1, quote="x", cwe=89)

    asyncio.run(session())


def _pages(shown: Shown) -> list[str]:
    """Every page of a task, as a host reads them."""
    pages = ["\n".join(words.task(shown, "run:t", anew=True))]
    while f"page={len(pages) + 1} goes on; read every page" in pages[-1]:
        pages.append("\n".join(words.task(shown, "run:t", anew=True, page=len(pages) + 1)))
    return pages


@pytest.mark.rule("X7")
def test_a_task_that_is_too_long_for_one_answer_comes_in_pages() -> None:
    rows = [f"│ {number:05} {'x' * 80}" for number in range(1_500)]
    shown = Shown("t", "system", (Message("user", "\n".join(rows)),), True, 1)
    pages = _pages(shown)
    assert len(pages) > 1
    assert max(map(len, pages)) < words.TASK_PAGE + 500
    assert [row for page in pages for row in page.split("\n") if row.startswith("│")] == rows
    with pytest.raises(UserError, match=f"has no page {len(pages) + 1}"):
        words.task(shown, "run:t", anew=True, page=len(pages) + 1)


def test_a_long_task_is_shown_again_in_bounds() -> None:
    answers = (Message("user", f"{number:03}" + "x" * 20_000) for number in range(50))
    messages = (Message("user", "opening"), Message("assistant", ""), *answers)
    text = "\n".join(_pages(Shown("t", "system", messages, True, 9)))
    assert len(text) < 2 * words.MAX_SHOWN
    assert "opening" in text
    assert "049xx" in text
    assert "49 earlier parts of this task are left out" in text


def test_the_pages_of_an_opening_are_the_same_after_a_call() -> None:
    opening = (Message("user", "source\n" * 9_000), Message("user", "task\n" * 3_000 + "the marker"))
    later = (*opening, Message("assistant", ""), Message("user", "x" * words.MAX_SHOWN))
    first, again = (_pages(Shown("t", "system", messages, True, 1)) for messages in (opening, later))
    whole = "\n".join(again)
    assert "the marker" in whole
    assert [page.splitlines()[1:-1] for page in again[: len(first) - 1]] == [page.splitlines()[1:-1] for page in first[:-1]]


def test_without_the_extra_the_command_says_what_to_install() -> None:
    script = "import sys; sys.modules['mcp'] = None; sys.argv[1:] = ['mcp']; from counterproof.cli.main import main; main()"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert result.returncode == 2
    assert re.search(r"pip install \S+\[mcp\]", result.stderr)
