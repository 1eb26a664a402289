"""Applying a unified diff from another author to texts in memory.

Invariant: only lines of existing files change; every line that the diff keeps or removes is in the text exactly, at one location
given by its line number or content. Not handled here: the quality of a patch.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

MAX_DIFF = 60_000
"""Limit on the characters of a diff."""
_HUNK = re.compile(r"@@ -(\d{1,7})(?:,\d+)? \+\d+(?:,\d+)? @@")


class Misfit(Exception):
    """Raised with the reason if the diff cannot be applied."""


@dataclass(slots=True)
class _Hunk:
    first: int
    rows: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    @property
    def old(self) -> list[str]:
        return [text for sign, text in self.rows if sign != "+"]


def applied(diff: str, text_of: Callable[[str], str | None]) -> dict[str, str]:
    """The texts that the diff changes, by path. `text_of` gives None for a file that may not be changed. Raises `Misfit`."""
    if len(diff) > MAX_DIFF:
        raise Misfit(f"the diff is longer than {MAX_DIFF:,} characters")
    done: dict[str, str] = {}
    for path, hunks in _read(diff).items():
        before = text_of(path)
        if before is None:
            raise Misfit(f"{path[:200]} may not be changed: name files of the scope other than tests")
        done[path] = _patched(path, before, hunks)
    if not done:
        raise Misfit("it is not a unified diff: `--- a/FILE`, `+++ b/FILE`, `@@ -LINE,COUNT +LINE,COUNT @@`")
    return {path: text for path, text in done.items() if text != text_of(path)}


def _read(diff: str) -> dict[str, list[_Hunk]]:
    found: dict[str, list[_Hunk]] = {}
    lines = diff.strip("\n").split("\n")
    path, hunk = "", None
    for number, line in enumerate(lines):
        if line.startswith("--- ") and lines[number + 1 : number + 2] and lines[number + 1].startswith("+++ "):
            path, hunk = _path(line, lines[number + 1]), None
        elif header := _HUNK.match(line):
            hunk = _Hunk(int(header[1]))
            found.setdefault(path, []).append(hunk)
        elif hunk is not None and line[:1] in ("+", "-", " ", ""):
            hunk.rows.append((line[:1] or " ", line[1:].rstrip("\r")))
        elif not line.startswith("\\"):
            hunk = None
    for each in (one for some in found.values() for one in some):
        while each.rows[-1:] == [(" ", "")]:  # between two files of a diff, as often as a line of the text
            each.rows.pop()
    return found


def _path(old: str, new: str) -> str:
    names = [each[4:].partition("\t")[0].strip() for each in (old, new)]
    if "/dev/null" in names:
        raise Misfit("it adds or removes a file; only lines of existing files may change")
    return names[1].removeprefix("b/")


def _patched(path: str, text: str, hunks: list[_Hunk]) -> str:
    lines = text.split("\n")
    ending = "\r" if lines[0].endswith("\r") else ""
    bare = [line.removesuffix("\r") for line in lines]
    moved, reached = 0, 0
    for hunk in hunks:
        place = _place(path, bare, hunk, hunk.first - 1 + moved, reached)
        new: list[str] = []
        old = place
        for sign, row in hunk.rows:
            if sign == "+":
                new.append(row + ending)
            else:
                new += [lines[old]] if sign == " " else []
                old += 1
        lines[place:old] = new
        bare[place:old] = [line.removesuffix("\r") for line in new]
        moved += len(new) - (old - place)
        reached = place + len(new)
    return "\n".join(lines)


def _place(path: str, lines: list[str], hunk: _Hunk, named: int, reached: int) -> int:
    """The location of a hunk's lines: the given line, else the only place that contains them."""
    old = hunk.old
    if not old:
        raise Misfit(f"{path}: a hunk has no line that stays, so its place is not known")
    places = [each for each in range(reached, len(lines) - len(old) + 1) if lines[each : each + len(old)] == old]
    if named in places:
        return named
    if len(places) != 1:
        told = "are not in it" if not places else f"are at {len(places)} places"
        raise Misfit(f"{path}: the lines of the hunk at line {hunk.first} {told}; copy them exactly")
    return places[0]
