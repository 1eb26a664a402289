"""The changes of commits to files from git's output: each block of removed lines with the added ones.

Invariant: a block's length comes from its header, so a line that looks like a header is only a line. Text that is not a patch
ends the reading of that commit.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

COMMIT, FIELD = "\x1e", "\x1f"
_HEADING = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True)
class Stretch:
    """One block of changes in a file. `subject` is the committer's own text."""

    commit: str
    subject: str
    path: str
    removed: tuple[str, ...]
    added: tuple[str, ...]


def stretches(said: str) -> Iterator[Stretch]:
    """Parse the output of `git log --unified=0` in the format of `HEADER`."""
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
    """The added lines; between the two parts git may report a missing newline at the end of the file."""
    found: list[str] = []
    while len(found) < count:
        line = next(lines, "+")
        if not line.startswith("\\"):
            found.append(line[1:])
    return found
