"""X16: `--max-time` and the memory ceiling hold whatever a file does to a parser, in all three commands; the file that ran out
is unread, and what other files hold is found, at its severity."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.command import VULNERABLE
from counterproof.app import host_process
from counterproof.app.host_roots import roots_of
from counterproof.app.host_runs import HostRuns
from counterproof.mcp.run_tools import RunTools
from counterproof.mcp.task_tools import TaskTools
from counterproof.model.errors import UserError
from counterproof.runtime.home import Home

LIMITS = {"COUNTERPROOF_MAX_MEMORY": "400", "COUNTERPROOF_CACHE": "off"}
PROGRAM = Path(__file__).with_name("poisoned.py")
FINDINGS, INCOMPLETE = 1, 3
pytestmark = [pytest.mark.rule("X16"), pytest.mark.skipif(sys.platform != "linux", reason="nobody watches elsewhere")]


PLAN = """# Move pings into a worker

## Goal

Requests must not wait for `ping`.

## Steps

1. Remove `harmless` from `poison.py`; nothing calls it.
2. In `app.py`, replace `ping()` by a task that `worker.py` runs. `find()` in `app.py` keeps its signature.
3. Add a table `jobs` to `shop.db` by a migration.

## Tests

Unit tests for the worker.
"""


def poisoned(fault: str, at: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, **LIMITS, "POISON": fault, "POISON_AT": at}
    command = [sys.executable, str(PROGRAM), *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)


def tree(tmp_path: Path) -> Path:
    root = tmp_path / "code"
    root.mkdir()
    (root / "app.py").write_text("import poison\n" + VULNERABLE)
    (root / "poison.py").write_text("def harmless(x):\n    return x\n")
    return root


def read(folder: Path, name: str) -> Any:
    return json.loads((folder / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("fault", "at"),
    [
        ("hang", "syntax"),
        ("eat", "text"),
        pytest.param("crash", "survey", marks=pytest.mark.nightly),
        pytest.param("eat", "survey", marks=pytest.mark.nightly),
    ],
)
def test_a_file_over_which_the_process_is_ended_costs_an_audit_nothing_but_itself(tmp_path: Path, fault: str, at: str) -> None:
    root, out = tree(tmp_path), tmp_path / "out"
    done = poisoned(fault, at, "audit", str(root), "--mode=quick", "--yes", "-q", "--max-time=90", f"--out={out}")
    assert done.returncode == FINDINGS, done.stderr
    report, receipt = read(out, "report.json"), read(out, "receipt.json")
    found = {(each["finding"]["location"]["path"], each["finding"]["cwe"], each["severity"]) for each in report["findings"]}
    assert {("app.py", 78, "critical"), ("app.py", 89, "critical")} <= found
    assert any(each["code"] == INCOMPLETE and "poison.py" in each["text"] for each in receipt["reasons"])
    assert "The time limit was reached." not in report["banners"]


def test_a_file_over_which_the_process_is_ended_costs_a_review_nothing_but_itself(tmp_path: Path) -> None:
    root, out = tree(tmp_path), tmp_path / "out"
    arguments = (
        str(root / "app.py"),
        str(root / "poison.py"),
        f"--repo={root}",
        "--quick",
        "--yes",
        "-q",
        "--max-time=90",
        f"--out={out}",
    )
    done = poisoned("hang", "syntax", "review", *arguments)
    assert done.returncode == FINDINGS, done.stderr
    assert read(out, "receipt.json")["unread"] == ["poison.py"]
    found = read(out, "review-report.json")["findings"]
    assert {(each["severity"], each["finding"]["cwe"]) for each in found} >= {("critical", 78), ("critical", 89)}


def test_a_file_over_which_the_process_is_ended_costs_a_verification_nothing_but_itself(tmp_path: Path) -> None:
    root, out = tree(tmp_path), tmp_path / "out"
    plan = tmp_path / "plan.md"
    plan.write_text(PLAN)
    done = poisoned("eat", "text", "verify", str(plan), f"--repo={root}", "--yes", "-q", "--max-time=90", f"--out={out}")
    assert done.returncode in (FINDINGS, INCOMPLETE), done.stderr
    assert any("poison.py was not read to its end" in each["text"] for each in read(out, "receipt.json")["reasons"])


def test_endless_wait_ends_at_the_time_limit(tmp_path: Path) -> None:
    done = poisoned("wait", "syntax", "audit", str(tree(tmp_path)), "--mode=quick", "--yes", "-q", "--max-time=1")
    assert done.returncode == INCOMPLETE
    assert "the time limit of 1 s" in done.stderr


SLEEPER = """
import os, sys, time
from counterproof.supervision.supervisor import supervise
supervise()
print(os.getpid(), flush=True)
time.sleep(1_000)
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_killing_the_command_kills_its_child(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert child != process.pid
        process.send_signal(number)
        assert process.stdout.read() == ""  # both ends are closed: nobody is left who could write
    assert process.returncode in (-number, 1)


def test_a_command_that_is_stopped_and_woken_goes_on() -> None:
    with subprocess.Popen([sys.executable, "-c", SLEEPER], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        for _ in range(5):
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.3)
            process.send_signal(signal.SIGCONT)
            time.sleep(0.2)
        assert process.poll() is None
        os.kill(child, signal.SIGTERM)
    assert process.returncode == -signal.SIGTERM


@pytest.mark.parametrize(("program", "code"), [("sys.exit(7)", 7), ("os.kill(os.getpid(), 9)", -9), ("1 / 0", 1)])
def test_the_command_ends_as_its_child_did(program: str, code: int) -> None:
    started = f"import os, sys\nfrom counterproof.supervision.supervisor import supervise\nsupervise()\n{program}\n"
    assert subprocess.run([sys.executable, "-c", started], capture_output=True, check=False).returncode == code


@pytest.fixture
def served(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HostRuns]:
    """The runs of a server that meet a poisoned file."""
    monkeypatch.setattr(host_process, "COMMAND", (sys.executable, str(PROGRAM)))
    for name, value in {**LIMITS, "POISON": "hang", "POISON_AT": "syntax"}.items():
        monkeypatch.setenv(name, value)
    host_runs = HostRuns(Home(), roots_of((tree(tmp_path),)), yes=True, seconds=90)
    yield host_runs
    host_runs.leave()


def ended(host_runs: HostRuns) -> str:
    live = host_runs.live(host_runs.find("latest"))
    assert live is not None
    assert live.wait(lambda: live.over, 120)
    return "\n".join(RunTools(host_runs).audit_status())


def test_a_run_over_mcp_that_is_ended_over_a_file_goes_on_without_it(served: HostRuns, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = RunTools(served)
    tools.start_audit()
    assert "finished, exit code 1" in ended(served)
    assert {"app.py:14", "app.py:20"} <= set("\n".join(tools.list_findings()).split())
    assert any("poison.py" in each and "reading it was stopped" in each for each in "\n".join(tools.read_report()).splitlines())
    monkeypatch.setenv("POISON", "crash")  # and one claim, without a run
    claimed = tools.verify_claim("app.py", 20, VULNERABLE.splitlines()[18], 78)
    assert claimed[0].startswith("Verified: ")


def test_a_host_is_answered_while_processes_are_ended_and_takes_its_task_from_the_next(served: HostRuns) -> None:
    RunTools(served).start_audit(agents="host")
    tasks = TaskTools(served)
    while "in progress" in (shown := "\n".join(tasks.next_task(wait_seconds=20))):
        continue
    assert shown.startswith("task_id: ")
    with contextlib.suppress(UserError):  # the process that waits for it may be ended just now
        assert "does not fit the contract" in "\n".join(tasks.submit_result(shown.split()[1], "no JSON"))
    served.leave()
    assert "in progress" not in ended(served)
