"""The table and columns that an SQL statement reads or writes.

Invariant: only bounded text is read; anything but plain SQL yields "any column". Not handled here: checking SQL.
"""

import re
from functools import lru_cache
from typing import NamedTuple

MAX_SQL = 4_000
_NAME = r"[\"'`\[]?([A-Za-z_][\w.]{0,80})[\"'`\]]?"
_INSERT = re.compile(
    rf"^\s*(?:insert(?:\s+or\s+\w+)?|replace)\s+into\s+{_NAME}\s*(?:\(([^()]*)\))?\s*(?:values\s*)?", re.IGNORECASE
)
_UPDATE = re.compile(rf"^\s*update\s+(?:or\s+\w+\s+)?{_NAME}\s+set\s+", re.IGNORECASE)
_SELECT = re.compile(r"^\s*select\s+(?:distinct\s+)?", re.IGNORECASE)
_FROM = re.compile(rf"\bfrom\s+{_NAME}", re.IGNORECASE)
_JOIN = re.compile(r"\bjoin\b|\bunion\b", re.IGNORECASE)
_COLUMN = re.compile(r"^(?:\w+\.)?[\"`\[]?(\w+)[\"`\]]?$")
_ALIAS = re.compile(r"\bas\s+(\w+)\s*$", re.IGNORECASE)
_HOLDER = re.compile(r"\?|%s|\$\d+|:(\w+)|%\((\w+)\)s")
_INLINED = re.compile(r"~|%s|%\(\w+\)s|%d|\{\w*\}")
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_COUNTS = re.compile(r"^(?:count|sum|avg|max|min|length|exists|strftime|date|datetime|round|random|coalesce)\s*\(", re.IGNORECASE)


class Written(NamedTuple):
    """A writing statement.

    `columns` contains (column, placeholder) where both are plain: a position or a name. `inlined` are columns whose value is in
    the statement's text."""

    table: str
    columns: tuple[tuple[str, int | str], ...]
    inlined: tuple[str, ...]


class Selected(NamedTuple):
    """A statement that reads one table. `columns` are the names of the row's fields in order; empty means all."""

    table: str
    columns: tuple[str, ...]


@lru_cache(maxsize=2_000)
def shape_of(sql: str) -> Written | Selected | None:
    """The parsed statement; None if it is neither a plain write nor a plain read."""
    sql = sql[:MAX_SQL]
    found = _INSERT.match(sql)
    if found:
        return _written(found.group(1), *_inserted(found.group(2), sql[found.end() :]))
    found = _UPDATE.match(sql)
    if found:
        return _written(found.group(1), *_updated(sql[found.end() :]))
    found = _SELECT.match(sql)
    return _selected(sql[found.end() :]) if found else None


def _plain(name: str) -> str:
    return name.rpartition(".")[2].lower()


def _parts(text: str) -> list[str]:
    """Parts separated by commas outside brackets and quotes."""
    parts: list[str] = []
    depth, start, quote = 0, 0, ""
    for position, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                return [*parts, text[start:position].strip()]
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    return [*parts, text[start:].strip()]


def _written(table: str, parts: list[str], names: list[str]) -> Written:
    inlined = [names[index] for index, part in enumerate(parts) if index < len(names) and _INLINED.search(part)]
    return Written(_plain(table), _holders(parts, names), tuple(inlined))


def _holders(parts: list[str], names: list[str]) -> tuple[tuple[str, int | str], ...]:
    """Columns with the placeholder for each, if there is nothing else."""
    found: list[tuple[str, int | str]] = []
    position = 0
    for index, part in enumerate(parts):
        column = names[index] if index < len(names) else ""
        holder = _HOLDER.fullmatch(part)
        if holder is None:
            position += len(_HOLDER.findall(part))
            continue
        named = holder.group(1) or holder.group(2)
        found.append((column, named or position))
        position += 0 if named else 1
    return tuple(found)


def _inserted(columns: str | None, rest: str) -> tuple[list[str], list[str]]:
    names = [each.strip().strip("\"'`[]").lower() for each in columns.split(",")] if columns else []
    rest = rest.lstrip()
    return (_parts(rest[1:]) if rest.startswith("(") else []), names


def _updated(rest: str) -> tuple[list[str], list[str]]:
    end = _WHERE.search(rest)
    pairs = [part.partition("=") for part in _parts(rest[: end.start()] if end else rest)]
    names = [name.strip().strip("\"'`[]").lower() for name, _, _ in pairs]
    return [value.strip().rstrip(";").strip() for _, _, value in pairs], names


def _selected(rest: str) -> Selected | None:
    found = _FROM.search(rest)
    if found is None:
        return None
    listed = _parts(rest[: found.start()])
    table = _plain(found.group(1))
    if _JOIN.search(rest, found.end()):
        return Selected(table, _columns(listed)) if not any("*" in each for each in listed) else Selected(table, ())
    return Selected(table, () if any(each.endswith("*") for each in listed) else _columns(listed))


def _columns(listed: list[str]) -> tuple[str, ...]:
    """Names of a row's fields; a computed field gets a name that no column has."""
    names: list[str] = []
    for part in listed:
        plain = _COLUMN.match(part)
        alias = _ALIAS.search(part)
        if _COUNTS.match(part):
            names.append(f"({alias.group(1) if alias else 'computed'})")
        elif plain:
            names.append(plain.group(1).lower())
        else:
            names.append(alias.group(1).lower() if alias else "")
    return tuple(names)
