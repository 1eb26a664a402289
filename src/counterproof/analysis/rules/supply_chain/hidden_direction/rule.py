"""Code that reads otherwise than it runs.

## What it finds
Characters that turn the direction of writing, in source files of any language. Editors and review pages obey them, compilers do
not: what looks like a comment may be code, and the other way round (CVE-2021-42574).

## Why it matters
A change with such characters passes a review by people who cannot see what it does.

## What is safe
Text in languages that are written from right to left needs none of these characters; where one is meant, an escape (`\\u202e`)
says so in plain sight.

## Limits
Letters of other alphabets that look alike are not judged.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_CODE = (
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".java", ".go", ".php", ".rb", ".sh", ".c", ".h", ".cpp"),
    *(".rs", ".cs", ".kt", ".swift"),
)
MAX_PLACES = 20
"""Lines told of one file."""


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if not _TURNING.search(text):
        return
    turned = [number for number, line in enumerate(text.split("\n"), 1) if _TURNING.search(line)]
    for number in turned[:MAX_PLACES]:
        yield Match(number, number, "direction of writing", "turned by a character that cannot be seen", True, Confidence.MEDIUM)


def _applies(path: str) -> bool:
    return path.endswith(_CODE)


RULE = CheckRule(
    title="Bidirectional control characters hide code (Trojan Source)",
    kind="source",
    cwe=1007,
    severity=Severity.MEDIUM,
    consequence="A reviewer approves code that does something else than what they saw.",
    remedy="Remove the characters, or write them as escapes.",
    check=_check,
    applies=_applies,
    query="characters that turn the direction of writing",
    in_tests=True,
)
