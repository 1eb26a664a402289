"""Everything that must hold before a change lands, in one command and with nothing but Python installed.

    python3 scripts/check.py                make .venv from the lock files if need be, then run every check
    python3 scripts/check.py --no-install   use the environment that runs this script
    python3 scripts/check.py --all          also what is too rare for every push: all guards, all tests (`make nightly`)

The tests run last, so that their closing line is the last thing printed; the seconds of each step stand before it. What waits for
others, or uses one core for long, runs beside the steps that follow it, and what it printed follows before the tests.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

from install_locked import ROOT, install

Step = tuple[str, tuple[str, ...]]

BESIDE: tuple[Step, ...] = (
    ("semgrep for the tests", ("scripts/install_semgrep.py",)),
    ("types", ("-m", "basedpyright")),
    ("generated pages", ("scripts/generate_docs.py", "--check")),
)
STEPS: tuple[Step, ...] = (
    ("style", ("-m", "ruff", "check", ".")),
    ("format", ("-m", "ruff", "format", "--check", ".")),
    ("budgets", ("scripts/budgets.py", "--check")),
    ("layers", ("-c", "from importlinter.cli import lint_imports_command; lint_imports_command()")),
    ("bytecode", ("-m", "compileall", "-q", "-j", "0", "src")),  # the tests start the program hundreds of times
)
WORKERS = str(2 * (os.cpu_count() or 1))
"""Two for each core: many tests wait for processes. A worker that has run its tests takes some of another's."""
TESTS = ("-m", "pytest", "-q", "-n", WORKERS, "--dist", "worksteal")
PUSH: tuple[Step, Step] = (
    ("guards", ("scripts/break_guards.py", "--since", "origin/main")),
    ("tests", (*TESTS, "-m", "not nightly", "--hypothesis-profile", "push")),
)
ALL: tuple[Step, Step] = (
    ("guards", ("scripts/break_guards.py",)),
    ("tests", TESTS),
)
SECONDS = "CHECK_SECONDS"
"""The environment variable that hands the seconds of the steps to the tests, which print them before their closing line."""


Seconds = list[tuple[str, float]]


class Beside:
    """A step that runs while others do."""

    def __init__(self, python: Path, step: Step) -> None:
        self.name, arguments = step
        self.output = ""
        self.seconds = 0.0
        self._begun = time.monotonic()
        self._process = subprocess.Popen(
            [str(python), *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._waiting = threading.Thread(target=self._wait, daemon=True)
        self._waiting.start()

    def _wait(self) -> None:
        self.output = self._process.communicate()[0]
        self.seconds = time.monotonic() - self._begun

    def end(self) -> int:
        self._waiting.join()
        return self._process.returncode

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()


def table(seconds: Seconds) -> str:
    return "\n".join(f"{each:8.1f} s  {name}" for name, each in seconds)


def fail(name: str, seconds: Seconds) -> NoReturn:
    sys.exit(f"{table(seconds)}\ncheck failed: {name}")


def run(python: Path, step: Step, seconds: Seconds) -> None:
    name, arguments = step
    print(f"== {name}", flush=True)
    begun = time.monotonic()
    code = subprocess.run([str(python), *arguments], cwd=ROOT, env={**os.environ, SECONDS: table(seconds)}).returncode
    seconds.append((name, time.monotonic() - begun))
    if code:
        fail(name, seconds)


def check(python: Path, seconds: Seconds, guards: Step, tests: Step) -> None:
    beside = [Beside(python, step) for step in BESIDE]
    try:
        for step in (*STEPS, guards):
            run(python, step, seconds)
        for each in beside:
            code = each.end()
            seconds.append((f"{each.name} (beside others)", each.seconds))
            print(f"== {each.name}\n{each.output}", end="", flush=True)
            if code:
                fail(each.name, seconds)
    finally:
        for each in beside:
            each.stop()
    run(python, tests, seconds)


def main() -> None:
    if sys.version_info < (3, 11):  # noqa: UP036 (this script is what tells so)
        sys.exit("Counterproof needs Python 3.11 or newer")
    seconds: Seconds = []
    begun = time.monotonic()
    python = Path(sys.executable) if "--no-install" in sys.argv else install()
    seconds.append(("installation", time.monotonic() - begun))
    check(python, seconds, *(ALL if "--all" in sys.argv else PUSH))


if __name__ == "__main__":
    main()
