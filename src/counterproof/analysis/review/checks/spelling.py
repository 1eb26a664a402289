"""Names with a letter missing that the same file writes in full elsewhere."""

import re
from collections import Counter
from collections.abc import Iterator

from counterproof.analysis.review.claims import Claim, View
from counterproof.model.location import at
from counterproof.model.severity import Confidence, Severity

_PART = re.compile(r"[A-Z]?[a-z]{5,30}")
_WORD = re.compile(r"[A-Za-z]{5,30}")
MIN_WRITTEN = 1


def misspelt(view: View) -> Iterator[Claim]:
    """Parts of new function names that occur once, one inner letter short of a word that the file has more often."""
    for module in view.modules():
        words = Counter(part.lower() for part in _PART.findall(view.project.text(module.path)))
        for function in module.functions:
            if not view.touches(module.path, function.line, function.line):
                continue
            for part in _PART.findall(function.name):
                full = _full(part.lower(), words)
                if full:
                    yield _claim(module.path, function.line, function.name, part, full)


def _full(part: str, words: Counter[str]) -> str:
    """The word that a part is short of by one inner letter; '' if there is none."""
    if words[part] != 1 or len(part) < 6:
        return ""
    for place in range(1, len(part)):
        head, tail = part[:place], part[place:]
        for word, count in words.items():
            if count >= MIN_WRITTEN and len(word) == len(part) + 1 and word.startswith(head) and word[place + 1 :] == tail:
                return word
    return ""


def _claim(path: str, line: int, name: str, part: str, full: str) -> Claim:
    return Claim(
        kind="misspelt name",
        domain="naming",
        title=f"{name} says {part} and means {full}",
        severity=Severity.LOW,
        confidence=Confidence.MEDIUM,
        at=at(path, line),
        why=f"{part!r} stands nowhere else in this file, and {full!r} does. A search for the word misses this name.",
        fix=f"Write {full}",
    )
