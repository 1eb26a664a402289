"""Rows of a database handed out as they are, secret columns and all (CWE-200).

Always holds: the statement names a secret column, or all columns of a table in which the project's own statements put one, and
the row as a whole stands in a handler's answer. Does not belong here: fields that a handler picks by itself.
"""

import re
from collections.abc import Iterator

from counterproof.analysis.backward.program import Program
from counterproof.analysis.control.answers import shown
from counterproof.analysis.control.exposure import is_sensitive
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.flow.quotes import Quotes
from counterproof.analysis.outline.outline import Outline
from counterproof.analysis.outline.queries import called, statement_parts, statement_text
from counterproof.analysis.outline.traits import told, trait
from counterproof.analysis.outline.traversal import calls_in, text_of
from counterproof.analysis.syntax.ir import Attribute, Await, Call, Expr, Function, Name
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.severity import Confidence

_FETCHING = ("fetchall", "fetchone", "fetchmany", "all", "first", "one", "mappings")
_TABLE = re.compile(
    r"\b(?:create table(?: if not exists)?|insert (?:or \w{1,10} )?into) [`\"\[]?(\w{1,80})[`\"\]]? ?\(([^;]{1,2000})",
    re.IGNORECASE,
)
_COLUMN = re.compile(r"\w{1,80}")
MAX_TEXT = 20_000
"""Longer texts are no statements."""
MAX_CHAIN = 6


def queried_records(quotes: Quotes, program: Program, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """`return jsonify(db.execute("SELECT * FROM users").fetchall())`, also through a function that fetches the rows."""
    seen: set[int] = set()
    for operation in operations:
        if id(operation.function) in seen:
            continue
        seen.add(id(operation.function))
        name, line = _handed_out(program, operation.ground.outline, operation.function, 0)
        if name:
            why = f"{name} of every row that is found is part of the answer."
            place = at(operation.ground.path, line)
            yield finding(quotes, EXPOSED_FIELD, place, operation.entry, why, operation.function.qualified, Confidence.MEDIUM)


def _handed_out(program: Program, outline: Outline, function: Function, depth: int) -> tuple[str, int]:
    """The secret column of a row that stands in the answer as a whole, and the line that fetches it."""
    asked = [(call, column) for call in calls_in(*function.body) if (column := _secret(program, outline, function, call))]
    for node in shown(outline, function):
        call = node.value if isinstance(node, Await) else node
        if not isinstance(call, Call):
            continue
        column = next((column for query, column in asked if _fetches(call, query)), "")
        if column:
            return column, call.line
        meant = program.codebase.meaning(outline, call.callee, function) if depth == 0 else None
        if meant is not None and isinstance(meant.node, Function):
            column, _ = _handed_out(program, meant.outline, meant.node, depth + 1)
            if column:
                return column, call.line
    return "", 0


def _fetches(call: Call, query: Call) -> bool:
    """`db.execute(…).fetchall()`, `query(…)` itself, or `cursor.fetchall()` after `cursor.execute(…)`."""
    node: Expr = call
    for _ in range(MAX_CHAIN):
        if node is query:
            return True
        if isinstance(node, Call) and isinstance(node.callee, Attribute):
            node = node.callee.value
        elif isinstance(node, Await):
            node = node.value
        else:
            break
    if called(call) not in _FETCHING or not isinstance(call.callee, Attribute) or not isinstance(query.callee, Attribute):
        return False
    receiver, cursor = call.callee.value, query.callee.value
    return isinstance(receiver, Name) and isinstance(cursor, Name) and receiver.id == cursor.id and query.line <= call.line


def _secret(program: Program, outline: Outline, function: Function, call: Call) -> str:
    """The secret column that a statement asks for; '' if it asks for none."""
    text = statement_text(statement_parts(outline, function, call))
    if not text.startswith("select ") or len(text) > MAX_TEXT or " from " not in text:
        return ""
    columns, _, rest = text.removeprefix("select ").partition(" from ")
    named = next((each for each in _COLUMN.findall(columns) if is_sensitive(each)), "")
    if named or columns.strip() != "*":
        return named
    table = _COLUMN.search(rest)
    return _secret_columns(program).get(table.group(), "") if table else ""


def _secret_columns(program: Program) -> dict[str, str]:
    """The secret column of each table that the project's own statements make or fill."""

    columns: dict[str, str] = {}
    for pairs in told(program.codebase, _secrets_kept).values():
        for table, secret in pairs:
            columns.setdefault(table, secret)
    return columns


@trait("secret columns")
def _secrets_kept(outline: Outline) -> list[list[str]]:
    """Tables and their secret columns, as the statements of a file name them."""
    columns: dict[str, str] = {}
    for text in (text for node in outline.texts if (text := text_of(node))):
        if len(text) > MAX_TEXT or "(" not in text:
            continue
        for table, inside in _TABLE.findall(" ".join(text.split())):
            secret = next((each for each in _COLUMN.findall(inside.partition(" values")[0]) if is_sensitive(each)), "")
            if secret:
                columns.setdefault(table.lower(), secret)
    return [[table, secret] for table, secret in columns.items()]
