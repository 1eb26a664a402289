"""A location in the reviewed code, as `file:line`. Paths are relative to the audited root and cannot leave it."""

import re
from dataclasses import dataclass
from functools import lru_cache

from counterproof.model.errors import InvalidValue

_CONTROL = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
"""Characters that no path may contain; the model escapes them (see `text.name_form`)."""


_DRIVE = re.compile(r".:.*\\(?!x[0-9A-F]{2})", re.DOTALL)
"""An absolute Windows path. A backslash that starts an escaped byte is part of a name, also of a name with a colon."""


@lru_cache(maxsize=4096)  # records repeat the same few paths, each checked when read back
def checked_path(path: str) -> str:
    """Return the path if it is a plain relative POSIX path; reject anything that could point elsewhere."""
    if not path or len(path) > 4096:
        raise InvalidValue("a path is empty or longer than 4096 characters")
    if path.startswith("/") or _DRIVE.match(path):
        raise InvalidValue(f"a path must be relative: {path!r}")
    if _CONTROL.search(path):
        raise InvalidValue(f"a path holds a control character or half a character: {path!r}")
    if any(part in ("", ".", "..") for part in path.split("/")):
        raise InvalidValue(f"a path must be normal, without '.' or '..': {path!r}")
    return path


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """Lines `start` to `end` of a file, counted from 1, both inclusive."""

    path: str
    start: int
    end: int

    def __post_init__(self) -> None:
        checked_path(self.path)
        if not 1 <= self.start <= self.end <= 10_000_000:
            raise InvalidValue(f"lines {self.start} to {self.end} of {self.path} are not a valid range")

    def __str__(self) -> str:
        return f"{self.path}:{self.start}" if self.start == self.end else f"{self.path}:{self.start}-{self.end}"


def at(path: str, line: int) -> Location:
    """The location of a single line of a file."""
    return Location(path, line, line)
