"""Doubts about the number of tests that a plan expects to pass, if the plan contains all of these tests.

Invariant: only commands that run files which the plan creates or extends, and only if all blocks for these files can be counted.
If a block may replace its file or extend it, both totals are accepted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.block_files import endings_of
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.plans.tests_written import Tests, tests_in
from counterproof.model.counting import counted

MAX_LINE = 1_000
_RUN = re.compile(
    r"(?:\bpytest|\bvitest(?:[ \t]+run)?|\bjest|\b(?:npm|pnpm|yarn)(?:[ \t]+run)?[ \t]+test|\bbun[ \t]+test"
    r"|(?<![\w-])node[ \t]+--test)\b(?P<rest>[^\n`|;&]{0,600})"
)
_OTHER = re.compile(
    r"\b(?:cargo|go|dotnet|gradlew?|mvnw?|swift|mix|deno|flutter|make|just|tox|nox|playwright)\b[^\n`]{0,40}\btests?\b|\brspec\b|\bphpunit\b"
)
_OPTIONS = re.compile(r"(?:[ \t]+(?:run|--|\./|-[\w-]{1,40}(?:=[\w.,:/-]{1,80})?|no:\w{1,40}|\d?>[\w./&]{0,40}))*[ \t]*")
"""Options of a command that do not change which tests run."""
_FILE = re.compile(r"(?<![\w/.-])(?:[\w.@+-]{1,80}/){0,14}[\w.@+-]{1,80}\.(?:py|tsx?|jsx?|mjs|cjs)(?![\w:/])")
_NARROW = re.compile(r"(?<!\S)-(?:k|t|m)\b|--(?:testNamePattern|test-name-pattern|grep|deselect|lf|ff|ignore|co)\b|--collect")
REACH = 6
"""The number of lines after a command in which its outcome is expected."""
MAX_TOLD = 400
_TOTAL = (
    re.compile(
        r"(?<![\d/.~≈+-])(?P<n>\d{1,3})(?:[ \t]*/[ \t]*(?P=n))?[ \t]+(?:tests?[ \t]+|cases[ \t]+)?(?:pass(?:ed|ing"
        r"|es)?|green)\b(?![ \t]*[/\d])",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bpass(?:ed|es|ing)?\b[ \t`*:,—–(-]{1,6}(?:all[ \t]+)?(?P<n>\d{1,3})[ \t]*(?:tests?|cases|passed|/[ \t]*(?P=n))\b",
        re.IGNORECASE,
    ),
)
_VAGUE = re.compile(
    r"\b(?:fail\w{0,4}|new|more|additional|existing|original|previous|prior|about|around|at least|or|plus|skip\w{0,4}"
    r"|errors?|suites?|files?|still|first|other)\b|[~≈+≥]",
    re.IGNORECASE,
)
"""Words next to a number that is not the total of a run."""
_MARKED = re.compile(r"`[^`\n]{1,400}`")
_OPENS = re.compile(
    r"\s{0,20}(?:(?://|#|/\*|\"\"\"|[\"']use )[^\n]{0,200}\n\s{0,20}){0,10}(?:import|from"
    r"|const[ \t]+[\w{} ,]{1,80}=[ \t]*require)\b"
)
"""The start of a block that begins like a file."""


@dataclass(frozen=True, slots=True)
class Run:
    """A command that runs the tests of these files."""

    line: int
    files: tuple[str, ...]


def runs_tests(text: str) -> bool:
    """Return True if a line contains a test command, recognised or not."""
    return any(pattern.search(text[:MAX_LINE]) for pattern in (_RUN, _OTHER))


def runs_of(case: Case) -> Iterator[Run]:
    for number, line in enumerate(case.lines, 1):
        run = _RUN.search(line[:MAX_LINE])
        files = _named(run) if run else ()
        if files:
            yield Run(number, files)


def _named(run: re.Match[str]) -> tuple[str, ...]:
    """The files of a command; none if it runs only a part of their tests."""
    paths = [path.removeprefix("./") for path in _FILE.findall(run["rest"])]
    rest = _FILE.sub("", run["rest"])
    return () if _NARROW.search(rest) or not _OPTIONS.fullmatch(rest) else tuple(dict.fromkeys(paths))


def wrong_totals(case: Case) -> Iterator[Doubt]:
    """Expected totals that differ from the number of tests in the plan and the repository."""
    seen: set[tuple[str, ...]] = set()
    for run, at, number in _outcomes(case):
        found = _possible(case, run, at) if run.files not in seen else None
        if found and number not in found[0]:
            seen.add(run.files)
            yield _differs(case, at, number, run, *found)


def _outcomes(case: Case) -> Iterator[tuple[Run, int, int]]:
    for run in runs_of(case):
        outcome = _told(case, run.line)
        if outcome:
            yield run, *outcome


def _told(case: Case, line: int) -> tuple[int, int] | None:
    """(line, total) of the outcome expected from the command on a line."""
    for at in range(line, min(line + REACH, len(case.lines)) + 1):
        text = case.line(at)[:MAX_TOLD]
        if at > line and (runs_tests(text) or text.startswith("#")):
            return None
        if any(pattern.search(text) for pattern in _TOTAL):
            number = _number(text)
            return (at, number) if number else None
    return None


def _number(line: str) -> int:
    """The exact total that a line states; 0 if it states none or several."""
    text = _MARKED.sub(lambda match: " " * len(match[0]) if runs_tests(match[0]) else match[0], line[:MAX_TOLD])
    text = FILE.sub(lambda match: " " * len(match[0]), text)
    found = [match for pattern in _TOTAL for match in pattern.finditer(text)]
    vague = any(_VAGUE.search(f"{text[: match.start()][-60:]} {_beside(text, match.end())}") for match in found)
    numbers = {int(match["n"]) for match in found}
    return numbers.pop() if len(numbers) == 1 and not vague else 0


def _beside(text: str, end: int) -> str:
    """The words directly after a number, up to a bracket or colon."""
    return re.split(r"[(（—–:：]", text[end : end + 12])[0]


def _possible(case: Case, run: Run, line: int) -> tuple[set[int], list[str]] | None:
    """(possible totals of the run files at a line of the plan, locations of the tests); None if they cannot be counted."""
    sums, places = {0}, list[str]()
    for path in run.files:
        counts = _counts(case, path, line)
        if counts is None:
            return None
        sums = {one + other for one in sums for other in counts[0]}
        places += counts[1]
    return sums, places


def _counts(case: Case, path: str, line: int) -> tuple[set[int], list[str]] | None:
    ending = path.rpartition(".")[2]
    held = case.ground.resolve(path)
    made = case.makes_file(path)
    if case.ground.count(path) > 1 or not (held or made):
        return None  # the file or its content is unknown
    start: Tests | None = tests_in(case.ground.text(held), ending) if held else {}
    blocks = [code for code in case.codes if code.block.first < line and not code.is_old]
    own = [code for code in blocks if code.path and _same(code.path, path)]
    if start is None or not own or any(code.block.language == "diff" for code in own):
        return None
    if any(_speaks_of_tests(case, at) for at in range(own[0].block.first, line)):
        return None  # prose may ask for tests that no block contains
    read = [tests for code in own if (tests := tests_in(code.text, ending)) is not None]
    if len(read) < len(own) or any(re.search(r"(?m)^def test\w*\(self", code.text) for code in own):
        return None
    if any(not code.path and code.is_test and f".{ending}" in endings_of(code.language) for code in blocks):
        return None  # a test block with an unknown file may belong to this one
    every: Tests = dict(start)
    for tests in read:
        every.update(tests)
    later = [tests_in(code.text, ending) or {} for code in case.codes if code.block.first > line and _same(code.path, path)]
    first = {
        name: count
        for name, count in every.items()
        if any(name in each for each in read) or not any(name in each for each in later)
    }
    totals = {sum(every.values()), sum(first.values())}  # later steps may be implemented already
    if len(own) > 1 or made or any(_OPENS.match(code.text) for code in own):  # a block may be the whole file
        totals |= {sum(tests.values()) for tests in read}
    return totals, [*([f"{held}:1"] if start else []), *(f"plan:{code.block.first}" for code in own)]


def _speaks_of_tests(case: Case, line: int) -> bool:
    """Return True if a prose line mentions tests and is not a label, a heading or a command."""
    text = FILE.sub("", case.line(line)[:MAX_TOLD])
    leads = text.rstrip(" *_").endswith(":") or text.lstrip(" -*_[]xX").startswith(("#", "Step", "Run", "Expect"))
    said = line not in case.code_lines and re.search(r"\btests?\b", text, re.IGNORECASE) is not None
    return said and not leads and not runs_tests(case.line(line))


def _same(one: str, other: str) -> bool:
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")


def _differs(case: Case, line: int, number: int, run: Run, counts: set[int], places: list[str]) -> Doubt:
    most = max(counts)
    named, have = ", ".join(f"`{path}`" for path in run.files), "has" if len(run.files) == 1 else "have"
    return Doubt(
        Evidence.MISCOUNTED,
        f"{counted(number, 'test')} in {', '.join(run.files)}",
        f"{case.where(line)} expects {counted(number, 'test')} in {named} to pass",
        f"{named} {have} {counted(most, 'test')} then; they are written at {', '.join(places[:5])}",
        "The expected outcome cannot come about: a good run looks like a bad one",
        f"Expect {most}, or {'write what is missing' if most < number else 'take out what is too much'}",
        lines=(line,),
        places=tuple(dict.fromkeys(places)),
    )
