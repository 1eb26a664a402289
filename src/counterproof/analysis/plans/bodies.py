"""The text of one Python function: its decorators, its head and its body, by indentation. Comments and docstrings are left out.

Always: bounded, and '' where no function begins. By text and not by syntax, so that code in any version of the language counts.
"""

import re

MAX_LINES = 400
_QUOTES = re.compile(r"^[ \t]*[rRuU]?(\"\"\"|''').*?\1", re.MULTILINE | re.DOTALL)


def function_text(text: str, line: int) -> str:
    """The function that begins at a line, counted from 1."""
    lines = text.split("\n")
    if not 0 < line <= len(lines) or not re.match(r"\s*(?:async\s+)?def\s", lines[line - 1]):
        return ""
    indent = _indent(lines[line - 1])
    first = line - 1
    while first > 0 and _indent(lines[first - 1]) == indent and lines[first - 1].lstrip().startswith(("@", ")")):
        first -= 1
    last = line
    while last < min(len(lines), line + MAX_LINES) and (
        not lines[last].strip() or _indent(lines[last]) > indent or lines[last].lstrip().startswith((")", "]"))
    ):
        last += 1
    kept = [each for each in lines[first:last] if not each.lstrip().startswith("#")]
    return _QUOTES.sub("", "\n".join(kept))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
