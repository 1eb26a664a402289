"""Bidirectional control characters that hide code.

## What it finds
Unicode characters that reverse the text direction, in source files of any language. Editors and review tools obey them,
compilers do not: text that looks like a comment may be code, and vice versa (CVE-2021-42574).

## Why it matters
A change with such characters passes review because the reviewers cannot see what it does.

## What is safe
Text in right-to-left languages needs none of these characters; where one is intended, use an escape (`\\u202e`).

## Limits
Look-alike letters of other alphabets are not checked.
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
"""Limit on the reported lines of one file."""


def _check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if not _TURNING.search(text):
        return
    turned = [number for number, line in enumerate(text.split("\n"), 1) if _TURNING.search(line)]
    for number in turned[:MAX_PLACES]:
        yield Match(number, number, "text direction", "reversed by an invisible character", True, Confidence.MEDIUM)


def _applies(path: str) -> bool:
    return path.endswith(_CODE)


RULE = CheckRule(
    title="Bidirectional control characters hide code (Trojan Source)",
    kind="source",
    cwe=1007,
    severity=Severity.MEDIUM,
    consequence="A reviewer approves code that does something different from what the editor shows.",
    remedy="Remove the characters, or write them as escapes.",
    check=_check,
    applies=_applies,
    query="characters that turn the text direction",
    in_tests=True,
)
