"""The test commands in a plan: which files they run, and which tests in these files.

Invariant: a command counts only if each of its words is recognised.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.case import Case

MAX_LINE = 1_000
_RUN = re.compile(
    r"(?:(?P<pytest>\bpytest)|\bvitest(?:[ \t]+run)?|\bjest|\b(?:npm|pnpm|yarn)(?:[ \t]+run)?[ \t]+test|\bbun[ \t]+test"
    r"|(?<![\w-])node[ \t]+--test)\b(?P<rest>[^\n`|;&]{0,600})"
)
_OTHER = re.compile(
    r"\b(?:cargo|go|dotnet|gradlew?|mvnw?|swift|mix|deno|flutter|make|just|tox|nox|playwright)\b[^\n`]{0,40}\btests?\b|\brspec\b|\bphpunit\b"
)
_OPTIONS = re.compile(r"(?:[ \t]+(?:run|--|\./|-[\w-]{1,40}(?:=[\w.,:/-]{1,80})?|no:\w{1,40}|\d?>[\w./&]{0,40}))*[ \t]*")
"""Options of a command that do not change which tests run."""
_FILE = re.compile(r"(?<![\w/.-])(?:[\w.@+-]{1,80}/){0,14}[\w.@+-]{1,80}\.(?:py|tsx?|jsx?|mjs|cjs)(?![\w:/])")
_CHOSEN = re.compile(
    r"(?<![\w/.-])(?P<path>(?:[\w.@+-]{1,80}/){0,14}[\w.@+-]{1,80}\.py)(?P<names>(?:::\w{1,120}){1,2})(?![\w:/\[])"
)
_NARROW = re.compile(r"(?<!\S)-(?:k|t|m)\b|--(?:testNamePattern|test-name-pattern|grep|deselect|lf|ff|ignore|co)\b|--collect")


@dataclass(frozen=True, slots=True)
class Run:
    """A command that runs tests. `files` are paths, each with its selected classes and functions; all if none is selected."""

    line: int
    files: tuple[tuple[str, tuple[str, ...]], ...]


def runs_tests(text: str) -> bool:
    """Return True if a line contains a test command, recognised or not."""
    return any(pattern.search(text[:MAX_LINE]) for pattern in (_RUN, _OTHER))


def runs_of(case: Case) -> Iterator[Run]:
    """The commands that run test files or selected tests."""
    for number, line in enumerate(case.lines, 1):
        run = _RUN.search(line[:MAX_LINE])
        files = _named(run) if run else ()
        if files:
            yield Run(number, files)


def _named(run: re.Match[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rest = run["rest"]
    chosen: dict[str, list[str]] = {}
    for match in _CHOSEN.finditer(rest) if run["pytest"] else ():
        chosen.setdefault(match["path"].removeprefix("./"), []).append(match["names"][2:].replace("::", "."))
    rest = _CHOSEN.sub("", rest)
    whole = [path.removeprefix("./") for path in _FILE.findall(rest)]
    rest = _FILE.sub("", rest)
    if _NARROW.search(rest) or not _OPTIONS.fullmatch(rest) or set(whole) & set(chosen):
        return ()
    return (*((path, ()) for path in dict.fromkeys(whole)), *((path, tuple(names)) for path, names in chosen.items()))
