"""The list of guards in `tests/guards/*.toml`: its entries, what is wrong with them, and which of them a change concerns.

A guard is an exact piece of code that enforces a rule, what to put in its place, and the test that notices. Always holds: an
entry whose code or test is gone is an error, whether or not the guard is chosen. Does not belong here: taking guards out.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from zlib import crc32

from change_base import base_of, git
from rule_marks import ROOT

FOLDER = "tests/guards"
FOR_ALL = (
    "scripts/break_guards.py",
    "scripts/guards.py",
    "scripts/cold_trial.py",
    "scripts/failure_kinds.py",
    "scripts/swap_code.py",
)
"""A change in one of these concerns every guard."""
PARTS = 8
"""Without a base to compare with, one part of so many is tried, another one every day."""


@dataclass(frozen=True)
class Guard:
    rule: str
    file: str
    old: str
    new: str
    test: str

    @property
    def test_file(self) -> str:
        return self.test.partition("::")[0]

    def break_source(self, source: str) -> str:
        return source.replace(self.old, self.new)


def load() -> list[Guard]:
    return [guard for path in sorted((ROOT / FOLDER).glob("*.toml")) for guard in parse(path.read_text(encoding="utf-8"))]


def parse(text: str) -> list[Guard]:
    return [
        Guard(each["rule"], each["file"], each["old"].strip("\n"), each["new"].strip("\n"), each.get("test", ""))
        for each in tomllib.loads(text).get("guard", [])
    ]


def find_problems(guards: list[Guard], tests: dict[str, list[str]]) -> Iterator[str]:
    """What is wrong with the list itself. `tests` has the tests of each rule as `file::test`."""
    for rule in sorted(set(tests) - {guard.rule for guard in guards}):
        yield f"{rule}: held by tests but no guard is listed"
    for guard in guards:
        path = ROOT / guard.file
        times = path.read_text(encoding="utf-8").count(guard.old) if path.is_file() else 0
        if times != 1:
            yield f"{guard.rule}: the guard stands {times} times in {guard.file}, expected once: {guard.old!r}"
        name = guard.test.partition("[")[0].split("::")
        if f"{name[0]}::{name[-1]}" not in tests.get(guard.rule, []):
            yield f"{guard.rule}: names {guard.test or 'no test'}, which is not a test marked with the rule ({guard.file})"


def concerned(guards: list[Guard], ref: str) -> tuple[list[Guard], str]:
    """The guards that the changes since the branch left `ref` concern, and why these. Where that commit is unknown or HEAD
    itself, today's part of all."""
    base = base_of(ref)
    if not base:
        today = datetime.now(UTC).date()
        return [guard for guard in guards if in_part(guard, today)], f"the part of {today}, no commit since {ref}"
    files = {*git("diff", "--name-only", base).splitlines(), *git("ls-files", "--others", "--exclude-standard").splitlines()}
    lists = git("ls-tree", "--name-only", base, f"{FOLDER}/").splitlines()
    before = {guard for each in lists for guard in parse(git("show", f"{base}:{each}"))}
    chosen = [guard for guard in guards if guard not in before or concerns(files, guard)]
    return chosen, f"{len(files)} files changed since {base[:12]}"


def concerns(files: set[str], guard: Guard) -> bool:
    """Whether a change of `files` concerns the guard: its source, its test, or what all tests share."""
    folders = [file.removesuffix("conftest.py") for file in files if file.endswith("conftest.py")]
    return guard.test.startswith(tuple(folders)) or not files.isdisjoint({guard.file, guard.test_file, *FOR_ALL})


def in_part(guard: Guard, day: date) -> bool:
    return crc32(f"{guard.rule} {day}".encode()) % PARTS == 0
