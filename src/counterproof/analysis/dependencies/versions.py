"""Version comparison by the rules of each ecosystem.

Invariant: a text that is not a version of its ecosystem gives None and is never guessed; texts are bounded before any pattern is
applied. Not handled here: the meaning of version ranges.
"""

import re
from collections.abc import Callable
from itertools import zip_longest

MAX_VERSION = 200

Key = tuple[object, ...]
Part = int | str


def compare(ecosystem: str, left: str, right: str) -> int | None:
    """Return -1, 0 or 1 if `left` is before, equal to or after `right`; None if unknown."""
    ordering = _ORDERINGS.get(ecosystem)
    if ordering is None or len(left) > MAX_VERSION or len(right) > MAX_VERSION:
        return None
    return ordering(left.strip(), right.strip())


def _by_key(key: Callable[[str], Key | None]) -> Callable[[str, str], int | None]:
    def ordered(left: str, right: str) -> int | None:
        one, other = key(left), key(right)
        return None if one is None or other is None else (one > other) - (one < other)

    return ordered


_PYTHON = re.compile(
    r"v?(?:(?P<epoch>[0-9]+)!)?(?P<release>[0-9]+(?:\.[0-9]+)*)"
    r"(?:[-_.]?(?P<pre>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<pre_number>[0-9]*))?"
    r"(?:-(?P<implicit>[0-9]+)|[-_.]?(?P<post>post|rev|r)[-_.]?(?P<post_number>[0-9]*))?"
    r"(?:[-_.]?(?P<dev>dev)[-_.]?(?P<dev_number>[0-9]*))?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE | re.ASCII,
)
_PRE = {"alpha": "a", "beta": "b", "preview": "rc", "pre": "rc", "c": "rc"}


