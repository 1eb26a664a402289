"""What an application keeps about people, handed to anyone: everybody's record, or one chosen by the request (CWE-306).

Always holds: the application asks for a login elsewhere, this handler asks for none, and the answer holds what people do not
publish about themselves, or the records as they are kept. Does not belong here: objects that belong to people.
"""

from collections.abc import Callable, Iterator

from counterproof.analysis.control.access import MIN_GUARDED, OPEN_BY_NATURE
from counterproof.analysis.control.answers import shown
from counterproof.analysis.control.identity import caller_mentions
from counterproof.analysis.control.lookups import lookups, model_of, tables
from counterproof.analysis.control.messages import MISSING_LOGIN, finding
from counterproof.analysis.control.operations import READ, Operation
from counterproof.analysis.control.owned_tables import PEOPLE
from counterproof.analysis.control.ownership import carries_secret
from counterproof.analysis.control.shapes import answer_fields
from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.program.file import File
from counterproof.analysis.program.queries import statement_parts, statement_text
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Quotes
from counterproof.analysis.syntax.ir import Assign, Attribute, Await, Call, Expr, Function, Index, Mapping, Name, Return
from counterproof.analysis.syntax.walk import walk
from counterproof.model.finding import Finding
from counterproof.model.location import at
from counterproof.model.recon import Guard
from counterproof.model.severity import Confidence

_UNPUBLISHED = vocabulary(
    "email mail phone telephone mobile password passwd address ssn balance salary birthday dob birthdate iban role admin secret"
)
"""What stands in an account and on no page that others are meant to see."""
_EVERYTHING = ("all", "select", "fetchall", "query", "find", "scalars")
_PICKING = ("where", "filter", "filter_by", "get")
_TEMPLATES = vocabulary("render template")


def open_people(quotes: Quotes, program: EnteredProgram, operations: tuple[Operation, ...]) -> Iterator[Finding]:
    guarded = {id(each.function) for each in operations if each.entry.guard is Guard.PRESENT}
    if len(guarded) < MIN_GUARDED:
        return
    seen: set[int] = set()
    for each in operations:
        if id(each.function) in seen or id(each.function) in guarded or not _is_open(each):
            continue
        seen.add(id(each.function))
        what = _handed_out(program, each)
        if what:
            why = f"It answers with {what}, other endpoints ask for a login, and this one does not."
            place = at(each.ground.path, each.function.line)
            yield finding(quotes, MISSING_LOGIN, place, each.entry, why, each.function.qualified, Confidence.MEDIUM)


def _is_open(operation: Operation) -> bool:
    if operation.entry.guard is not Guard.ABSENT or operation.crud != READ or operation.words & OPEN_BY_NATURE:
        return False
    if carries_secret(operation) or caller_mentions(operation.ground, *operation.function.body):
        return False
    called_names = {word for node in walk(*operation.function.body) if isinstance(node, Call) for word in words(called(node))}
    return not called_names & _TEMPLATES


def _handed_out(program: EnteredProgram, operation: Operation) -> str:
    """What of people the answer holds; '' if nothing."""
    chosen = any(set(words(each.store)) & PEOPLE for each in lookups(program, operation))
    if not chosen and not reads_all(program, operation, _is_people):
        return ""
    declared = answer_fields(program, operation)
    if declared:
        private = sorted(name for name in declared if set(words(name)) & _UNPUBLISHED)
    else:
        private = sorted(_keys(operation))
        if not private and _is_raw(operation):
            private = ["everything that is kept"]
    whose = "of the person that the request names" if chosen else "of everybody"
    return f"{', '.join(private[:3])} {whose}" if private else ""


def _is_people(store: str) -> bool:
    return bool(set(words(store)) & PEOPLE)


def reads_all(program: EnteredProgram, operation: Operation, wanted: Callable[[str], bool]) -> bool:
    """Whether a handler reads a whole store: `SELECT … FROM users`, `User.query.all()`, `select(User)`, a variable `USERS`."""
    outline, function = operation.ground, operation.function
    for node in walk(*function.body):
        if isinstance(node, Call):
            parts = statement_parts(outline, function, node)
            if parts and _lists(parts, node, wanted):
                return True
            stores = _stores(program, operation, node) if called(node) in _EVERYTHING else []
            if any(wanted(each) for each in stores) and not _is_picked(operation.ground, node):
                return True
    return any(isinstance(each, Name) and _is_kept_people(operation, each) for each in _results(function))


def _lists(parts: tuple[Expr, ...], call: Call, wanted: Callable[[str], bool]) -> bool:
    text = statement_text(parts)
    if not text.startswith("select ") or len(call.arguments) > 1:
        return False
    named = [name for name in tables(text) if wanted(name)]
    put_in = words_in(*(node for part in parts[-1:] for node in walk(part) if isinstance(node, Name)))
    return bool(named or put_in & PEOPLE) and not put_in - PEOPLE - {"table", "name", "schema"}


def _stores(program: EnteredProgram, operation: Operation, call: Call) -> list[str]:
    roots = [call.callee.value] if isinstance(call.callee, Attribute) else []
    roots += [each.value for each in call.arguments]
    return [found for root in roots if (found := model_of(program, operation.ground, root))]


def _is_picked(ground: File, call: Call) -> bool:
    """Whether a query is narrowed: `select(User).where(…)`, around it or inside it."""
    around = (parent for _, parent in ground.above(call))
    return any(isinstance(node, Call) and called(node) in _PICKING for part in (walk(call), around) for node in part)


def _is_kept_people(operation: Operation, name: Name) -> bool:
    """A variable of the module that holds people."""
    outline = operation.ground
    local = outline.local(operation.function, name.id)
    return local is None and name.id in outline.top_level and bool(set(words(name.id)) & PEOPLE)


def _results(function: Function) -> Iterator[Expr]:
    for node in walk(*function.body):
        if isinstance(node, Return) and node.value is not None:
            value = node.value.arguments[0].value if isinstance(node.value, Call) and node.value.arguments else node.value
            yield value


def _keys(operation: Operation) -> Iterator[str]:
    """Names in the answer that stand for what nobody publishes."""
    for node in walk(*operation.function.body):
        named: list[str] = []
        if isinstance(node, Mapping):
            named = [text_of(key) or "" for key, _ in node.entries if key is not None]
        elif isinstance(node, Assign):
            named = [text_of(each.key) or "" for target in node.targets for each in walk(target) if isinstance(each, Index)]
        yield from (name for name in named if set(words(name)) & _UNPUBLISHED)


def _is_raw(operation: Operation) -> bool:
    """Whether the answer is what the store gave, as it is."""
    outline, function = operation.ground, operation.function
    for node in shown(outline, function):
        value = node
        made = outline.local(function, node.id) if isinstance(node, Name) else None
        if made is not None and made.value is not None:
            value = made.value
        value = value.value if isinstance(value, Await) else value
        if isinstance(value, Call) and called(value) in (
            "all",
            "fetchall",
            "fetchone",
            "first",
            "scalar_one_or_none",
            "one",
            "get",
        ):
            return True
        if isinstance(node, Name) and _is_kept_people(operation, node):
            return True
    return False
