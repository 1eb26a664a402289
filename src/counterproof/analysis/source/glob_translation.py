"""One path component's pattern as a regular expression that cannot backtrack across stars.

Each run between two stars is matched leftmost inside an atomic group, so the cost is bounded by pattern length times name
length. Only the characters inside one component are dealt with here; slashes and `**` are not.
"""

import os
import re

_POSIX = {
    "alnum": "a-zA-Z0-9",
    "alpha": "a-zA-Z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "\\x21-\\x7e",
    "lower": "a-z",
    "print": "\\x20-\\x7e",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}


class NeverMatches(Exception):
    """The pattern is one that git accepts and never matches."""


def bytewise(text: str) -> str:
    """One character per byte: git compares bytes, so `?` is half an `é`."""
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


class Translation:
    """One segment turned into a regular expression that cannot backtrack across stars."""

    def __init__(self, part: str) -> None:
        self.part = part
        self.position = 0

    def regex(self) -> re.Pattern[str]:
        runs: list[str] = [""]
        while self.position < len(self.part):
            character = self.part[self.position]
            self.position += 1
            if character == "*":
                runs.append("")
            else:
                runs[-1] += self._single(character)
        first, *rest = runs
        if not rest:
            return re.compile(first, re.DOTALL)
        middle = "".join(f"(?>.*?{run})" for run in rest[:-1] if run)
        return re.compile(f"{first}{middle}.*{rest[-1]}", re.DOTALL)

    def _single(self, character: str) -> str:
        if character == "?":
            return "."
        if character == "[":
            return self._character_class()
        if character == "\\":
            if self.position == len(self.part):
                raise NeverMatches
            character = self.part[self.position]
            self.position += 1
        return re.escape(character)

    def _character_class(self) -> str:
        negated = self.part[self.position : self.position + 1] in ("!", "^")
        self.position += negated
        inside = ""
        first = True
        while True:
            if self.position >= len(self.part):
                raise NeverMatches
            character = self.part[self.position]
            if character == "]" and not first:
                self.position += 1
                break
            inside += self._class_member()
            first = False
        return f"[^{inside}]" if negated else (f"[{inside}]" if inside else "(?!)")

    def _class_member(self) -> str:
        if self.part.startswith("[:", self.position):
            end = self.part.find(":]", self.position + 2)
            name = self.part[self.position + 2 : end] if end > 0 else ""
            if name in _POSIX:
                self.position = end + 2
                return _POSIX[name]
        low = self._class_character()
        if self.part[self.position : self.position + 1] == "-" and self.part[self.position + 1 : self.position + 2] not in (
            "",
            "]",
        ):
            self.position += 1
            high = self._class_character()
            return f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)
        return re.escape(low)

    def _class_character(self) -> str:
        character = self.part[self.position]
        self.position += 1
        if character == "\\":
            if self.position >= len(self.part):
                raise NeverMatches
            character = self.part[self.position]
            self.position += 1
        return character
