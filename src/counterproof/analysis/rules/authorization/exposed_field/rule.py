"""Secrets and personal data in answers.

## What it finds
A handler, or a function it calls, that answers with a mapping in which a password, a card number, a social security number or the
secret of a second factor of a stored object stands. Also a handler that writes such a field into a text it answers with, and one
that gives out the whole environment or a secret setting of the server; rows that a statement fetches with such a column and a
handler answers with as they are; and a page that prints such a field of a user or row.

## Why it matters
Answers end up in browsers, caches and logs of others. A password hash can be guessed at leisure, a card number be used at once.

## What is safe
Answers that name the fields they give out, without these; masked values.

## Limits
Fields are judged by their names. Objects that a library turns into JSON as a whole and answers of scripts are not read.
"""

import re
from collections.abc import Iterator
from itertools import chain

from counterproof.analysis.control.answers import shown
from counterproof.analysis.control.exposure import exposed_fields, is_sensitive
from counterproof.analysis.control.messages import EXPOSED_FIELD, finding
from counterproof.analysis.control.operations import Operation
from counterproof.analysis.control.secret_columns import MAX_TEXT, secret_asked, secrets_kept
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import called, calls_in, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Quotes
from counterproof.analysis.ruleset import Confidence, ControlRule, Guess, Severity
from counterproof.analysis.syntax.ir import Attribute, Await, Call, Expr, Function, Name
from counterproof.model.finding import Finding
from counterproof.model.location import at

_FETCHING = ("fetchall", "fetchone", "fetchmany", "all", "first", "one", "mappings")
MAX_CHAIN = 6


def queried_records(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    """`return jsonify(db.execute("SELECT * FROM users").fetchall())`, also through a function that fetches the rows.

    Always holds: the statement names a secret column, or all columns of a table in which the project's own statements put one,
    and the row as a whole stands in a handler's answer.
    """
    seen: set[int] = set()
    for operation in operations:
        if id(operation.function) in seen:
            continue
        seen.add(id(operation.function))
        name, line = _handed_out(program, operation.ground, operation.function, 0)
        if name:
            why = f"{name} of every row that is found is part of the answer."
            place = at(operation.ground.path, line)
            yield finding(quotes, EXPOSED_FIELD, place, operation.entry, why, operation.function.qualified, Confidence.MEDIUM)


def _handed_out(program: EnteredProgram, outline: Outline, function: Function, depth: int) -> tuple[str, int]:
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


def _secret(program: EnteredProgram, outline: Outline, function: Function, call: Call) -> str:
    """The secret column that a statement asks for; '' if it asks for none."""
    return secret_asked(statement_text(statement_parts(outline, function, call)), lambda: _secret_columns(program))


def _secret_columns(program: EnteredProgram) -> dict[str, str]:
    """The secret column of each table that the project's own statements make or fill."""
    columns: dict[str, str] = {}
    for pairs in told(program.codebase, _secrets_kept).values():
        for table, secret in pairs:
            columns.setdefault(table, secret)
    return columns


@trait("secret columns")
def _secrets_kept(outline: Outline) -> list[list[str]]:
    """Tables and their secret columns, as the statements of a file name them."""
    texts = (text for node in outline.texts if (text := text_of(node)) and len(text) <= MAX_TEXT)
    columns = dict(reversed([pair for text in texts for pair in secrets_kept(text)]))
    return [[table, secret] for table, secret in columns.items()]


_PAGES = (".html", ".htm", ".jinja", ".jinja2", ".j2", ".tpl")
_PRINTED = re.compile(
    r"\{\{-?[ \t]{0,8}([A-Za-z_]\w{0,60})(?:\.([A-Za-z_]\w{0,60})|\[[ ]?['\"](\w{1,60})['\"][ ]?\])"
    r"[ \t]{0,8}(?:[-}]|\|[ ]?(\w{1,40}))"
)
_RECORDS = vocabulary(
    "user account member customer person profile employee admin student patient client row record entry item credential card"
)
_MASKING = frozenset({"slice", "mask", "masked", "truncatechars", "truncate", "last", "length", "yesno", "redact", "hide"})
"""Filters that leave too little of a value to use."""
MAX_LINE = 4_000


def printed_fields(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    """The first of each page.

    Always holds: the field is one of a person, a row or a record by its name; fields of forms and texts that are looked up by
    a key are none.
    """
    for file in program.project.survey.files:
        if file.language is None and not file.test and file.path.endswith(_PAGES):
            found = _first(program.project.text(file.path))
            if found is not None:
                line, name = found
                why = f"{name} of a stored object is printed on the page."
                yield finding(quotes, EXPOSED_FIELD, at(file.path, line), None, why, "", Confidence.MEDIUM)


def _first(text: str) -> tuple[int, str] | None:
    if "{{" not in text:
        return None
    for number, line in enumerate(text.split("\n"), start=1):
        for match in _PRINTED.finditer(line[:MAX_LINE]):
            name = match[2] or match[3]
            owner = {each.removesuffix("s") for each in words(match[1])}
            if owner & _RECORDS and not owner & {"form"} and is_sensitive(name) and match[4] not in _MASKING:
                return number, name
    return None


RULE = ControlRule(
    title="Sensitive field in a response",
    kind="exposure",
    cwe=200,
    severity=Severity.MEDIUM,
    guesses=(Guess.NAME,),
    consequence="Whoever may call the endpoint reads passwords, personal data or secrets of the server.",
    remedy="Leave the field out of the response, or mask it.",
    check=lambda site: chain(
        exposed_fields(site.quotes, site.program, site.operations),
        queried_records(site.quotes, site.program, site.operations),
        printed_fields(site.quotes, site.program),
    ),
)
