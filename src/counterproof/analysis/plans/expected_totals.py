"""Doubts about the number of tests that a plan expects to pass, if the plan contains all of these tests.

Invariant: only commands that run one file which the repository does not contain, and only if all blocks for it can be counted. A
block may replace those above it or extend them: both totals are accepted.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.block_files import endings_of
from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Evidence
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.plans.tests_written import tests_in
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


def runs_tests(text: str) -> bool:
    """Return True if a line contains a test command, recognised or not."""
    return any(pattern.search(text[:MAX_LINE]) for pattern in (_RUN, _OTHER))


def wrong_totals(case: Case) -> Iterator[Doubt]:
    """Expected totals that differ from the number of tests in the plan."""
    seen: set[str] = set()
    for number, line in enumerate(case.lines, 1):
        run = _RUN.search(line[:MAX_LINE])
        path = _named(run) if run else ""
        outcome = _told(case, number) if path and path not in seen else None
        codes = _whole(case, path, outcome[0]) if outcome else []
        totals = _totals(codes, path) if codes else set[int]()
        if outcome and totals and outcome[1] not in totals:
            seen.add(path)
            yield _differs(case, *outcome, path, max(totals), [f"plan:{code.block.first}" for code in codes])


def _named(run: re.Match[str]) -> str:
    """The only file of a command; '' if it runs several, or only a part of their tests."""
    paths = _FILE.findall(run["rest"])
    rest = _FILE.sub("", run["rest"])
    return paths[0].removeprefix("./") if len(paths) == 1 and not _NARROW.search(rest) and _OPTIONS.fullmatch(rest) else ""


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


def _whole(case: Case, path: str, line: int) -> list[Code]:
    """All blocks of a new file above a line; empty if other tests may be in it."""
    blocks = [code for code in case.codes if code.block.first < line and not code.is_old]
    own = [code for code in blocks if code.path and _same(code.path, path)]
    if case.ground.count(path) or not own or any(_speaks_of_tests(case, at) for at in range(own[0].block.first, line)):
        return []  # prose may ask for tests that no block contains
    ending = f".{path.rpartition('.')[2]}"
    lost = any(not code.path and code.is_test and ending in endings_of(code.language) for code in blocks)
    return [] if lost else own  # a test block with an unknown file may belong to this one


def _totals(codes: list[Code], path: str) -> set[int]:
    """The possible totals of a file: of all blocks, or of one that replaces the others; empty if they cannot be counted."""
    read = [tests for code in codes if (tests := tests_in(code, path)) is not None]
    every = {name: count for tests in read for name, count in tests.items()}
    return {sum(tests.values()) for tests in (every, *read)} if len(read) == len(codes) else set()


def _speaks_of_tests(case: Case, line: int) -> bool:
    """Return True if a prose line mentions tests and is not a label, a heading or a command."""
    text = FILE.sub("", case.line(line)[:MAX_TOLD])
    leads = text.rstrip(" *_").endswith(":") or text.lstrip(" -*_[]xX").startswith(("#", "Step", "Run", "Expect"))
    said = line not in case.code_lines and re.search(r"\btests?\b", text, re.IGNORECASE) is not None
    return said and not leads and not runs_tests(case.line(line))


def _same(one: str, other: str) -> bool:
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")


def _differs(case: Case, line: int, number: int, path: str, count: int, places: list[str]) -> Doubt:
    return Doubt(
        Evidence.MISCOUNTED,
        f"{counted(number, 'test')} in {path}",
        f"{case.where(line)} expects {counted(number, 'test')} in `{path}` to pass",
        f"`{path}` has {counted(count, 'test')} then; they are written at {', '.join(places[:5])}",
        "The expected outcome cannot come about: a good run looks like a bad one",
        f"Expect {count}, or {'write what is missing' if count < number else 'take out what is too much'}",
        lines=(line,),
        places=tuple(dict.fromkeys(places)),
    )
