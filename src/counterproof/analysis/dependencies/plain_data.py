"""Parsed TOML and JSON with types: a value that is not of the expected shape is as good as absent."""

from typing import cast

Table = dict[str, object]


def as_table(value: object) -> Table:
    """The value if it is a table, else an empty one."""
    return cast("Table", value) if isinstance(value, dict) else {}


def as_list(value: object) -> list[object]:
    """The value if it is a list, else an empty one."""
    return cast("list[object]", value) if isinstance(value, list) else []
