"""Whether one name or path is another with a slip: the same words but for the ending of one, a letter, or the marks between them.

Always: told by the words that a name is made of, not by how many letters agree, so that short and long names are judged alike.
Numbers are never slips: `phase_3` and `phase_4` are two things.
"""

import re
from collections.abc import Iterator

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
MIN_STEM = 3
MAX_ENDING = 3
MIN_TYPO = 5


def words_of(name: str) -> tuple[str, ...]:
    """The words of a name in lower case: `getUserName` and `get_user_name` have the same."""
    return tuple(part.lower() for part in _WORD.findall(name))


def is_snake(name: str) -> bool:
    """Whether words are joined by underscores: names of two manners belong to two languages, or to two kinds of things."""
    return "_" in name.strip("_")


def is_slip(one: str, other: str, fewest: int = 2) -> bool:
    """Whether two names were meant to be one. Names of fewer than `fewest` words are too common to tell."""
    mine, theirs = words_of(one), words_of(other)
    if "".join(mine) == "".join(theirs):
        return one != other
    if min(len(mine), len(theirs)) >= fewest and one.isalpha() and other.isalpha() and _is_longer(one, other):
        return True  # an ending after letters that are all large makes other words of them
    if len(mine) != len(theirs) or len(mine) < fewest:
        return False
    unlike = [pair for pair in zip(mine, theirs, strict=True) if pair[0] != pair[1]]
    return len(unlike) == 1 and _is_other_form(*unlike[0])


def gaps_of(name: str) -> Iterator[tuple[str | bool, ...]]:
    """A name with each of its words left out in turn, and its manner: two names that share one differ by one word. Names of one
    word share nothing."""
    words = words_of(name)
    manner = (name.startswith("_"), is_snake(name), name.strip("_")[:1].isupper(), name.isupper())
    for at in range(len(words)) if len(words) > 1 else ():
        yield (*manner, *words[:at], "", *words[at + 1 :])


def _is_other_form(one: str, other: str) -> bool:
    """Whether two words differ by their ending or by one letter."""
    short, long = sorted((one, other), key=len)
    if long.startswith(short):
        return len(short) >= MIN_STEM and len(long) - len(short) <= MAX_ENDING and not long[len(short) :].isdigit()
    return min(len(one), len(other)) >= MIN_TYPO and _is_one_letter_apart(one, other)


def _is_longer(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) and long[len(short) :] in ("s", "es", "ed", "d", "er", "r")


def _is_one_letter_apart(one: str, other: str) -> bool:
    """Whether a letter is changed, left out, added, or two neighbours have changed places."""
    same = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other)))
    mine, theirs = one[same:], other[same:]
    swapped = mine[:2] == theirs[:2][::-1] and mine[2:] == theirs[2:]
    return swapped or mine[1:] == theirs[1:] or mine[1:] == theirs or mine == theirs[1:]
