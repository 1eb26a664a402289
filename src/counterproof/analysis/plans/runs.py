"""Commands of a plan that run tests: which files, and what of them.

Always: a command counts only where every word of it is understood. A word that runners take for a part of a path counts where
one file alone, of the tree and of the plan together, has it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from counterproof.analysis.plans.blocks import is_test_path
from counterproof.analysis.plans.case import Case
from counterproof.model.plan.outline import Intent, Mention

MAX_LINE = 1_000
_SCRIPT_RUNS = r"\bvitest(?:[ \t]+run)?|\bjest|\b(?:npm|pnpm|yarn)(?:[ \t]+run)?[ \t]+test"
_RUN = re.compile(
    rf"(?:(?P<filters>{_SCRIPT_RUNS})|(?P<pytest>\bpytest)|\bbun[ \t]+test|(?<![\w-])node(?:[ \t]+--import[ \t]+tsx)?[ \t]+--test"
    r"|\bphpunit)\b(?P<rest>[^\n`|;&]{0,600})"
)
_CARGO = re.compile(r"\bcargo[ \t]+test\b(?P<rest>[^\n`|;&]{0,300})")
_TARGET = re.compile(r"--test[ =]([\w-]{1,80})")
_CARGO_OPTIONS = re.compile(
    r"(?:[ \t]+(?:(?:-p|--package|--manifest-path)[ =][\w./-]{1,120}|--(?:offline|locked|quiet|release)|-q))*[ \t]*"
)
_CLASS = re.compile(
    r"\bmvnw?\b[^\n`|;&]{0,200}[ \t]test[ \t][^\n`|;&]{0,80}-Dtest=(?P<java>\w{1,80})(?![\w#*,.])"
    r"|\bswift[ \t]+test\b[^\n`|;&]{0,120}--filter[ =](?P<swift>\w{1,80})(?![\w/.])"
)
"""Runs of one class, which stands in the file of its name."""
_OTHER = re.compile(
    r"\b(?:go|dotnet|gradlew?|mvnw?|swift|mix|rspec|ctest|deno|flutter|dart|make|just|tox|nox|playwright)\b[^\n`]{0,40}\btests?\b"
    r"|\brspec\b|\bplaywright\b|\bxcodebuild\b"
)
_OPTIONS = re.compile(r"(?:[ \t]+(?:run|--|\./|-[\w-]{1,40}(?:=[\w.,:/-]{1,80})?|no:\w{1,40}|\d?>[\w./&]{0,40}))*[ \t]*")
"""What may stand beside the files of a command without changing which tests are run."""
_FILE = re.compile(r"(?<![\w/.-])(?:[\w.@+-]{1,80}/){0,14}[\w.@+-]{1,80}\.(?:py|tsx?|jsx?|mjs|cjs|php)(?![\w:/])")
_CHOSEN = re.compile(
    r"(?<![\w/.-])(?P<path>(?:[\w.@+-]{1,80}/){0,14}[\w.@+-]{1,80}\.py)(?P<names>(?:::\w{1,120}){1,2})(?![\w:/\[])"
)
_WORD = re.compile(r"(?<=[ \t])(?:--testPathPatterns?[ =])?(?P<word>[A-Za-z][\w./-]{3,80})(?=[ \t]|\Z)")
_NARROW = re.compile(
    r"(?<!\S)-(?:k|t|m)\b|--(?:testNamePattern|test-name-pattern|grep|filter[ =]\S*test|deselect|lf|ff|ignore|co)\b|--collect"
)
_IS_TEST = re.compile(r"(?:\.|-|_)(?:test|spec)\.\w{2,3}\Z|/__tests__/")


@dataclass(frozen=True, slots=True)
class Run:
    """A command that runs tests. `files` are paths, each with the classes and functions that are chosen of it; all if none is."""

    line: int
    files: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(path for path, _ in self.files)


def runs_tests(text: str) -> bool:
    """Whether a line holds a command that runs tests, understood or not."""
    return any(pattern.search(text[:MAX_LINE]) for pattern in (_RUN, _CARGO, _CLASS, _OTHER))


def runs_of(case: Case) -> Iterator[Run]:
    """The commands that run files of tests, whole or by the names of tests."""
    for number, line in enumerate(case.lines, 1):
        files = _files(case, line[:MAX_LINE])
        if files:
            yield Run(number, files)


def _files(case: Case, text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    run, cargo, alone = _RUN.search(text), _CARGO.search(text), _CLASS.search(text)
    if run:
        return _named(case, run)
    if cargo:
        named = _TARGET.findall(cargo["rest"])
        plain = _CARGO_OPTIONS.fullmatch(_TARGET.sub("", cargo["rest"]))
        return tuple((f"tests/{each}.rs", ()) for each in named) if plain else ()
    if alone:
        return ((f"{alone['java']}.java" if alone["java"] else f"{alone['swift']}.swift", ()),)
    return ()


def _named(case: Case, run: re.Match[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    rest = run["rest"]
    chosen: dict[str, list[str]] = {}
    for match in _CHOSEN.finditer(rest) if run["pytest"] else ():
        chosen.setdefault(match["path"].removeprefix("./"), []).append(match["names"][2:].replace("::", "."))
    rest = _CHOSEN.sub("", rest)
    whole = [path.removeprefix("./") for path in _FILE.findall(rest)]
    rest = _FILE.sub("", rest)
    words = list(_WORD.finditer(rest)) if run["filters"] and not (whole or chosen) else []
    if len(words) == 1 and words[0]["word"] != "run":
        whole = _holding(case, words[0]["word"])
        rest = rest[: words[0].start()] + rest[words[0].end() :]
    if _NARROW.search(rest) or not _OPTIONS.fullmatch(rest) or set(whole) & set(chosen):
        return ()
    return (*((path, ()) for path in dict.fromkeys(whole)), *((path, tuple(names)) for path, names in chosen.items()))


def _holding(case: Case, word: str) -> list[str]:
    """The only file of tests whose path holds a word."""
    made = {each.text for each in case.of(Mention.FILE) if each.intent is Intent.CREATES} | {code.path for code in case.codes}
    paths = {case.ground.resolve(each) or each for each in made} | set(case.ground.project.files)
    found = [path for path in paths if word.lower() in path.lower() and _IS_TEST.search(path) and is_test_path(path)]
    return found if len(found) == 1 else []
