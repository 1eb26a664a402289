"""External comments on the code under review, and the engine's ruling on each (R31)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.errors import InvalidValue

EXTERNAL = "EXT"
"""Used in place of a specialist's code: the commenter is not in the team."""
MAX_COMMENTS = 300
MAX_TEXT = 4_000
MAX_AUTHOR = 100


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment as received. `bot`: according to the export, a program wrote it. `path` is '' if it names no location."""

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
    """The recommended action for a comment. INVESTIGATE: the review could not settle it."""

    FIX = "Fix"
    NO_FIX = "No-Fix"
    INVESTIGATE = "Investigate"


@dataclass(frozen=True, slots=True)
class Ruled:
    """A comment with its ruling and the reason. `finding` is the review's own finding with the same content, '' for none;
    `addressed`: the text gives orders to its readers and was withheld."""

    id: str
    comment: Comment
    ruling: Ruling
    why: str
    finding: str = ""
    addressed: bool = False
