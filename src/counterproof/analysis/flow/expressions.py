"""Regular expressions among the arguments of a call, and how long one of them can take.

Always holds: only patterns that the code spells out are judged. Does not belong here: judging a pattern.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from counterproof.analysis.flow.arguments import Arguments
from counterproof.analysis.patterns import Ambiguity, ambiguity
from counterproof.analysis.patterns.nested_repetition import is_exponential

_GROUP_NAME = re.compile(r"\(\?<(?=[A-Za-z_])")


def takes_exponential_time(arguments: Arguments) -> bool:
    """Whether the receiver or the first argument is such an expression."""
    return any(_judged(text) for text in _patterns(arguments))


def takes_polynomial_time(arguments: Arguments) -> bool:
    """The same for expressions that try a text from many places, or cut it up in many."""
    return any(_ambiguity(text).searched > 1 for text in _patterns(arguments))


def _patterns(arguments: Arguments) -> Iterator[str]:
    for value in (arguments.receiver, arguments.at(0)):
        found = (value.fields or {}).get("pattern", value) if value is not None else None
        if found is not None and isinstance(found.const, str) and (found is not value or value is arguments.at(0)):
            yield found.const


@lru_cache(maxsize=4096)
def _judged(pattern: str) -> bool:
    return is_exponential(pattern) or _ambiguity(pattern).exponential


def _ambiguity(pattern: str) -> Ambiguity:
    """Groups are named in JavaScript as they are in Python but for one letter."""
    return ambiguity(_GROUP_NAME.sub("(?P<", pattern))
