"""The check of `hidden-direction`."""

import re
from collections.abc import Iterator

from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_CODE = (
    *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".java", ".go", ".php", ".rb", ".sh", ".c", ".h", ".cpp"),
    *(".rs", ".cs", ".kt", ".swift"),
)
MAX_PLACES = 20
"""Limit on the reported lines of one file."""


def check(project: Project, path: str) -> Iterator[Match]:
    text = project.text(path)
    if not _TURNING.search(text):
        return
    turned = [number for number, line in enumerate(text.split("\n"), 1) if _TURNING.search(line)]
    for number in turned[:MAX_PLACES]:
        yield Match(number, number, "text direction", "reversed by an invisible character", True, Confidence.MEDIUM)


def applies(path: str) -> bool:
    return path.endswith(_CODE)
