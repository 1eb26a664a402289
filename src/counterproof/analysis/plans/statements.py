"""Claims that a plan makes about the code as it stands, which it can refute: no callers, a number of them, compatibility, or
that something is already validated, guarded, tested and so on.

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
TESTED = "tested"
VALIDATES = "validates"
GUARDS = "guards"
HANDLES = "handles"
LOGS = "logs"
CACHES = "caches"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        UNUSED,
        re.compile(
            r"\b(?:no (?:other )?(?:callers?|usages?|references|users|code (?:uses|calls))"
            r"|not (?:called|used|imported|referenced) (?:by anything|anywhere|any ?more|elsewhere)"
            r"|nothing (?:else )?(?:in (?:the |this )?(?:code ?base|code|repository|repo) )?"
            r"(?:uses|calls|imports|depends on|needs)"
            r"|no ?(?:one|thing|body|module|code) (?:else )?(?:uses|calls|imports|depends on|references)"
            r"|nobody (?:uses|calls)"
            r"|(?:is|are) (?:now |all )?(?:unused|dead(?: code)?|orphaned|never (?:called|used))"
            r"|no longer (?:used|called)|unused)\b",
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
_VALIDATES = r"(?:validat|sanitis|sanitiz|escap)(?:e|es|ed)|check(?:s|ed) (?:the |its |all )?(?:input|arguments?|values?|types?)"
_GUARDS = (
    r"requires? (?:a |an )?(?:login|authentication|authorisation|authorization|permissions?)|(?:login|access)[- ]protected"
    r"|authenticat(?:es|ed)|authoris(?:es|ed)|authoriz(?:es|ed)|behind (?:a )?login"
)
_HANDLES = (
    r"(?:handles?|catch(?:es)?|deals with) (?:the |all |any |its )?(?:[\w-]{1,20} )?(?:errors?|exceptions?|failures?|timeouts?)"
    r"|retr(?:y|ies|ied)(?: on [\w ]{1,30})?|has (?:a |its )?(?:timeouts?|retries)"
)
_ALREADY = (
    (VALIDATES, _VALIDATES),
    (GUARDS, _GUARDS),
    (HANDLES, _HANDLES),
    (LOGS, r"logs|logged"),
    (CACHES, r"caches|cached"),
)
_PROPERTIES = tuple(
    (kind, re.compile(rf"\balready (?:is |are |being )?(?:{words})\b", re.IGNORECASE)) for kind, words in _ALREADY
)
_COVERED = re.compile(
    r"\b(?:(?:already|fully|well) (?:covered|tested)\b|(?:is|are) covered by (?:[\w-]{1,20} ){0,2}tests\b|already has tests\b)",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|they|them|this|that|these|those)\b", re.IGNORECASE)
_WHERE = re.compile(r"\b(?:in|from|of|at|to|inside|under|within)[ \t]{1,2}\Z", re.IGNORECASE)
_NUMBERS = {"one": 1, "a single": 1, "two": 2, "three": 3, "four": 4, "five": 5}


def claims_in(text: str, things: list[Found], before: list[Found]) -> list[tuple[str, Found, str]]:
    """(kind, where it stands, what it is about) for each claim of a line. `about` is the nearest thing of the line, or, where the
    line only says "it", the last of the line before."""
    found: list[tuple[str, Found, str]] = []
    subjects = subjects_in(things, text)
    last = [Found(each.kind, each.text, 0, 0) for each in before[-1:]]
    for kind, pattern in (*_PATTERNS, *_PROPERTIES, (TESTED, _COVERED)):
        match = pattern.search(text)
        if match:
            span = match.span()
            meant = subjects or (last if _PRONOUN.search(text) else [])
            nearest = min(meant, key=lambda each: _distance(each, span), default=None)
            found.append((kind, Found(Mention.CLAIM, match[0], *span), nearest.text if nearest else ""))
    return found


def subjects_in(things: list[Found], text: str = "") -> list[Found]:
    """What a claim can be about. Beside a name, a file that only says where the name stands is not meant."""
    kinds = (Mention.SYMBOL, Mention.FILE, Mention.FOLDER, Mention.SETTING, Mention.DEPENDENCY)
    found = [each for each in things if each.kind in kinds]
    files = [each for each in found if each.kind in (Mention.FILE, Mention.FOLDER)]
    places = [each for each in files if _WHERE.search(text[max(0, each.start - 12) : each.start])]
    named = [each for each in found if each not in places]
    return named or found


def _distance(thing: Found, span: tuple[int, int]) -> int:
    return max(thing.start - span[1], span[0] - thing.end, 0)


def number_in(claim: str) -> int | None:
    """The count that a claim names."""
    match = re.search(r"\b(one|two|three|four|five|a single|\d{1,4})\b", claim, re.IGNORECASE)
    if not match:
        return None
    word = match[1].lower()
    return _NUMBERS.get(word) or (int(word) if word.isdigit() else None)
