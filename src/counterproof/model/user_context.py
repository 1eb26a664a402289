"""The user's statements about the program: architecture, threats, intentionally open routes (A65).

Prose is for agents. A line `open: METHOD PATH`, with `*` for any method and a glob as the path, declares a route as intentionally
open; no other text affects decisions. Invariant: bounded size. Not handled here: where the file came from.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from counterproof.model.errors import InvalidValue

MAX_LENGTH = 40_000
_OPEN = "open:"


@dataclass(frozen=True, slots=True)
class UserContext:
    """The text of one file, with the name under which the user gave it."""

    name: str
    text: str

    def __post_init__(self) -> None:
        if not self.text.strip() or len(self.text) > MAX_LENGTH:
            raise InvalidValue(f"a context has from 1 to {MAX_LENGTH:,} characters")

    @property
    def declared(self) -> tuple[tuple[str, str], ...]:
        """The routes declared open: method and glob."""
        rows = (line.strip()[len(_OPEN) :].split() for line in self.text.splitlines() if line.strip().startswith(_OPEN))
        return tuple((row[0].upper(), row[1]) for row in rows if len(row) == 2)

    def opens(self, method: str, path: str) -> bool:
        """True if a route is declared open."""
        return any(
            fnmatchcase(path, pattern) and (wanted == "*" or wanted in method.upper().split(","))
            for wanted, pattern in self.declared
        )
