"""Calls that run an SQL statement: a cursor's method, or a project function that receives the statement.

Invariant: a call counts by the statement in its first argument or the variable passed there, never by its name alone; a function
of any name counts if the statement cannot be mistaken for a sentence. Not handled here: the effect of the statement.
"""

from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import called, positional, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Binary, Call, Concat, Const, Expr, Format, Function, Name
from counterproof.analysis.syntax.walk import walk

_RUNNING = vocabulary("execute executemany executescript query sql fetch fetchrow fetchone fetchall run raw select read write db")
_VERBS = ("select ", "insert ", "update ", "delete ", "replace ", "with ")
_PLAIN = (("select ", " from "), ("insert into ", " values"), ("update ", " set "), ("delete from ", ""))
"""The start of a statement, and a text that it must also contain."""
_ONLY_TOLD = vocabulary(
    "print log debug info warning warn error critical exception append extend join format text str repr len strip dedent flash "
    "write mogrify encode add push put send"
)
"""Name words of functions that receive a text without running it."""


def runs_statement(outline: Outline, function: Function | None, call: Call) -> bool:
    return bool(statement_parts(outline, function, call))


def statement_parts(outline: Outline, function: Function | None, call: Call) -> tuple[Expr, ...]:
    """The expressions of the statement that a call runs; empty if it runs none."""
    spoken = set(words(called(call)))
    if spoken & _ONLY_TOLD and not spoken & _RUNNING:
        return ()
    first = _unwrapped(positional(call, 0))
    if first is None:
        return ()
    parts: tuple[Expr, ...] = (first,)
    if isinstance(first, Name):
        assigned = outline.local(function, first.id) or outline.top_level.get(first.id)
        parts = (first, assigned.value) if assigned is not None and assigned.value is not None else parts
    if spoken & _RUNNING:
        return parts if statement_text(parts).startswith(_VERBS) else ()
    return parts if _is_plain(parts) else ()


def _is_plain(parts: tuple[Expr, ...]) -> bool:
    """Return True if a text, not the result of another call, is an unmistakable statement."""
    if not isinstance(parts[-1], Const | Format | Concat | Binary):
        return False
    text = statement_text(parts)
    return any(text.startswith(opening) and rest in text for opening, rest in _PLAIN)


def _unwrapped(given: Expr | None) -> Expr | None:
    """`text(statement)` of SQLAlchemy is its statement."""
    if isinstance(given, Call) and called(given) == "text" and len(given.arguments) == 1:
        return given.arguments[0].value
    return given


def statement_text(parts: tuple[Expr, ...]) -> str:
    """The fixed text of a statement, in lower case, on one line."""
    text = " ".join(piece for part in parts for node in walk(part) if (piece := text_of(node)))
    return " ".join(text.split()).lower()
