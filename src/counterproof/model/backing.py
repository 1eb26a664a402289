"""What the engine found when it checked somebody's word (A53, R37). Never what an agent says of itself."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Backing:
    """`opened`: the claim and its code were shown whole; `quoted`: what is quoted stands in that code; `holds`: the line does
    what the typed reason says; `confirmed`: why the defence that is named stops the attack, '' where that was not shown."""

    opened: bool = False
    quoted: bool = False
    holds: bool = False
    confirmed: str = ""


FULL = Backing(opened=True, quoted=True, holds=True)
"""What an analyst's own reading is worth: it looked at the code, and its reason is what it saw there."""
