"""Comments of others on the code under review, and what the engine rules on each (R31)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue

EXTERNAL = "EXT"
"""Where a specialist's code stands otherwise: whoever commented is none of the team."""
MAX_COMMENTS = 300
MAX_TEXT = 4_000
MAX_AUTHOR = 100


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment as it came. `bot`: a program wrote it, as far as the export says. `path` is '' where it names no place."""

    author: str
    text: str
    path: str = ""
    line: int = 0
    bot: bool = False

    def __post_init__(self) -> None:
        if not self.text.strip() or len(self.text) > MAX_TEXT or len(self.author) > MAX_AUTHOR:
            raise InvalidValue(f"a comment has a text of at most {MAX_TEXT} characters")
        if self.line < 0:
            raise InvalidValue("a comment's line is a number from 1 on")


class Ruling(StrEnum):
    """What to do about a comment. INVESTIGATE: nobody here could settle it."""

    FIX = "Fix"
    NO_FIX = "No-Fix"
    INVESTIGATE = "Investigate"


@dataclass(frozen=True, slots=True)
class Ruled:
    """A comment with its ruling and why. `finding` is the review's own finding that says the same, '' for none; `addressed`: the
    text gives orders to its readers, and was withheld from them."""

    id: str
    comment: Comment
    ruling: Ruling
    why: str
    finding: str = ""
    addressed: bool = False
