"""Where the processor time of a quick audit goes: by phase, folder, rule and function, over all threads and processes.

    python benchmarks/profile.py TREE [--mode quick] [--warm] [--top 25]

Every Python process of the audit samples itself: a thread wakes every few milliseconds, reads the processor clock of each other
thread, and books what that thread used since to the functions that it is in. Waiting costs nothing and is not counted; the
sampler's own time is left out. `--warm` profiles a second audit of the same tree.

Columns: `own` is the time in code of that folder or function itself, with what it calls outside of Counterproof; `asked for` is
all time below its outermost call. A folder is asked for by one phase at a time, so that column adds up; a rule and a function
may be below another one.
"""

import argparse
import atexit
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

INTERVAL = 0.004
KEEP = 0.5
"""Seconds between two times that what was sampled is written down; a process may be ended at any moment."""

PACKAGE = f"{os.sep}counterproof{os.sep}"
Stack = tuple[str, ...]
"""Functions of Counterproof as `path:name`, outermost first."""


class Sampler:
    """Samples the process that it is started in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._used: Counter[Stack] = Counter()
        self._clocks: dict[int, float] = {}
        sys.setswitchinterval(INTERVAL / 8)  # or the clock is read where threads wait rather than where they work
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        kept = time.monotonic()
        while True:
            time.sleep(INTERVAL)
            self._sample()
            if time.monotonic() - kept > KEEP:
                self.keep()
                kept = time.monotonic()

    def _sample(self) -> None:
        own = threading.get_ident()
        for thread, frame in sys._current_frames().items():  # pyright: ignore[reportPrivateUsage]
            clock = time.clock_gettime(time.pthread_getcpuclockid(thread))
            used = clock - self._clocks.get(thread, 0.0)
            self._clocks[thread] = clock
            if thread != own and used > 0:
                self._used[_stack(frame)] += used

    def keep(self) -> None:
        rows = [[*stack, used] for stack, used in [*self._used.items()]]
        draft = self._folder / f".{os.getpid()}"
        draft.write_text(json.dumps(rows))
        draft.rename(self._folder / f"{os.getpid()}.json")


def _stack(frame: FrameType | None) -> Stack:
    found: list[str] = []
    loading = False
    while frame is not None:
        path = frame.f_code.co_filename
        if PACKAGE in path:
            found.append(f"{path.rpartition(PACKAGE)[2]}:{frame.f_code.co_name}")
        loading = loading or path.startswith("<frozen importlib")
        frame = frame.f_back
    return ("imports:",) if loading else tuple(reversed(found)) or ("outside:",)


def sample_process(folder: str) -> None:
    """Called in each process as Python starts, and in the child after a fork."""

    samplers = [Sampler(Path(folder))]

    def start_again() -> None:
        samplers[:] = [Sampler(Path(folder))]

    atexit.register(lambda: samplers[0].keep())
    os.register_at_fork(after_in_child=start_again)


_START = """
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("processor_profile", {file!r})
module = module_from_spec(spec)
spec.loader.exec_module(module)
module.sample_process({folder!r})
"""


def audit(tree: Path, mode: str, place: Path, samples: Path) -> None:
    """One audit in processes that sample themselves."""
    starting = place / "starting"
    starting.mkdir(exist_ok=True)
    (starting / "sitecustomize.py").write_text(_START.format(file=str(Path(__file__).resolve()), folder=str(samples)))
    samples.mkdir()
    paths = os.pathsep.join(filter(None, (str(starting), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "COUNTERPROOF_HOME": str(place / "home"), "PYTHONPATH": paths}
    command = [sys.executable, "-P", "-m", "counterproof", "audit", str(tree), "--mode", mode, "--yes", "-q"]
    subprocess.run([*command, "--out", str(place / "out")], env=environment, check=False, stdout=subprocess.DEVNULL)


def read(samples: Path) -> Counter[Stack]:
    total: Counter[Stack] = Counter()
    for path in samples.glob("*.json"):
        for *stack, used in json.loads(path.read_text()):
            total[tuple(stack)] += used
    return total


def folder_of(function: str) -> str:
    parts = function.partition(":")[0].split("/")
    return "/".join(parts[: 2 if parts[0] == "analysis" else 1]).removesuffix(".py")


def rule_of(function: str) -> str:
    parts = function.partition(":")[0].split("/")
    return "/".join(parts[2:-1]) if parts[:2] == ["analysis", "rules"] else ""


_BETWEEN = frozenset({"analysis/families", "analysis/project", "analysis/reuse", "analysis/cache"})
"""What hands work on; the folder below it is the one that is asked for."""


def phase_of(stack: Stack) -> str:
    inside = [folder_of(each) for each in stack]
    asked = (each for each in inside if each.startswith("analysis/") and each not in _BETWEEN)
    return next(asked, inside[-1])


def family_of(rule: str) -> str:
    return rule.partition("/")[0]


def below(total: Counter[Stack], name: str) -> Iterator[tuple[str, float]]:
    """Time by function, each once per stack; or by rule, or by family of rules."""
    named = {"function": lambda each: each, "rule": rule_of, "family": lambda each: family_of(rule_of(each))}[name]
    for stack, used in total.items():
        yield from ((each, used) for each in {named(each) for each in stack} if each)


def summed(rows: Iterator[tuple[str, float]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, used in rows:
        found[name] += used
    return found


def table(title: str, columns: dict[str, Counter[str]], top: int, total: float) -> None:
    print(f"\n## {title}\n\n| | {' | '.join(columns)} | % |\n|---|{'---|' * (len(columns) + 1)}")
    first = next(iter(columns.values()))
    for name, used in first.most_common(top):
        cells = " | ".join(f"{each[name]:.2f}" for each in columns.values())
        print(f"| {name} | {cells} | {100 * used / total:.1f} |")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("tree", type=Path)
    options.add_argument("--mode", default="quick")
    options.add_argument("--warm", action="store_true")
    options.add_argument("--top", type=int, default=25)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        samples = place / "samples"
        audit(given.tree.resolve(), given.mode, place, samples)
        if given.warm:
            samples = place / "again"
            audit(given.tree.resolve(), given.mode, place, samples)
        total, processes = read(samples), len(list(samples.glob("*.json")))
    seconds = sum(total.values())
    print(f"{given.tree.name}, {given.mode}, {'unchanged' if given.warm else 'cold'}: {seconds:.1f} s in {processes} processes")
    own = summed((folder_of(stack[-1]), used) for stack, used in total.items())
    asked = summed((phase_of(stack), used) for stack, used in total.items())
    table("Phases: the folder that was asked for", {"asked for": asked, "own": own}, given.top, seconds)
    table("Folders: where the time is spent", {"own": own, "asked for": asked}, given.top, seconds)
    table("Families of rules", {"below": summed(below(total, "family"))}, given.top, seconds)
    table("Rules", {"below": summed(below(total, "rule"))}, given.top, seconds)
    spent = summed((stack[-1], used) for stack, used in total.items())
    inside = summed(below(total, "function"))
    table("Functions by own time", {"own": spent, "below": inside}, given.top, seconds)
    table("Functions by all time below them", {"below": inside, "own": spent}, 2 * given.top, seconds)


if __name__ == "__main__":
    main()
