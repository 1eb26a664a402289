"""Doubts about a test that is to fail because something is not there yet, though it takes nothing but types from the code.

Always: only TypeScript that a runner carries out which leaves types out and checks none of them. A test that loads, reads, sends
or replaces anything, and one whose file has other code too, may fail for other reasons and is not doubted.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.plans.blocks import SHELLS, Code
from counterproof.analysis.plans.case import Case
from counterproof.analysis.plans.doubts import Doubt, Kind
from counterproof.analysis.plans.evidence import Evidence

REACH = 14
"""Lines after a test in which it is run and its outcome is told."""
_SCRIPTS = ("ts", "tsx", "typescript")
_RUNNERS = r"(?:vitest|bun:test|node:assert(?:/strict)?)"
_IMPORT = re.compile(
    r"(?m)^[ \t]*import[ \t\n]+(?P<type>type[ \t]+)?[^;'\"]{0,600}?from[ \t]*['\"](?P<from>[^'\"\n]{1,200})['\"]"
)
_LOADS = re.compile(
    r"\b(?:import|require|fetch|readFile\w{0,8}|spawn\w{0,8}|exec\w{0,8}|fail)\(|\b(?:vi|jest|process|globalThis|window|document)\."
    r"|^[ \t]*import[ \t]*['\"]|@ts-|expectTypeOf|assertType|\bthrow\b|\bimport\.meta",
    re.MULTILINE,
)
_RUN = re.compile(r"\b(?:vitest|bun[ \t]+test)\b(?![^\n]{0,300}\btypecheck\b)")
_FAILS = re.compile(r"\bexpect(?:ed|s)?\b[^\n]{0,20}\bFAIL|预期[^\n]{0,10}(?:FAIL|失败)", re.IGNORECASE)
_CHECKS_TYPES = re.compile(r"\btypecheck\b")


def unfailing_tests(case: Case) -> Iterator[Doubt]:
    """Tests that pass at once though they are to fail, each with the line that says so."""
    for code in case.new_codes:
        types = _types_only(code) if code.block.language in _SCRIPTS and code.is_test else ""
        line = _failing(case, code) if types else 0
        if line and not _has_more(case, code) and not _is_type_checked(case):
            yield _unfailing(code, types, line)


def _types_only(code: Code) -> str:
    """The first module that a test takes types from, where it takes nothing else from any; '' otherwise."""
    taken = [match for match in _IMPORT.finditer(code.plain) if not re.fullmatch(_RUNNERS, match["from"])]
    plain = taken and all(match["type"] for match in taken) and not _LOADS.search(_IMPORT.sub("", code.text))
    return taken[0]["from"] if plain else ""


def _failing(case: Case, code: Code) -> int:
    """The line that expects the run of a test to fail, before any other code; 0 if none does."""
    end = code.block.first + code.text.count("\n")
    run = False
    for at in range(end + 1, min(end + REACH, len(case.lines)) + 1):
        text = case.line(at)[:400]
        if case.code_lines.get(at, "") not in ("", *SHELLS, *_SCRIPTS) or (
            at > end + 1 and case.code_lines.get(at, "") in _SCRIPTS
        ):
            return 0
        run = run or _RUN.search(text) is not None
        if run and _FAILS.search(text):
            return at
    return 0


def _has_more(case: Case, code: Code) -> bool:
    """Whether the test's file holds other code: what is there, or what another block adds."""
    there = code.path != "" and case.ground.resolve(code.path) != ""
    return there or any(each.path == code.path != "" and each is not code for each in case.codes)


def _is_type_checked(case: Case) -> bool:
    """Whether a configuration of the runner has it check types."""
    named = (path for path in case.ground.project.files if re.search(r"(?:^|/)(?:vitest|vite)[\w.-]{0,40}\.[mc]?[jt]s\Z", path))
    return any(_CHECKS_TYPES.search(case.ground.text(path)) for path in named)


def _unfailing(code: Code, types: str, line: int) -> Doubt:
    return Doubt(
        Kind.OUTCOME,
        "FAIL",
        "of a test that passes at once",
        f"The test at plan:{code.block.first} takes nothing but types from `{types}`; the runner checks no types",
        f"The outcome of line {line} does not come about, and the test proves nothing",
        "Have the test use a value of what is to be made, or let the type checker be what fails",
        lines=(line,),
        places=(f"plan:{code.block.first}",),
        evidence=Evidence.UNFAILING,
    )
