"""Doubts about the number of tests that a plan expects to pass, where it writes all of them itself.

Always: only for a command that runs whole files which the plan makes, or that are there and only grow, with every block of each
file read. Wherever a block, a word or a test may change the count in a way that cannot be told, nothing is said; where a block
may or may not belong to a file, both numbers are taken to be possible.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.block_files import PART, endings_of
from counterproof.analysis.plans.blocks import Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence
from counterproof.analysis.plans.naming import FILE
from counterproof.analysis.plans.tests_written import Tests, tests_in
from counterproof.model.counting import counted
from counterproof.model.plan.outline import Intent, Mention

MAX_LINE = 1_000
REACH = 6
"""Lines after a command in which its outcome is told."""
BEFORE = 12
"""Lines before a block that speak of it."""
MAX_LOOSE = 6
"""Blocks of tests for no file that are reckoned with."""
_RUN = re.compile(
    r"(?:\bpytest|\bvitest(?:[ \t]+run)?|\bjest|\bbun[ \t]+test|\bnode[ \t]+--test|\b(?:npm|pnpm|yarn)(?:[ \t]+run)?[ \t]+test)\b"
    r"(?P<rest>[^\n`|;&]{0,600})"
)
_CARGO = re.compile(r"\bcargo[ \t]+test\b(?P<rest>[^\n`|;&]{0,300})")
_TARGET = re.compile(r"--test[ =]([\w-]{1,80})")
_CARGO_OPTIONS = re.compile(r"(?:[ \t]+(?:(?:-p|--package)[ =][\w-]{1,80}|--(?:offline|locked|quiet|release)|-q))*[ \t]*")
_OPTIONS = re.compile(r"(?:[ \t]+(?:run|--|\./|-[\w-]{1,40}(?:=[\w.,:/-]{1,80})?|no:\w{1,40}|\d?>[\w./&]{0,40}))*[ \t]*")
"""What may stand beside the files of a command without changing which tests are run."""
_FILE = re.compile(r"(?<![\w/.-])(?:[\w.@+-]{1,80}/){0,14}[\w.@+-]{1,80}\.(?:py|tsx?|jsx?|mjs|cjs)(?![\w:/])")
_NARROW = re.compile(
    r"::|(?<!\S)-(?:k|t|m)\b|--(?:testNamePattern|test-name-pattern|grep|filter[ =]\S*test|deselect|lf|ff|ignore|co)\b|--collect"
)
_TOTAL = (
    re.compile(
        r"(?<![\d/.~≈+-])(?P<n>\d{1,3})[ \t]+(?:tests?[ \t]+|cases[ \t]+)?(?:pass(?:ed|ing|es)?|green)\b(?![ \t]*[/\d])",
        re.IGNORECASE,
    ),
    re.compile(
        r"\bpass(?:ed|es|ing)?\b[ \t`*:—–(（-]{1,6}(?:all[ \t]+)?(?P<n>\d{1,3})[ \t]*(?:tests?|cases|passed|/[ \t]*(?P=n)|例|个)"
        r"(?![ \t]+(?:blocks?|groups?|files?|suites?)\b)",
        re.IGNORECASE,
    ),
    re.compile(r"\ball[ \t]+(?P<n>\d{1,3})[ \t]+(?:tests?|cases)\b[^\n]{0,20}\bpass", re.IGNORECASE),
)
_VAGUE = re.compile(
    r"\b(?:fail\w{0,4}|new|more|additional|existing|original|previous|prior|about|around|roughly|approx\w{0,8}|at least|or|plus"
    r"|skip\w{0,4}|if|errors?|suites?|files?|still|first|other)\b|[~≈+≥或]",
    re.IGNORECASE,
)
"""Words beside a number by which it is no total of what is run, or no number that is meant exactly."""
_CHANGES = re.compile(
    r"\b(?:remov|delet|renam|replac|updat|rewrit|chang|mov|adjust|modif|parametri|drop)\w*\b[^\n]{0,60}\btests?\b", re.IGNORECASE
)
_ADDS = re.compile(
    r"\b(?:add|also|another|similar|additional|include|cover|extend|write)\w*\b[^\n]{0,60}\b(?:tests?|cases?|assertions?)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\s{0,20}(?:(?://|#|/\*|\"\"\"|[\"']use )[^\n]{0,200}\n\s{0,20}){0,10}"
    r"(?:import|from|use|const[ \t]+[\w{} ,]{1,80}=[ \t]*require)\b"
)
"""A block that begins as a file does."""


def wrong_totals(case: Case) -> Iterator[Doubt]:
    """Outcomes that tell another number of tests than the plan writes."""
    seen: set[tuple[str, ...]] = set()
    for line, paths in _runs(case):
        told = _told(case, line)
        if told is None or paths in seen:
            continue
        at, number = told
        found = _possible(case, paths, at)
        if found and number not in found[0]:
            seen.add(paths)
            yield _differs(at, number, paths, *found)


def _runs(case: Case) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Lines that run whole files of tests, with those files."""
    for number, line in enumerate(case.lines, 1):
        text = line[:MAX_LINE]
        match, cargo = _RUN.search(text), _CARGO.search(text)
        if match and not _NARROW.search(match["rest"]):
            paths = tuple(path.removeprefix("./") for path in _FILE.findall(match["rest"]))
            if paths and _OPTIONS.fullmatch(_FILE.sub("", match["rest"])):
                yield number, paths
        elif cargo and (named := _TARGET.findall(cargo["rest"])) and _CARGO_OPTIONS.fullmatch(_TARGET.sub("", cargo["rest"])):
            yield number, tuple(f"tests/{each}.rs" for each in named)


