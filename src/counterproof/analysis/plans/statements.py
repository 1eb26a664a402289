"""Claims that a plan makes about the code as it stands, which it can refute: no callers, a number of them, compatibility.

Always: a claim is bound to the thing that the same line names, or to none. Checking it does not belong here.
"""

import re

from counterproof.analysis.plans.naming import Found
from counterproof.model.plan.outline import Mention

UNUSED = "unused"
COMPATIBLE = "compatible"
COUNT = "count"
EXISTS = "exists"
CERTAIN = "certain"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        UNUSED,
        re.compile(
            r"\b(?:no (?:other )?(?:callers?|usages?|references|users|code (?:uses|calls))"
            r"|not (?:called|used|imported|referenced) (?:by anything|anywhere|any ?more|elsewhere)"
            r"|nothing (?:else )?(?:uses|calls|imports|depends on)"
            r"|nobody (?:uses|calls)"
            r"|(?:is|are) (?:unused|dead code|never (?:called|used))|no longer (?:used|called)|unused)\b",
            re.IGNORECASE,
        ),
    ),
    (
        COMPATIBLE,
        re.compile(
            r"\b(?:backwards?[- ]compatible|no breaking changes?|does not break (?:any )?(?:callers|existing))\b", re.IGNORECASE
        ),
    ),
    (
        COUNT,
        re.compile(
            r"\b(?:only |exactly |has )?(one|two|three|four|five|\d{1,4}|a single) "
            r"(?:callers?|call sites?|usages?|places? that (?:calls?|uses?))\b",
            re.IGNORECASE,
        ),
    ),
    (EXISTS, re.compile(r"\b(?:already (?:exists?|there|in place|supports?|provides?|has)|existing)\b", re.IGNORECASE)),
    (
        CERTAIN,
        re.compile(
            r"\b(?:zero[- ]downtime|no downtime|no risk|cannot fail|can't fail|always succeeds|trivially safe)\b", re.IGNORECASE
        ),
    ),
)
_NUMBERS = {"one": 1, "a single": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def claims_in(text: str, things: list[Found]) -> list[tuple[str, Found, str]]:
    """(kind, where it stands, what it is about) for each claim of a line. `about` is the nearest symbol or file, or ''."""
    found: list[tuple[str, Found, str]] = []
    subjects = [each for each in things if each.kind in (Mention.SYMBOL, Mention.FILE, Mention.SETTING, Mention.DEPENDENCY)]
    for kind, pattern in _PATTERNS:
        match = pattern.search(text)
        if match:
            span = match.span()
            nearest = min(subjects, key=lambda each: _distance(each, span), default=None)
            found.append((kind, Found(Mention.CLAIM, match[0], *span), nearest.text if nearest else ""))
    return found


def _distance(thing: Found, span: tuple[int, int]) -> int:
    return max(thing.start - span[1], span[0] - thing.end, 0)


def number_in(claim: str) -> int | None:
    """The count that a claim names."""
    match = re.search(r"\b(one|two|three|four|five|a single|\d{1,4})\b", claim, re.IGNORECASE)
    if not match:
        return None
    word = match[1].lower()
    return _NUMBERS.get(word) or (int(word) if word.isdigit() else None)
