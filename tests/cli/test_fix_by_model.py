"""R32: a model's patch is offered only where the engine itself saw that it holds, for audits and for reviews."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.command import counterproof
from demonstration.here import needs_sandbox
from faults.server import Asked, FaultServer, threaded
from faults.speech import Says

pytestmark = pytest.mark.rule("R32")

BEFORE = """import subprocess


def convert(name):
    return subprocess.run("head " + name + " small.png", shell=True)


def greet(name):
    return "hello " + name
"""
TEST = "from thumbs import greet\n\n\ndef test_greet():\n    assert greet('you') == 'hello you'\n"
CALL = '    return subprocess.run("head " + name + " small.png", shell=True)'


def diff(*added: str, path: str = "thumbs.py") -> str:
    """A patch in place of the call; the numbers of its lines are wrong, as a model's often are."""
    rows = ["", " def convert(name):", f"-{CALL}", *(f"+{each}" for each in added)]
    return "\n".join([f"--- a/{path}", f"+++ b/{path}", f"@@ -9,3 +9,{len(added) + 2} @@", *rows, ""])


GOOD = diff('    return subprocess.run(["head", "--", name, "small.png"])')
EMPTY_CHANGE = diff(CALL)
SAME_FLAW = diff('    command = "head " + name', "    return subprocess.run(command, shell=True)")
NEW_FLAW = diff("    return eval(name)")
UNREADABLE = diff("    return subprocess.run(")
ELSEWHERE = diff("    pass", path="../other.py")
IN_A_TEST = "--- a/test_thumbs.py\n+++ b/test_thumbs.py\n@@ -1 +1 @@\n-from thumbs import greet\n+from thumbs import *\n"
BREAKS_A_TEST = GOOD + '@@ -8,2 +8,2 @@\n def greet(name):\n-    return "hello " + name\n+    return name\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "thumbs"
    folder.mkdir()
    (folder / "thumbs.py").write_text(BEFORE)
    (folder / "test_thumbs.py").write_text(TEST)
    (folder / "pyproject.toml").write_text('[project]\nname = "thumbs"\nversion = "1.0"\n')
    assert counterproof("audit", str(folder), "--mode", "quick", "--yes", "-q").returncode in (0, 1, 3)
    return folder


def number_in(folder: Path, rule: str = "command-injection") -> str:
    shown = json.loads(counterproof("show", "latest", "--format", "json", cwd=folder).stdout)
    return next(row["number"] for row in shown["findings"] if row["finding"]["rule"] == rule)


def handing_in(*patches: str) -> Callable[[Asked], Says]:
    """A model that hands in one patch after the other."""

    def brain(asked: Asked) -> Says:
        text = json.dumps(asked.body["messages"])
        marker = re.findall(r"The marker of this task is (cp-\w+)", text)[-1]
        agent = re.findall(r"You are `agent_id` ([A-Z]+-\d+)", text)[-1]
        patch = patches[min(asked.step, len(patches)) - 1]
        return Says(json.dumps({"marker": marker, "agent_id": agent, "iteration": 1, "patch": patch}))

    return brain


def fixed(folder: Path, server: FaultServer, *more: str, number: str = "") -> subprocess.CompletedProcess[str]:
    spec = f"openai-compatible:small@{server.url}/v1"
    found = number or number_in(folder)
    return counterproof("fix", found, "--agents", spec, "--budget-tokens", "500000", *more, cwd=folder)


