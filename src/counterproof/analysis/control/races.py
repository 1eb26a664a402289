"""Check-then-act on stored numbers: a row is read, a column of it tested, and then set in a statement of its own (CWE-362).

Always holds: a statement that tests the column itself is safe; so is a function that locks. Does not belong here:
races on files.
"""

from collections.abc import Iterator

from counterproof.analysis.control.messages import CHECK_THEN_ACT, finding
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.documents import CHANGING, set_fields
from counterproof.analysis.program.file import File
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traits import having, trait
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Assign, Attribute, Augment, Call, Compare, Function, Index, Name, Node
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import Location

_COUNTED = vocabulary(
    "used uses stock balance credit credits quantity remaining left amount points inventory available seats tickets count"
)
_LOCKING = vocabulary("lock locked atomic mutex semaphore serializable")
_LOCKING_CALLS = ("select_for_update", "with_for_update", "with_for_share")
_OPENING = vocabulary("transaction begin")
"""What opens a transaction, where it is called; a sum of money is often a transaction too."""
_LOCK_TEXTS = ("for update", "begin immediate", "begin exclusive", "lock table", "serializable")


def check_then_act(quotes: Quotes, program: EnteredProgram) -> Iterator[Finding]:
    for ground, function in candidates(program):
        found = _statements(ground, function) or _documents(ground, function) or _attributes(ground, function)
        if found is not None:
            where, column = found
            why = f"The column “{column}” is read and tested first and written afterwards, without a lock."
            yield finding(quotes, CHECK_THEN_ACT, where, None, why, function.qualified)


def candidates(program: EnteredProgram) -> list[tuple[File, Function]]:
    """Functions that test a counted thing and do not lock."""
    return program.codebase.remembered(("races",), lambda: _candidates(program))


def _candidates(program: EnteredProgram) -> list[tuple[File, Function]]:
    found: list[tuple[File, Function]] = []
    for outline in having(program.codebase, _may_race):
        found += [(program.file(outline.path), function) for function in _racing(outline)]
    return found


@trait("tests of counted things without a lock")
def _may_race(outline: Outline) -> bool:
    return next(_racing(outline), None) is not None


def _racing(outline: Outline) -> Iterator[Function]:
    if "migrations" in outline.path.split("/"):
        return  # run once, by one process
    tested = [site.line for site in outline.of(Compare) if words_in(site.node) & _COUNTED]
    for function in outline.module.functions:
        if not any(function.line <= line <= function.end for line in tested):
            continue
        tests = [node for node in walk(*function.body) if isinstance(node, Compare)]
        if any(words_in(test) & _COUNTED for test in tests) and not _locks(function):
            yield function


def _locks(function: Function) -> bool:
    if words_in(*function.body, *function.decorators) & _LOCKING:
        return True
    names = [called(node) for node in walk(*function.body, *function.decorators) if isinstance(node, Call)]
    if any(each in _LOCKING_CALLS or set(words(each)) & _OPENING for each in names):
        return True
    return any(any(lock in text.lower() for lock in _LOCK_TEXTS) for node in walk(*function.body) if (text := text_of(node)))


def _tested(function: Function) -> dict[str, int]:
    """Columns of fetched rows that a comparison tests, with the line."""
    found: dict[str, int] = {}
    for node in walk(*function.body):
        if isinstance(node, Compare) and any(each in ("<", "<=", ">", ">=") for each in node.operators):
            for part in walk(node):
                key = text_of(part.key) if isinstance(part, Index) and isinstance(part.value, Name) else None
                if isinstance(part, Name) and set(words(part.id)) & _COUNTED:
                    key = part.id.lower()
                if key:
                    found.setdefault(key, node.line)
    return found


def _statements(ground: File, function: Function) -> tuple[Location, str] | None:
    """SELECT, test, UPDATE … SET column = ? on the same table, in this order."""
    tested = _tested(function)
    read: set[str] = set()
    for node in sorted((n for n in walk(*function.body) if isinstance(n, Call)), key=lambda each: each.line):
        text = statement_text(statement_parts(ground, function, node))
        spoken = text.split()
        if spoken[:1] == ["select"] and "from" in spoken[:-1]:
            read.add(spoken[spoken.index("from") + 1])
        column = _set_to_value(text, read)
        if column in tested and tested[column] < node.line:
            return Location(ground.path, tested[column], node.end), column
    return None


def _documents(ground: File, function: Function) -> tuple[Location, str] | None:
    """A field of a document is tested, then `update_one({…}, {"$set": {field: …}})` sets it."""
    tested = {column: line for column, line in _tested(function).items() if set(words(column)) & _COUNTED}
    for node in walk(*function.body):
        if isinstance(node, Call) and called(node) in CHANGING:
            column = next((each for each in set_fields(node) if tested.get(each, node.line) < node.line), "")
            if column:
                return Location(ground.path, tested[column], node.end), column
    return None


def _set_to_value(text: str, read: set[str]) -> str:
    """The column that `UPDATE table SET column = …` sets; '' if the statement tests it itself. To compute is not to test."""
    lowered = text.lower()
    spoken = lowered.split()
    if spoken[:1] != ["update"] or len(spoken) < 4 or spoken[1] not in read:
        return ""
    change, _, condition = lowered.partition(" where ")
    column = change.partition(" set ")[2].partition("=")[0].strip()
    return "" if column in condition else column


def _attributes(ground: File, function: Function) -> tuple[Location, str] | None:
    """`if account.balance < amount`, then `account.balance -= amount`, then a commit."""
    tested: dict[tuple[str, str], int] = {}
    saved = any(
        isinstance(n, Call) and isinstance(n.callee, Attribute) and n.callee.name in ("save", "commit")
        for n in walk(*function.body)
    )
    if not saved:
        return None
    for node in walk(*function.body):
        if isinstance(node, Compare) and any(each in ("<", "<=", ">", ">=") for each in node.operators):
            for part in walk(node):
                place = _field(part)
                if place and set(words(place[1])) & _COUNTED:
                    tested.setdefault(place, node.line)
    for node in walk(*function.body):
        target = node.target if isinstance(node, Augment) else node.targets[0] if isinstance(node, Assign) else None
        place = _field(target) if target is not None else None
        if place in tested and tested[place] < node.line:
            return Location(ground.path, tested[place], node.end), place[1]
    return None


def _field(node: Node | None) -> tuple[str, str] | None:
    if isinstance(node, Attribute) and isinstance(node.value, Name) and node.value.id not in ("self", "cls"):
        return node.value.id, node.name
    return None
