"""What commits did to files, as git tells it: every stretch of lines that one took away, with those that it put there.

Always: a stretch ends where its heading says, so that a line which looks like a heading is only a line. What does not read as a
patch ends the reading of that commit.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

COMMIT, FIELD = "\x1e", "\x1f"
_HEADING = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Stretch:
    """One place of one file. `subject` is the committer's own text."""

    commit: str
    subject: str
    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


def stretches(said: str) -> Iterator[Stretch]:
    """Of `git log --unified=0` with the format that `HEADER` gives."""
    commit = subject = path = ""
    lines = iter(said.split("\n"))
    for line in lines:
        if line.startswith(COMMIT):
            commit, _, subject = line[1:].partition(FIELD)
            path = ""
        elif line.startswith("+++ "):
            path = line[4:].removeprefix("b/").rstrip("\t")
        elif (found := _HEADING.match(line)) and path:
            gone = [next(lines, "")[1:] for _ in range(int(found[1] or 1))]
            come = _after(lines, int(found[2] or 1))
            yield Stretch(commit, subject, path, tuple(gone), tuple(come))


def _after(lines: Iterator[str], count: int) -> list[str]:
    """The lines put there; between the two parts git may say that a file ends without a line break."""
    found: list[str] = []
    while len(found) < count:
        line = next(lines, "+")
        if not line.startswith("\\"):
            found.append(line[1:])
    return found
