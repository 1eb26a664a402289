"""Regular expressions among the arguments of a call, and whether one of them can take exponential time.

Always holds: only patterns that the code spells out are judged. Does not belong here: judging a pattern.
"""

from functools import lru_cache

from counterproof.analysis.flow.arguments import Arguments
from counterproof.analysis.flow.values import Value
from counterproof.analysis.patterns.nested_repetition import is_exponential


def takes_exponential_time(arguments: Arguments) -> bool:
    """Whether the receiver or the first argument is such an expression."""
    return any(_judged(text) for value in (arguments.receiver, arguments.at(0)) if (text := _pattern(value)))


def _pattern(value: Value | None) -> str:
    found = (value.fields or {}).get("pattern") if value is not None else None
    return found.const if found is not None and isinstance(found.const, str) else ""


_judged = lru_cache(maxsize=4096)(is_exponential)
