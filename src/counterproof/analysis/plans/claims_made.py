"""Claims that a plan makes about the code as it stands, which the code can refute: no callers, a number of them, one caller only,
the value of a constant, that something exists or is tested.

Always: a claim is bound to the one thing that the same sentence names, or to none. Checking it does not belong here.
"""

import re

from counterproof.analysis.plans.naming import Found
from counterproof.model.plan.outline import Mention

UNUSED = "unused"
ELSEWHERE = "elsewhere"
COUNT = "count"
ONLY = "only"
VALUE = "value"

_UNUSED = re.compile(
    r"\b(?:has no (?:other )?(?:callers?|usages?|references|users|call sites?)|no (?:other )?(?:callers?|usages?) (?:of|for)"
    r"|(?:is|are)(?: not| never|n't) (?:called|used|imported|referenced) (?:by anything|anywhere|elsewhere)"
    r"|(?:nothing|nobody|no ?one|no code) (?:else )?(?:in (?:the |this )?(?:code ?base|code|repository|repo) )?"
    r"(?:uses|calls|imports|depends on|references)"
    r"|(?:is|are) (?:now |all )?(?:unused|dead code|never (?:called|used)))\b",
    re.IGNORECASE,
)
_COUNT = re.compile(
    r"\b(?:only |exactly |has )?(?P<count>one|two|three|four|five|\d{1,4}|a single) (?:callers?|call sites?|usages?)\b"
    r"|\b(?:called|used) (?:in|from|at) (?:only |exactly |just )?(?:one|two|three|four|five|\d{1,4}|a single) places?\b",
    re.IGNORECASE,
)
_ONLY = re.compile(r"\b(?:only|solely|exclusively) (?:called|used|imported|referenced) (?:from|by|in)[ \t]+`", re.IGNORECASE)
_GIVEN = r"`?(?P<{}>\d{{1,9}}(?:\.\d{{1,6}})?|\"[^\"\n`]{{1,60}}\"|'[^'\n`]{{1,60}}')`?"
_ONLY_ONE = re.compile(
    r"\bonly (?:caller|user|importer) of `[^`\n]{1,100}` is `|`[^`\n]{1,200}` is the only (?:caller|user|importer) of `",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"`(?P<name>[A-Z][A-Z0-9_]{3,60})(?:`[ \t]*(?:\((?:currently |now |default |= ?)?"
    + _GIVEN.format("in")
    + r"[,)]|(?:is |are )?(?:currently|today|already|now at|defaults? to|set to|hard-?coded (?:to|at|as)|capped at)[ \t]+(?:"
    r"set to |capped at |defaults? to |at )?"
    + _GIVEN.format("is")
    + r"(?!\s*(?:→|->|to )))|[ \t]*=[ \t]*"
    + _GIVEN.format("eq")
    + r"[ \t]*(?:is|stays|remains)[ \t]+(?:kept|unchanged|as (?:it )?is|already|current)\b)"
    r"|\b(?:current|present) value of `(?P<of>[A-Z][A-Z0-9_]{3,60})` is " + _GIVEN.format("value")
)
"""A constant and the number or the text that it is said to be."""
_WILL = re.compile(
    r"\b(?:will|should|must|after (?:this|the)|once|becomes?|no longer|would|if|when|then|ensure|verify|new|change|raise|bump"
    r"|to)\b",
    re.IGNORECASE,
)
"""Words by which a sentence speaks of the code as it is to become, or of a condition."""
_SENTENCE = re.compile(r"[.;!?][*_)]{0,2}(?=\s|\Z)")


def claims_in(text: str, things: list[Found]) -> list[tuple[str, str, str]]:
    """(kind, the words, what it is about) for each claim of a line."""
    found: list[tuple[str, str, str]] = []
    start = 0
    for end in [*(match.end() for match in _SENTENCE.finditer(text)), len(text)]:
        part = text[start:end]
        inside = [each for each in things if start <= each.start < end]
        found += _claims(part, inside)
        start = end
    return found


def _claims(part: str, inside: list[Found]) -> list[tuple[str, str, str]]:
    if _WILL.search(re.sub(r"`[^`]*`|\b(?:set|defaults?|hard-?coded|capped|limited) to\b", "", part)):
        return []
    symbols = list(dict.fromkeys(each.text for each in inside if each.kind is Mention.SYMBOL))
    found: list[tuple[str, str, str]] = []
    value = _VALUE.search(part)
    if value:
        given = value["in"] or value["is"] or value["eq"] or value["value"]
        found.append((VALUE, given, value["name"] or value["of"]))
    for kind, pattern in ((UNUSED, _UNUSED), (COUNT, _COUNT)):
        match = pattern.search(part)
        if match and len(symbols) == 1:
            besides = kind == UNUSED and re.search(r"\b(?:other|else|elsewhere|outside)\b", part, re.IGNORECASE)
            found.append((ELSEWHERE if besides else kind, match[0], symbols[0]))
    if symbols:
        file = next((each.text for each in inside if each.kind is Mention.FILE), "")
        caller = file or (symbols[1] if len(symbols) == 2 else "")
        if caller and (_ONLY.search(part) or (file and _ONLY_ONE.search(part))):
            found.append((ONLY, caller, symbols[0]))
    return found