def test_a_models_valid_patch_is_offered_written_on_consent_and_paid_for_once(project: Path) -> None:
    before = sorted((each.name, each.read_bytes()) for each in project.iterdir())
    with threaded(FaultServer(brain=handing_in(GOOD))) as server:
        shown = fixed(project, server)
        assert shown.returncode == 0, shown.stderr
        assert '+    return subprocess.run(["head", "--", name, "small.png"])' in shown.stdout
        waiting = fixed(project, server, "--patch", "../my.patch")
        assert (waiting.returncode, (project.parent / "my.patch").exists()) == (6, False)
        assert fixed(project, server, "--patch", "../my.patch", "--yes").returncode == 0
        assert len(server.log) == 1, "the reply is in the run's journal"
    assert sorted((each.name, each.read_bytes()) for each in project.iterdir()) == before
    subprocess.run(["git", "apply", "--unsafe-paths", "../my.patch"], cwd=project, check=True)
    again = counterproof("audit", ".", "--mode=quick", "--yes", "--format=json", cwd=project)
    assert "command-injection" not in again.stdout
    assert "whole" in counterproof("log", "verify", "latest", cwd=project).stdout


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        (EMPTY_CHANGE, "changes nothing"),
        (SAME_FLAW, "still there"),
        (NEW_FLAW, "more to say"),
        (UNREADABLE, "no longer be read"),
        (ELSEWHERE, "may not be changed"),
        (IN_A_TEST, "may not be changed"),
        ("no diff", "not a unified diff"),
    ],
)
def test_a_models_patch_that_does_not_hold_is_sent_back_and_then_dropped(project: Path, patch: str, why: str) -> None:
    with threaded(FaultServer(brain=handing_in(patch))) as server:
        done = fixed(project, server)
    assert (done.returncode, done.stdout) == (0, "")
    assert why in done.stderr
    assert len(server.log) == 3
    assert why in json.dumps(server.log[-1].body["messages"])


def test_a_second_try_is_as_good_as_a_first(project: Path) -> None:
    with threaded(FaultServer(brain=handing_in(SAME_FLAW, GOOD))) as server:
        assert '"--", name' in fixed(project, server).stdout
        assert len(server.log) == 2


@pytest.fixture
def shown(project: Path) -> Path:
    needs_sandbox()
    assert "1 of 1 finding demonstrated" in counterproof("demonstrate", cwd=project).stdout
    return project


def test_a_patch_that_fails_the_users_command_is_dropped(project: Path) -> None:
    needs_sandbox()
    check = "python3 -c \"import thumbs; assert thumbs.greet(1 * str(2)) == 'hello 2'\""
    with threaded(FaultServer(brain=handing_in(BREAKS_A_TEST, GOOD))) as server:
        done = fixed(project, server, "--check-with", check)
        assert '"--", name' in done.stdout
        assert "no longer passes" in json.dumps(server.log[1].body["messages"])


def test_a_patch_that_leaves_a_demonstrated_effect_is_dropped(shown: Path) -> None:
    hidden = diff('    shell = __import__("os").popen', '    return getattr(shell("head " + name), "read")()')
    with threaded(FaultServer(brain=handing_in(hidden))) as server:
        done = fixed(shown, server)
    assert done.stdout == ""
    assert "does not show that it is gone" in done.stderr


@pytest.mark.nightly
def test_a_patch_that_ends_the_function_with_its_effect_is_dropped(shown: Path) -> None:
    with threaded(FaultServer(brain=handing_in(diff("    raise OSError(name)")))) as server:
        assert fixed(shown, server).stdout == ""
        assert "may no longer work" in json.dumps(server.log[1].body["messages"])


def test_a_command_that_fails_already_is_a_mistake(project: Path) -> None:
    needs_sandbox()
    with threaded(FaultServer()) as server:
        done = fixed(project, server, "--check-with", "exit 3")
        assert (done.returncode, server.log) == (2, [])
    assert "fails without any patch" in done.stderr


def test_a_reviews_finding_is_fixed_within_its_scope(project: Path) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "pyproject.toml", "test_thumbs.py"], ["commit", "-qm", "one"], ["add", "."]):
        subprocess.run([*git, *command], cwd=project, check=True)
    subprocess.run([*git, "commit", "-qm", "two"], cwd=project, check=True)
    counterproof("review", "--diff", "HEAD~1", "--yes", cwd=project)
    shown = json.loads(counterproof("show", "latest", "--format", "json", cwd=project).stdout)
    number = next(each["finding"]["id"] for each in shown["resolved"] if "injection" in each["finding"]["kind"].lower())
    with threaded(FaultServer(brain=handing_in(IN_A_TEST, GOOD))) as server:
        done = fixed(project, server, number=number)
        assert '"--", name' in done.stdout, done.stderr
        assert "may not be changed" in json.dumps(server.log[1].body["messages"])
