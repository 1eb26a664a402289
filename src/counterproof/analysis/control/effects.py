"""The effects of a handler: statements and calls that change stored data, over all functions it runs.

Invariant: bounded in depth and number of functions; anything beyond makes the record incomplete. Not handled here: who may run
the handler.
"""

from dataclasses import dataclass
from functools import partial

from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.libraries import names
from counterproof.analysis.program.file import File
from counterproof.analysis.program.queries import runs_statement
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax.ir import Attribute, Call, Expr, Function, Name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import Location, at

MAX_FUNCTIONS = 60
MAX_DEPTH = 5

WRITING = ("insert ", "update ", "delete ", "replace ", "drop ", "truncate ", "alter ")
_METHODS = (
    "commit", "save", "bulk_create", "bulk_save_objects", "insert_one", "insert_many", "update_one", "update_many",
    "delete_one", "delete_many", "replace_one", "drop_all", "create_all", "drop_collection", "delete",
)  # fmt: skip
_MANAGED = ("create", "get_or_create", "update_or_create", "update", "create_user", "create_superuser")
"""Writing methods of Django's managers and querysets; elsewhere these names may mean anything."""
_HELPERS = vocabulary("execute query sql run transaction db")
"""Name words of project functions that run a statement passed to them."""
_DESTROYING = ("drop_all", "drop_collection", "drop_database")
_FILES = names("code", "file-removal")


@dataclass(frozen=True, slots=True)
class Write:
    """One change. `destroys` marks a change that wipes a whole store."""

    at: Location
    what: str
    destroys: bool = False


@dataclass(frozen=True, slots=True)
class Effects:
    """`functions` are all functions that run, the handler first; `complete` is False if some were not examined."""

    writes: tuple[Write, ...]
    functions: tuple[tuple[str, int], ...]
    complete: bool


Closure = tuple[list[tuple[File, Function]], bool]


def closure(program: EnteredProgram, ground: File, function: Function) -> Closure:
    """A function and all project functions that it runs, nearest first; False if there were too many."""
    return program.codebase.remembered(("closure", id(function)), lambda: _closure(program, ground, function))


def _closure(program: EnteredProgram, ground: File, function: Function) -> Closure:
    found: list[tuple[File, Function]] = []
    queue = [(ground, function, 0)]
    seen: set[int] = set()
    while queue:
        home, current, depth = queue.pop(0)
        if id(current) in seen:
            continue
        if len(found) >= MAX_FUNCTIONS or depth > MAX_DEPTH:
            return found, False
        seen.add(id(current))
        found.append((home, current))
        for call in program.calls_in(current):
            queue.extend((each.ground, each.function, depth + 1) for each in program.callees(home, call) if not each.broken)
    return found, True


def effects_of(program: EnteredProgram, ground: File, function: Function) -> Effects:
    return program.codebase.remembered(("effects", id(function)), lambda: _effects(program, ground, function))


def _effects(program: EnteredProgram, ground: File, function: Function) -> Effects:
    functions, complete = closure(program, ground, function)
    writes: list[Write] = []
    for home, each in functions:
        told = each is not function and _is_told_statement(home, each)
        made = program.codebase.remembered(("writes", id(each)), partial(_writes, program, home, each))
        writes += [write for write in made if not (told and write.what == "commit")]
    return Effects(tuple(writes), tuple((home.path, each.line) for home, each in functions), complete)


def _writes(program: EnteredProgram, ground: File, function: Function) -> list[Write]:
    """The changes that a function makes itself."""
    return [found for call in program.calls_in(function) if (found := _write(program, ground, call)) is not None]


def _is_told_statement(ground: File, function: Function) -> bool:
    """Return True for a function that runs a statement from its parameter: the statement at the call shows whether it changes
    anything."""
    given = {each.name for each in function.parameters}
    for node in walk(*function.body):
        runs = isinstance(node, Call) and isinstance(node.callee, Attribute) and node.callee.name.startswith("execute")
        first = node.arguments[0].value if isinstance(node, Call) and runs and node.arguments else None
        if isinstance(first, Name) and (first.id in given or ground.local(function, first.id) is None):
            return True
    return False


def _write(program: EnteredProgram, ground: File, call: Call) -> Write | None:
    place = at(ground.path, call.line)
    if program.callees(ground, call):
        told = set(words(called(call))) & _HELPERS or runs_statement(ground, ground.function(call), call)
        return _statement(ground, call, place) if told else None
    dotted = ground.dotted(call.callee)
    if dotted in _FILES:
        return Write(place, dotted, dotted == "shutil.rmtree")
    if isinstance(call.callee, Attribute):
        if call.callee.name in ("execute", "executemany", "executescript") or call.callee.name.startswith("run_"):
            return _statement(ground, call, place)
        if call.callee.name in _METHODS and not (isinstance(call.callee.value, Name) and call.callee.value.id == "session"):
            return Write(place, call.callee.name, call.callee.name in _DESTROYING)
        if call.callee.name in _MANAGED and _is_manager(call.callee.value):
            return Write(place, call.callee.name)
    return None


def _is_manager(receiver: Expr) -> bool:
    """`Order.objects`, `request.user.note_set`, `Order.objects.filter(...)`."""
    while isinstance(receiver, Call | Attribute):
        if isinstance(receiver, Attribute) and (receiver.name == "objects" or receiver.name.endswith("_set")):
            return True
        receiver = receiver.callee if isinstance(receiver, Call) else receiver.value
    return False


def _statement(ground: File, call: Call, place: Location) -> Write | None:
    """The change that a statement's text describes; variables are looked up in the function."""
    for text in statement_texts(ground, call):
        lowered = text.lstrip().lower()
        if lowered.startswith(WRITING):
            return Write(place, " ".join(lowered.split()[:3]), lowered.startswith(("drop ", "truncate ")))
    return None


def statement_texts(ground: File, call: Call) -> list[str]:
    """Strings in the first argument of a database call, including those of a local variable."""
    first = call.arguments[0].value if call.arguments else None
    if first is None:
        return []
    roots = [first]
    function = ground.function(call)
    for node in walk(first):
        if isinstance(node, Name):
            assigned = ground.local(function, node.id) or ground.top_level.get(node.id)
            if assigned is not None and assigned.value is not None:
                roots.append(assigned.value)
    return [text for root in roots for node in walk(root) if (text := text_of(node)) is not None]
