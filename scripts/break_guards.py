"""Takes out each rule's guard, one at a time, and checks that the test named in its entry notices.

    python scripts/break_guards.py                      every guard in tests/guards/*.toml
    python scripts/break_guards.py A16 A29              only the guards of these rules
    python scripts/break_guards.py --since origin/main  only the guards that the changes since then concern, see guards.py

A rule that nobody would miss is not enforced. A test notices by an assertion, not by an error in a fixture or by code that does
not run. Without `--since` the named tests run with all guards in first, and one that fails then is an error too. The work tree
is not touched: functions are swapped in the memory of a fork, which collected the test file once for all guards that name it;
what cannot be swapped, or was not noticed so, is tried once more from a cold start over a copy of the source.
"""

import argparse
import compileall
import gc
import importlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import entry_points
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path
from types import FunctionType, ModuleType

import pytest
from cold_trial import OPTIONS, break_copy, end, noticed, tail, try_cold
from failure_kinds import Recorder, read
from rule_marks import ROOT, marked_tests
from swap_code import Place, functions, swap

from guards import Guard, concerned, find_problems, load

WARM = ("httpx", "hypothesis.stateful", "pydantic_ai", "rich.console", "sqlite3", "tree_sitter", "typer.testing")
"""What many tests import and no guard changes: loaded once, then every run is a fork that has it already."""

LIVE: dict[Place, list[FunctionType]] = {}
"""The package's functions as every fork gets them."""


@dataclass(frozen=True)
class Group:
    """The guards that name a test of the same file, and the compiled source to take unchanged files from."""

    file: str
    guards: tuple[Guard, ...]
    compiled: Path
    unbroken: bool
    """Whether the named tests first run with all guards in."""


def warm() -> None:
    """Imports what the forks share. Optional parts that are not installed are left to the tests, which say so themselves."""
    for entry in entry_points(group="pytest11"):
        entry.load()
    for name in WARM:
        with suppress(ImportError):
            importlib.import_module(name)
    for name in package():
        importlib.import_module(name)
    LIVE.update(functions())
    gc.freeze()  # what is shared is never collected, so that a fork need not walk through it


def package() -> Iterator[str]:
    """The modules of the package, but what a program starts with."""
    for path in sorted((ROOT / "src" / "counterproof").rglob("*.py")):
        parts = path.relative_to(ROOT / "src").with_suffix("").parts
        if parts[-1] != "__main__" and (path.parent / "__init__.py").exists():
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def try_group(group: Group) -> list[str]:
    """What is wrong with the guards of a group."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        child = os.fork()
        if child == 0:
            run_group(group, folder)
        os.waitpid(child, 0)
        problems = [
            f"{group.file}: fails with all guards in: {each['test']}: {each['text']}"
            for each in read(folder / "unbroken")
            if each["kind"] != "passed"
        ]
        if group.unbroken and not (folder / "unbroken").exists():
            problems.append(f"{group.file}: its named tests do not run with all guards in\n{tail(folder / 'log')}")
        for number, guard in enumerate(group.guards):
            if not noticed(folder / str(number)):
                problems += try_cold(guard, folder / f"cold-{number}", group.compiled)
    return problems


def run_group(group: Group, folder: Path) -> None:
    """The forked side: collects the test file once, then forks for every guard. Never returns."""
    try:
        os.setsid()
        with (folder / "log").open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        main = sys.modules["__main__"] = ModuleType("__main__")  # what processes that tests spawn take for the program
        main.__spec__ = find_spec("pytest.__main__")
        pytest.main([*OPTIONS, group.file], plugins=[Trials(group, folder)])
    finally:
        os._exit(0)


class Trials(Recorder):
    """Runs, in place of the whole file, the named tests of each guard in a fork with that guard out."""

    def __init__(self, group: Group, folder: Path) -> None:
        super().__init__()
        self._group = group
        self._folder = folder

    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """In the forks None, so that pytest runs what is left of the items."""
        if session.testsfailed:
            return True
        if self._group.unbroken and self._fork("unbroken"):
            session.config.option.maxfail = 0
            session.items = [item for item in session.items if any(names(guard, item) for guard in self._group.guards)]
            return None
        for number, guard in enumerate(self._group.guards):
            source = (ROOT / guard.file).read_text(encoding="utf-8")
            if self._fork(str(number)):
                copy = self._folder / f"src-{number}"
                break_copy(guard, self._group.compiled, copy)
                os.environ["PYTHONPATH"] = str(copy)  # for the processes that tests start
                sys.path.insert(0, str(copy))
                swapped = swap(LIVE, str(ROOT / guard.file), source, guard.break_source(source))
                session.items = [item for item in session.items if swapped and names(guard, item)]
                return None
        return True

    def _fork(self, name: str) -> bool:
        """True in the fork; elsewhere False when the fork ended or was ended."""
        child = os.fork()
        if child == 0:
            os.setsid()
            self.file = self._folder / name
            return True
        end(child)
        return False


def names(guard: Guard, item: pytest.Item) -> bool:
    return item.nodeid == guard.test or item.nodeid.startswith(f"{guard.test}[")


def choose(guards: list[Guard]) -> tuple[list[Guard], str, bool]:
    """The guards that the command line asks for, why these, and whether the tests run with all guards in first."""
    parser = argparse.ArgumentParser(description="Take out guards one at a time; their tests must notice.")
    parser.add_argument("rules", nargs="*", help="only the guards of these rules")
    parser.add_argument("--since", metavar="REF", help="only guards that the changes since the branch left REF concern")
    wanted = parser.parse_args()
    if wanted.since:
        return *concerned(guards, wanted.since), False
    chosen = [guard for guard in guards if not wanted.rules or guard.rule in wanted.rules]
    return chosen, "named on the command line" if wanted.rules else "all", True


def main() -> None:
    os.chdir(ROOT)
    os.environ.pop("PYTEST_ADDOPTS", None)  # meant for the caller's own run of the tests
    guards = load()
    problems = list(find_problems(guards, marked_tests()))
    chosen, why, unbroken = choose(guards)
    for problem in problems:
        print(problem, flush=True)
    for name in ("src", "tests"):  # so that every run starts with bytecode
        compileall.compile_dir(ROOT / name, quiet=2, rx=re.compile("tests/rules"))
    if chosen and not problems:
        warm()
        with tempfile.TemporaryDirectory() as folder:
            compiled = Path(folder) / "src"
            shutil.copytree(ROOT / "src", compiled)
            files = sorted({guard.test_file for guard in chosen})
            groups = [Group(file, tuple(each for each in chosen if each.test_file == file), compiled, unbroken) for file in files]
            groups.sort(key=lambda group: -len(group.guards))  # the longest first, so that both ends of the pool end together
            with ProcessPoolExecutor(os.cpu_count() or 2, get_context("fork")) as pool:
                for found in pool.map(try_group, groups):
                    problems += found
                    for problem in found:
                        print(problem, flush=True)
    print(f"{len(chosen)} of {len(guards)} guards taken out one at a time ({why}), {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
