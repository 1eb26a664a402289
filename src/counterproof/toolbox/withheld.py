"""Files as agents are shown them: whole, comments and documents included, but for words that speak to their reader (A61, X1).

Invariant: a line keeps its number; what is taken out leaves a mark that says why. The same text is the yardstick for quotes.
"""

import re

from counterproof.analysis.project import Project
from counterproof.analysis.secrets.outgoing_text import safe_text
from counterproof.analysis.text.marks import WITHHELD
from counterproof.analysis.text.suspicion import suspicions
from counterproof.protocols.guard.phrase_patterns import Kind

MAX_SIZE = 2_000_000
_BEGINS = re.compile(r"#|//|/\*|--|<!--|;|[\"'`]")
_PASSES = 6
"""An order that hides behind another one shows once that one is gone."""


def shown_lines(project: Project, path: str) -> list[str]:
    """The lines of a file, redacted, without words that speak to a reader."""
    return project.once(f"shown {path}", lambda: _without_orders(safe_text(project, path)))


def _without_orders(text: str) -> list[str]:
    lines = text.split("\n")
    if len(text) > MAX_SIZE:
        return lines
    for _ in range(_PASSES):
        flagged = _flagged("\n".join(lines))
        if not flagged:
            break
        lines = [_masked(line) if number in flagged else line for number, line in enumerate(lines, 1)]
    return lines


def _flagged(text: str) -> frozenset[int]:
    """Lines with an order. A sentence that only addresses its reader may begin before them, so those come last."""
    found = suspicions(text, most=MAX_SIZE)
    orders = frozenset(each.line for each in found if each.what != Kind.ADDRESS.value)
    return orders or frozenset(each.line for each in found)


def _masked(line: str) -> str:
    """The line without the words: what stands before the last comment or string that they can be in is code and stays."""
    for found in reversed(list(_BEGINS.finditer(line))):
        code = line[: found.start()]
        if not suspicions(code):
            return f"{code}{WITHHELD}"
    return WITHHELD
