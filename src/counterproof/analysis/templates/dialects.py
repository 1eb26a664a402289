"""The template languages that are read, and how they differ.

Invariant: one entry per language. Not handled here: reading.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """`ends` is True where every block ends with a plain `end`; `colon` where a filter's argument follows a colon."""

    name: str
    colon: bool = False
    ends: bool = False


JINJA = Dialect("jinja")
DJANGO = Dialect("django", colon=True)
TORNADO = Dialect("tornado", ends=True)
BOTTLE = Dialect("bottle")
