"""Parsed TOML and JSON with types, and the lines of keys in a JSON text: parsers return values without lines, reports need
both.

Invariant: a value of an unexpected type is treated as absent; looking up keys in text order costs one pass over the text. Not
handled here: the meaning of keys.
"""

import json
from bisect import bisect_right
from typing import cast

from counterproof.analysis.syntax.structured import parsed_json

Table = dict[str, object]


def parsed(text: str) -> Table | None:
    """A JSON object, or None for any other text."""
    try:
        data: object = parsed_json(text)
    except ValueError:
        return None
    return cast("Table", data) if isinstance(data, dict) else None


def as_table(value: object) -> Table:
    """The value if it is a table, else an empty one."""
    return cast("Table", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The value if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []


class Spots:
    """Lines of keys in one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0]
        position = text.find("\n")
        while position >= 0:
            self.starts.append(position + 1)
            position = text.find("\n", position + 1)
        self._from = 0

    def line_at(self, position: int) -> int:
        return bisect_right(self.starts, position)

    def enter(self, section: str) -> bool:
        """Move the search to just after a section's name."""
        position = self.text.find(json.dumps(section) + ":")
        position = position if position >= 0 else self.text.find(json.dumps(section))
        self._from = max(position, 0)
        return position >= 0

    def line(self, key: str, value: bool = False) -> int:
        """The line of the next key (or string value) after the last one found; the last line found if there is none."""
        wanted = json.dumps(key, ensure_ascii=False)
        position = self.text.find(wanted, self._from)
        if position < 0:
            return self.line_at(self._from)
        self._from = position + (len(wanted) if value else 1)
        return self.line_at(position)
