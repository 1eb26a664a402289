"""Takes out each rule's guard, one at a time, and checks that a test marked with the rule fails.

    python scripts/break_guards.py            every guard in tests/guards/*.toml
    python scripts/break_guards.py A16 A29    only these rules
    python scripts/break_guards.py --note     write into each entry that has none the test that noticed

A rule that nobody would miss is not enforced. A guard is an exact piece of code and what to put in its place; a piece
that no longer stands in the file exactly once is an error, so the list cannot rot silently. The test that an entry names runs
first; where it does not fail, or is gone, all tests of the rule run. The work tree is not touched:
each break happens in a copy. The script also fails when a held protocol rule has no guard on the list.
"""

import compileall
import gc
import importlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
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
from generate_docs import ROOT, marked_tests
from swap_code import Place, functions, swap

ONLY_WHETHER = (
    "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-profile=first failure"
)  # fmt: skip
"""How pytest is run when nobody reads why a test failed: nothing is prepared for explaining it."""

WARM = ("httpx", "hypothesis.stateful", "pydantic_ai", "rich.console", "sqlite3", "tree_sitter", "typer.testing")
"""What many tests import and no guard changes: loaded once, then every run is a fork that has it already."""

FAILED = re.compile(r"^FAILED ([\w/.]+\.py(?:::\w+)+)(\[[\w./-]+\](?= - |$))?", re.MULTILINE)
"""The test in pytest's closing lines; its parameters only where they can stand in a list as they are."""

LONGEST = 600
"""Seconds after which tests that still run are taken for hanging."""


LIVE: dict[Place, list[FunctionType]] = {}
"""The package's functions as every fork gets them."""


@dataclass(frozen=True)
class Guard:
    rule: str
    file: str
    old: str
    new: str
    test: str

    def broken(self, source: str) -> str:
        return source.replace(self.old, self.new)


@dataclass(frozen=True)
class Trial:
    """A guard to take out, the test files that should notice, and the compiled source to take the other files from."""

    guard: Guard
    files: tuple[str, ...]
    compiled: Path


def load() -> list[Guard]:
    lists = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tests" / "guards").glob("*.toml"))]
    guards = [each for entries in lists for each in entries["guard"]]
    return [
        Guard(each["rule"], each["file"], each["old"].strip("\n"), each["new"].strip("\n"), each.get("test", ""))
        for each in guards
    ]


def warm() -> None:
    """Imports what the forks share. Optional parts that are not installed are left to the tests, which say so themselves."""
    for entry in entry_points(group="pytest11"):
        entry.load()
    for name in WARM:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
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


@dataclass(frozen=True)
class Answer:
    """What is wrong with a guard, or the test that fails without it."""

    problem: str = ""
    test: str = ""


def answer_of(trial: Trial) -> Answer:
    """What becomes of a rule's tests without this guard."""
    guard = trial.guard
    if not trial.files:
        return Answer(f"{guard.rule}: has a guard but no marked test")
    source = (ROOT / guard.file).read_text(encoding="utf-8")
    if source.count(guard.old) != 1:
        times = source.count(guard.old)
        return Answer(f"{guard.rule}: the guard stands {times} times in {guard.file}, expected once: {guard.old!r}")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        overlay(trial.compiled, copy, guard.file.split("/")[1:])
        (Path(folder) / guard.file).write_text(guard.broken(source), encoding="utf-8")
        log, code, said = Path(folder) / "log", None, ""
        # Once more from a cold start before a guard is said to break nothing: a fork shares more than it should now and then.
        for run, stage in [(run, stage) for run in (tested, tested_cold) for stage in stages(trial)]:
            code = run(guard, [*ONLY_WHETHER, "--rule", guard.rule, *stage], copy, log)
            said = log.read_text(encoding="utf-8", errors="replace")
            if code == pytest.ExitCode.TESTS_FAILED:
                failed = FAILED.search(said)
                return Answer(test="".join(each or "" for each in failed.groups()) if failed else "")
            if code is None:
                hangs = "the tests hang although its guard was out"
                return Answer(f"{guard.rule}: {hangs} ({guard.file}); choose a break that they can see")
    return Answer(f"{guard.rule}: pytest ended with {code} although its guard was out ({guard.file})\n{said[-600:]}")


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