def _told(case: Case, line: int) -> tuple[int, int] | None:
    """(line, number) of the outcome that is told for the command of a line."""
    for at in range(line, min(line + REACH, len(case.lines)) + 1):
        text = case.line(at)[:400]
        if at > line and (_RUN.search(text) or _CARGO.search(text) or text.startswith("#")):
            return None
        found = [match for pattern in _TOTAL for match in pattern.finditer(text)]
        if found:
            vague = any(_VAGUE.search(f"{text[: match.start()][-60:]} {_beside(text, match.end())}") for match in found)
            numbers = {int(match["n"]) for match in found}
            return (at, numbers.pop()) if len(numbers) == 1 and not vague else None
    return None


def _beside(text: str, end: int) -> str:
    """The words right after a number; what adds it up stands apart from it."""
    return re.split(r"[(（—–]", text[end : end + 12])[0]


def _possible(case: Case, paths: tuple[str, ...], line: int) -> tuple[set[int], list[str]] | None:
    """(the numbers of tests that may stand in files up to a line, places of the tests); None where they cannot be told."""
    sums, places = {0}, list[str]()
    for path in paths:
        counts = _counts(case, path, line)
        if counts is None:
            return None
        sums = {one + other for one in sums for other in counts[0]}
        places += counts[1]
    return sums, places


def _counts(case: Case, path: str, line: int) -> tuple[set[int], list[str]] | None:
    ending = path.rpartition(".")[2]
    held = case.ground.resolve(path)
    made = any(each.intent is Intent.CREATES and _same(each.text, path) for each in case.of(Mention.FILE))
    if case.ground.count(path) > 1 or not (held or made):
        return None  # which file is meant, or what it holds, is not known
    start: Tests | None = tests_in(case.ground.text(held), ending) if held else {}
    blocks = [code for code in case.codes if code.block.first < line and not code.is_old]
    own = [code for code in blocks if code.path and _same(code.path, path)]
    if start is None or not own or any(code.block.language == "diff" for code in own):
        return None
    if _is_changed(case, own[0].block.first, line):
        return None
    read = [tests_in(code.text, ending) for code in own]
    if any(tests is None for tests in read) or any(re.search(r"(?m)^def test\w*\(self", code.text) for code in own):
        return None
    loose = _loose(case, blocks, path, ending)
    if loose is None:
        return None
    every: Tests = dict(start)
    for tests in read:
        every.update(tests or {})
    totals = {sum(every.values())}
    if len(own) > 1 or made or any(_OPENS.match(code.text) for code in own):  # a block may be all of the file
        totals |= {sum((tests or {}).values()) for tests in read}
    for tests in loose:
        more = {name: count for name, count in tests.items() if name not in every}
        totals |= {total + sum(more.values()) for total in totals}
    return totals, [f"plan:{code.block.first}" for code in own]


def _loose(case: Case, blocks: list[Code], path: str, ending: str) -> list[Tests] | None:
    """The tests of blocks that are for no file, each of which may be for this one."""
    found = [code for code in blocks if not code.path and code.is_test and (f".{ending}" in endings_of(code.language))]
    read = [tests_in(code.text, ending) for code in found]
    return None if len(found) > MAX_LOOSE or any(tests is None for tests in read) else [tests for tests in read if tests]


def _is_changed(case: Case, first: int, line: int) -> bool:
    """Whether words between the first test and the outcome may add tests that are not shown, or take some away."""
    for at in range(max(first - BEFORE, 1), line):
        text = FILE.sub("", case.line(at)[:400])
        if at not in case.code_lines and (_CHANGES.search(text) or (_ADDS.search(text) and not _leads(case, at))):
            return True
    return False


def _leads(case: Case, line: int) -> bool:
    """Whether a block follows before the next part of the step begins."""
    after = range(line + 1, min(line + BEFORE, len(case.lines)) + 1)
    return next((at in case.code_lines for at in after if at in case.code_lines or PART.match(case.line(at))), False)


def _same(one: str, other: str) -> bool:
    return f"/{one}".endswith(f"/{other}") or f"/{other}".endswith(f"/{one}")


def _differs(line: int, number: int, paths: tuple[str, ...], counts: set[int], places: list[str]) -> Doubt:
    most = max(counts)
    return Doubt(
        Kind.TOTAL,
        f"{counted(number, 'test')} in {', '.join(paths)}",
        "",
        f"The blocks up to line {line} for {', '.join(f'`{path}`' for path in paths)}, at {', '.join(places[:5])}, hold"
        f" {counted(most, 'test')}",
        f"The outcome of line {line} cannot come about: a good run looks like a bad one, or a test is missing",
        f"Expect {most}, or write the test that is missing",
        lines=(line,),
        places=tuple(dict.fromkeys(places)),
        evidence=Evidence.MISCOUNTED,
    )
