"""Columns that hold a secret, told by the statements that make or fill a table, and statements that ask for them.

Always holds: a column is judged by its name; that a table has one is said by the project's own statements. Does not belong here:
where the rows go.
"""

import re
from collections.abc import Callable, Iterator

from counterproof.analysis.control.exposure import is_sensitive

MAX_TEXT = 20_000
"""Longer texts are no statements."""
_TABLE = re.compile(
    r"\b(?:create table(?: if not exists)?|insert (?:or \w{1,10} )?into) [`\"\[]?(\w{1,80})[`\"\]]? ?\(([^;]{1,2000})",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"\w{1,80}")
_CHANGED = re.compile(r"(?:update|insert into|delete from) [`\"\[]?(\w{1,80})[^;]{0,4000}\breturning ?\*")


def secrets_kept(text: str) -> Iterator[tuple[str, str]]:
    """Tables that a statement makes or fills, each with a secret column of it."""
    for table, inside in _TABLE.findall(" ".join(text.split())) if "(" in text else ():
        secret = next((each for each in _COLUMN.findall(inside.partition(" values")[0]) if is_sensitive(each)), "")
        if secret:
            yield table.lower(), secret


def secret_asked(text: str, tables: Callable[[], dict[str, str]]) -> str:
    """The secret column that a statement, in small letters, gives back; '' if it gives none. `tables` are those that have one."""
    if len(text) > MAX_TEXT:
        return ""
    if (changed := _CHANGED.match(text)) is not None:
        return tables().get(changed[1], "")
    if not text.startswith("select ") or " from " not in text:
        return ""
    columns, _, rest = text.removeprefix("select ").partition(" from ")
    named = next((each for each in _COLUMN.findall(columns) if is_sensitive(each)), "")
    if named or columns.strip() != "*":
        return named
    table = _COLUMN.search(rest)
    return tables().get(table.group(), "") if table else ""