def tested(guard: Guard, arguments: list[str], copy: Path, log: Path) -> int | None:
    """The exit code of pytest over `copy`, in a fork of this process; None when it hangs."""
    child = os.fork()
    if child == 0:
        run_tests(guard, arguments, copy, log)
    until, status = time.monotonic() + LONGEST, None
    while not status and time.monotonic() < until:
        status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        time.sleep(0.01)
    with suppress(ProcessLookupError):  # what the tests started ends with them, whatever became of it without the guard
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return code if status else None


def tested_cold(_: Guard, arguments: list[str], copy: Path, log: Path) -> int | None:
    """The same in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        with log.open("wb") as file:
            command = [sys.executable, "-m", "pytest", *arguments]
            return subprocess.run(command, cwd=ROOT, env=environment, stdout=file, stderr=file, timeout=LONGEST).returncode
    except subprocess.TimeoutExpired:
        return None


def run_tests(guard: Guard, arguments: list[str], copy: Path, log: Path) -> None:
    """The forked side: breaks the package where it stands in memory, or else forgets it, so that it is imported from `copy`.
    Never returns."""
    code = 70
    try:
        os.setsid()
        with log.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        os.environ["PYTHONPATH"] = str(copy)  # for the processes that tests start
        sys.path.insert(0, str(copy))
        source = (ROOT / guard.file).read_text(encoding="utf-8")
        if not swap(LIVE, str(ROOT / guard.file), source, guard.broken(source)):
            for name in [name for name in sys.modules if name.split(".")[0] == "counterproof"]:
                del sys.modules[name]
            importlib.invalidate_caches()
        main = sys.modules["__main__"] = ModuleType("__main__")  # what processes that tests spawn take for the program
        main.__spec__ = find_spec("pytest.__main__")
        code = int(pytest.main(arguments))
        sys.stdout.flush()
    finally:
        os._exit(code)


def stages(trial: Trial) -> list[list[str]]:
    """Where a failure is likely and cheap comes first: the tests of the guard's own part, then those of the pure core. A real
    browser comes last."""
    part = f"tests/{trial.guard.file.split('/')[2]}/"
    slow = [file for file in trial.files if file.endswith("_browser.py")]
    near = [file for file in trial.files if file.startswith(part) and file not in slow]
    core = [file for file in trial.files if file.startswith("tests/protocols/") and file not in near]
    rest = [file for file in trial.files if file not in {*near, *core, *slow}]
    named = [trial.guard.test] if trial.guard.test else []
    return [stage for stage in (named, near, core, rest, slow) if stage]


def note(noticed: dict[Guard, str]) -> None:
    """Write the test that noticed below the rule of each entry that names none."""
    for path in sorted((ROOT / "tests" / "guards").glob("*.toml")):
        head, *entries = path.read_text(encoding="utf-8").split("[[guard]]\n")
        for place, entry in enumerate(entries):
            each = tomllib.loads(entry)
            guard = Guard(each["rule"], each["file"], each["old"].strip("\n"), each["new"].strip("\n"), each.get("test", ""))
            if noticed.get(guard) and not guard.test:
                rule, _, rest = entry.partition("\n")
                entries[place] = f'{rule}\ntest = "{noticed[guard]}"\n{rest}'
        path.write_text("[[guard]]\n".join((head, *entries)), encoding="utf-8")


def main() -> None:
    os.chdir(ROOT)
    tests = marked_tests()
    guards = load()
    wanted = set(sys.argv[1:]) - {"--note"}
    problems = [f"{rule}: held by tests but no guard is listed" for rule in sorted(set(tests) - {guard.rule for guard in guards})]
    chosen = [guard for guard in guards if not wanted or guard.rule in wanted]

    for problem in problems:
        print(problem, flush=True)
    for name in ("src", "tests"):  # so that every run starts with bytecode
        compileall.compile_dir(ROOT / name, quiet=2, rx=re.compile("tests/rules"))
    warm()
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "src"
        shutil.copytree(ROOT / "src", compiled)
        files = {rule: tuple(sorted({name.split("::")[0] for name in names})) for rule, names in tests.items()}
        trials = [Trial(guard, files.get(guard.rule, ()), compiled) for guard in chosen]
        with ProcessPoolExecutor(os.cpu_count() or 2, get_context("fork")) as pool:
            answers = pool.map(answer_of, trials)
            noticed: dict[Guard, str] = {}
            for guard, answer in zip(chosen, answers, strict=True):
                noticed[guard] = answer.test
                if answer.problem:
                    problems.append(answer.problem)
                    print(answer.problem, flush=True)
    if "--note" in sys.argv:
        note(noticed)
    print(f"{len(chosen)} guards taken out one at a time, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
