"""One guard tried from a cold start: a copy of the source with the guard out, and pytest in a process of its own over it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from failure_kinds import VARIABLE, read
from rule_marks import ROOT, marked_tests

from guards import Guard

OPTIONS = ("-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-profile=first failure")
"""How pytest is run when nobody reads why a test failed: nothing is prepared for explaining it."""

LONGEST = 600
"""Seconds after which tests that still run are taken for hanging."""


def try_cold(guard: Guard, folder: Path, compiled: Path) -> list[str]:
    """What is wrong with a guard. Where its test does not notice, the message names tests that do."""
    folder.mkdir()
    break_copy(guard, compiled, folder / "src")
    log = folder / "log"
    if not run_tests(folder, "named", guard.test):
        return [f"{guard.rule}: {guard.test} hangs although its guard was out ({guard.file}); choose a break that it can see"]
    if noticed(folder / "named"):
        return []
    how = "; ".join(f"{each['kind']}: {each['text']}" for each in read(folder / "named")[-1:]) or tail(log)
    files = sorted({name.partition("::")[0] for name in marked_tests()[guard.rule]})
    run_tests(folder, "others", "--maxfail=20", "--rule", guard.rule, *files)
    others = [each["test"] for each in read(folder / "others") if each["kind"] == "assertion"]
    instead = f"these do: {', '.join(others[:3])}" if others else "no other test of the rule does"
    problem = f"{guard.rule}: {guard.test} does not notice by an assertion that its guard is out ({guard.file}); {instead}"
    return [f"{problem}\n  {how}"]


def run_tests(folder: Path, name: str, *arguments: str) -> bool:
    """Run tests over the copy in `folder`, and note there under `name` how each ended. Whether they ended in time."""
    paths = f"{folder / 'src'}{os.pathsep}{ROOT / 'scripts'}"
    environment = {**os.environ, "PYTHONPATH": paths, VARIABLE: str(folder / name)}
    command = [sys.executable, "-m", "pytest", *OPTIONS, "-p", "failure_kinds", *arguments]
    with (folder / "log").open("wb") as file:
        child = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file, start_new_session=True)
        return end(child.pid)


def noticed(file: Path) -> bool:
    return any(each["kind"] == "assertion" for each in read(file))


def tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-600:] if log.exists() else ""


def end(child: int) -> bool:
    """Wait for a child and end it, and what it started, after the longest time. Whether it ended by itself."""
    until, status = time.monotonic() + LONGEST, None
    while not status and time.monotonic() < until:
        status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        time.sleep(0.01)
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return bool(status)


def break_copy(guard: Guard, compiled: Path, copy: Path) -> None:
    """The source with the guard out at `copy`."""
    overlay(compiled, copy, guard.file.split("/")[1:])
    source = (ROOT / guard.file).read_text(encoding="utf-8")
    copy.joinpath(*guard.file.split("/")[1:]).write_text(guard.break_source(source), encoding="utf-8")


def overlay(whole: Path, copy: Path, changed: list[str]) -> None:
    """The tree `whole` once more, with room for another file at `changed`."""
    copy.mkdir()
    first, *rest = changed
    own = {first, "__pycache__"}  # nobody's bytecode is written where others read it
    for entry in whole.iterdir():
        if entry.name not in own:
            (copy / entry.name).symlink_to(entry)
    if rest:
        overlay(whole / first, copy / first, rest)
    elif (whole / "__pycache__").exists():
        overlay(whole / "__pycache__", copy / "__pycache__", [f"{first.removesuffix('.py')}.{sys.implementation.cache_tag}.pyc"])