def _python(text: str) -> Key | None:
    """PEP 440's order: epoch, release, then development, pre-, final and post-releases, local labels."""
    found = _PYTHON.fullmatch(text)
    if not found:
        return None
    posted = found["post"] is not None or found["implicit"] is not None
    post = int(found["implicit"] or found["post_number"] or 0) if posted else -1
    dev = (0, int(found["dev_number"] or 0)) if found["dev"] else (1, 0)
    early = (-1, "", 0) if found["dev"] and not posted else (1, "", 0)  # a bare development release is before all others
    pre = (0, _PRE.get(found["pre"].lower(), found["pre"].lower()), int(found["pre_number"] or 0)) if found["pre"] else early
    local = tuple(_word_first(part) for part in re.split(r"[-_.]", (found["local"] or "").lower()) if part)
    return (int(found["epoch"] or 0), _numbers(found["release"]), pre, post, dev, local)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers between the dots, without zeros at the end."""
    numbers = [int(part) for part in text.split(".")]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _word_first(part: str) -> tuple[int, int, str]:
    return (1, int(part), "") if part.isdigit() else (0, 0, part)


_SEMANTIC = re.compile(
    r"[v=]{0,2}(?P<numbers>[0-9]+(?:\.[0-9]+){0,5})(?:-(?P<pre>[0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.+-]*)?", re.ASCII
)


def _semantic(text: str) -> Key | None:
    """npm and Go: build labels (`+incompatible`) are ignored, missing parts are zero: advisories also write `1` and `1.2`.
    A release follows all its pre-releases, in which numbers precede words."""
    found = _SEMANTIC.fullmatch(text)
    if not found:
        return None
    parts = found["pre"].split(".") if found["pre"] else []
    pre = tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
    return (_numbers(found["numbers"]), not parts, pre)


_COMPOSER = re.compile(
    r"v?(?P<numbers>[0-9]+(?:\.[0-9]+){0,3})(?:[._-]?(?P<word>stable|alpha|beta|patch|rc|pl|a|b|p)(?P<step>(?:[.-]?[0-9]+)*))?"
    r"(?P<dev>[.-]?dev)?(?:\+\S*)?",
    re.IGNORECASE | re.ASCII,
)
_RANK = {"alpha": 1, "a": 1, "beta": 2, "b": 2, "rc": 3, "stable": 4, "patch": 5, "pl": 5, "p": 5}


def _composer(text: str) -> Key | None:
    """Up to four numbers, then dev, alpha, beta, RC, stable, patch. Branches have no order."""
    found = _COMPOSER.fullmatch(text)
    if not found:
        return None
    rank = _RANK[(found["word"] or "stable").lower()]
    step = tuple(int(part) for part in re.findall(r"[0-9]+", found["step"] or ""))
    return (_numbers(found["numbers"]), 0 if found["dev"] and not found["word"] else rank, step, not found["dev"])


_RUBY = re.compile(r"[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?", re.ASCII)
_SEGMENT = re.compile(r"[0-9]+|[a-z]+", re.IGNORECASE)


def _ruby(left: str, right: str) -> int | None:
    """A word precedes any number; zeros at the end of a part are ignored, and missing segments are zero."""
    if not (_RUBY.fullmatch(left) and _RUBY.fullmatch(right)):
        return None
    for mine, theirs in zip_longest(_ruby_segments(left), _ruby_segments(right), fillvalue="0"):
        one, other = _word_first(mine), _word_first(theirs)
        if one != other:
            return -1 if one < other else 1
    return 0


def _ruby_segments(text: str) -> list[str]:
    every = _SEGMENT.findall(text.replace("-", ".pre."))
    first = next((index for index, part in enumerate(every) if part.isalpha()), len(every))
    for end in (len(every), first):
        end = min(end, len(every))
        while end and not every[end - 1].strip("0"):
            end -= 1
            del every[end]
    return every


_TOKEN = re.compile(r"([.-]?)([0-9]+|[^0-9.-]+|)")
_QUALIFIERS = {
    "alpha": 0, "beta": 1, "milestone": 2, "rc": 3, "cr": 3, "snapshot": 4, "": 5, "final": 5, "ga": 5, "release": 5, "sp": 6,
}  # fmt: skip
_SHORT = {"a": "alpha", "b": "beta", "m": "milestone"}
_EMPTY = (0, *(name for name, rank in _QUALIFIERS.items() if rank == _QUALIFIERS[""]))

Token = tuple[str, Part]
"""The separator before a value, and the value."""


def _maven(left: str, right: str) -> int | None:
    """A version is a sequence of tokens; a change between digits and letters separates like a hyphen. Empty values at the end and
    before each hyphen are ignored; the shorter of two is padded with empty values. Every text is a version, as in Maven."""
    for mine, theirs in zip_longest(_maven_tokens(left.lower()), _maven_tokens(right.lower())):
        one, other = _maven_rank(mine or _filling(theirs)), _maven_rank(theirs or _filling(mine))
        if one != other:
            return -1 if one < other else 1
    return 0


def _filling(token: Token) -> Token:
    return token[0], 0 if isinstance(token[1], int) else ""


def _maven_rank(token: Token) -> tuple[int, int, str]:
    """Words come before numbers after a hyphen, and those before numbers after a dot."""
    separator, value = token
    if isinstance(value, int):
        return (2 if separator == "." else 1, value, "")
    return (0, _QUALIFIERS[value], "") if value in _QUALIFIERS else (0, len(_QUALIFIERS), value)


def _maven_tokens(text: str) -> list[Token]:
    found: list[Token] = []
    parts = [each.groups() for each in _TOKEN.finditer(text) if each[0]]
    for (separator, value), (next_separator, following) in zip_longest(parts, parts[1:], fillvalue=(".", "")):
        word = _SHORT.get(value, value) if next_separator == "" and following.isdigit() else value
        found.append((separator or ("-" if found else "."), int(value or "0") if value.isdigit() or not value else word))
    end = len(found)
    while end > 0:  # empty values at the end, and at the end of each part that a hyphen closes
        start = end
        while start > 1 and found[start - 1][1] in _EMPTY:
            start -= 1
        del found[start:end]
        end = next((index for index in range(start - 1, 0, -1) if found[index][0] == "-"), 0)
    return found


_ORDERINGS: dict[str, Callable[[str, str], int | None]] = {
    "pypi": _by_key(_python),
    "npm": _by_key(_semantic),
    "go": _by_key(_semantic),
    "packagist": _by_key(_composer),
    "rubygems": _ruby,
    "maven": _maven,
}
