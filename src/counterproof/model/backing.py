"""The engine's own checks behind an agent's claim or verdict (A53, R37). An agent never sets these values."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backing:
    """`opened`: the agent was shown the whole claim and its code; `quoted`: the quotation occurs in that code; `holds`: the line
    does what the typed reason says; `confirmed`: why the named defence stops the attack, '' if that was not shown; `weak`: why a
    reason that its line confirms still does not count, '' if it counts."""

    opened: bool = False
    quoted: bool = False
    holds: bool = False
    confirmed: str = ""
    weak: str = ""


FULL = Backing(opened=True, quoted=True, holds=True)
"""The backing of an analyst's judgement: an analyst reads the code itself, and its reason is derived from it."""
