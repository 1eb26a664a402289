"""Takes out each rule's guard, one at a time, and checks that a test marked with the rule fails.

    python scripts/break_guards.py            every guard in tests/guards/*.toml
    python scripts/break_guards.py A16 A29    only these rules

A rule that nobody would miss is not enforced. A guard is an exact piece of code and what to put in its place; a piece
that no longer stands in the file exactly once is an error, so the list cannot rot silently. The work tree is not touched:
each break happens in a copy. The script also fails when a held protocol rule has no guard on the list.
"""

import compileall
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from generate_docs import ROOT, marked_tests

ONLY_WHETHER = (
    "-q", "-x", "-p", "no:xdist", "-p", "no:cacheprovider", "--assert=plain", "--hypothesis-profile=first failure"
)  # fmt: skip
"""How pytest is run when nobody reads why a test failed: nothing is prepared for explaining it."""


@dataclass(frozen=True)
class Guard:
    rule: str
    file: str
    old: str
    new: str


def load() -> list[Guard]:
    lists = [tomllib.loads(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "tests" / "guards").glob("*.toml"))]
    guards = [each for entries in lists for each in entries["guard"]]
    return [Guard(each["rule"], each["file"], each["old"].strip("\n"), each["new"].strip("\n")) for each in guards]


def broken(guard: Guard, files: list[str], compiled: Path) -> str:
    """What is wrong with this guard; '' if its tests fail without it, as they should. `compiled` is a copy to take files from."""
    source = (ROOT / guard.file).read_text(encoding="utf-8")
    if source.count(guard.old) != 1:
        return f"{guard.rule}: the guard stands {source.count(guard.old)} times in {guard.file}, expected once: {guard.old!r}"
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(compiled, copy, copy_function=os.link)
        (Path(folder) / guard.file).unlink()  # the other copies share this file
        (Path(folder) / guard.file).write_text(source.replace(guard.old, guard.new), encoding="utf-8")
        said = ""
        for stage in stages(files):
            command = [sys.executable, "-m", "pytest", *ONLY_WHETHER, "--rule", guard.rule, *stage]
            environment = {**os.environ, "PYTHONPATH": str(copy)}
            try:
                result = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
            except subprocess.TimeoutExpired:
                return f"{guard.rule}: the tests hang although its guard was out ({guard.file}); choose a break that they can see"
            if result.returncode == 1:
                return ""
            said = f"pytest ended with {result.returncode} although its guard was out ({guard.file})\n{result.stdout[-600:]}"
    return f"{guard.rule}: {said}"


def stages(files: list[str]) -> list[list[str]]:
    """The tests of the pure core first: they are fast, and mostly they are the ones that fail. A real browser comes last."""
    core = [file for file in files if file.startswith("tests/protocols/")]
    slow = [file for file in files if file.endswith("_browser.py")]
    rest = [file for file in files if file not in core and file not in slow]
    return [stage for stage in (core, rest, slow) if stage]


def main() -> None:
    tests = marked_tests()
    guards = load()
    wanted = set(sys.argv[1:])
    problems = [f"{rule}: held by tests but no guard is listed" for rule in sorted(set(tests) - {guard.rule for guard in guards})]
    chosen = [guard for guard in guards if not wanted or guard.rule in wanted]

    for problem in problems:
        print(problem, flush=True)
    for name in ("src", "tests"):  # so that every run starts with bytecode
        compileall.compile_dir(ROOT / name, quiet=2, rx=re.compile("cases"))
    with tempfile.TemporaryDirectory() as folder:
        compiled = Path(folder) / "src"
        shutil.copytree(ROOT / "src", compiled)

        def check(guard: Guard) -> str:
            files = sorted({name.split("::")[0] for name in tests.get(guard.rule, [])})
            return broken(guard, files, compiled) if files else f"{guard.rule}: has a guard but no marked test"

        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            for problem in filter(None, pool.map(check, chosen)):
                problems.append(problem)
                print(problem, flush=True)
    print(f"{len(chosen)} guards taken out one at a time, {len(problems)} problems")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
