"""Proofs from the analysers' results (A55): facts by symbol and operation, the attacker's access, and assumptions.

Invariant: nothing here is read from text meant for display, and each open point counts once. Not handled here: whether a fact is
true (the checker reads that from the source), wording, severity.
"""

import re

from counterproof.analysis.project import SCRIPTS, Project
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.javascript.calls import OTHER_WORDS
from counterproof.analysis.syntax.javascript.literals import ATTRIBUTES
from counterproof.analysis.syntax.walk import is_pattern, last_name, walk
from counterproof.model.fact import MAX_SYMBOL, Fact, Operation
from counterproof.model.flow import Break, StepKind
from counterproof.model.location import Location, at
from counterproof.model.proof import Assumption, ConsideredGuard, Guess, Link, Part, Proof, Shape, Verdict
from counterproof.model.recon import EntryPoint, Guard
from counterproof.model.severity import Reach
from counterproof.model.survey import Language

STEPS = {
    StepKind.ASSIGN: Operation.ASSIGN,
    StepKind.BUILD: Operation.BUILD,
    StepKind.CALL: Operation.CALL,
    StepKind.RETURN: Operation.RETURN,
}
_BROKEN = {
    Break.EXTERNAL_LIBRARY: Guess.UNRESOLVED_CALL,
    Break.CALLBACK: Guess.UNRESOLVED_CALL,
    Break.REFLECTION: Guess.UNRESOLVED_CALL,
    Break.DYNAMIC_DISPATCH: Guess.UNKNOWN_RECEIVER,
    Break.ASYNC_BOUNDARY: Guess.BROKEN_FLOW,
    Break.DEPTH_LIMIT: Guess.BROKEN_FLOW,
}
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_READ = (Language.PYTHON, *SCRIPTS)


def reach_of(entry: EntryPoint | None) -> Reach:
    """The attacker who can reach an entry point. If undecided, the value best supported by the code (A40): anyone without a
    guard, a logged-in user behind a guard that was not understood. `unknown_reach` names the open points."""
    if entry is None or entry.guard is Guard.ABSENT:
        return Reach.ANONYMOUS
    if entry.guard is Guard.UNKNOWN:
        return Reach.LOW_PRIVILEGE
    return Reach.ADMIN if entry.administrators else Reach.LOW_PRIVILEGE


def unknown_reach(entry: EntryPoint | None) -> tuple[Assumption, ...]:
    """The open point if the attacker is unknown; without a known entry point, also whether the code is reachable at all."""
    if entry is None:
        return Assumption(Guess.UNKNOWN_REACH, "no entry point was found"), Assumption(Guess.UNKNOWN_CALLER, "this code")
    if entry.guard is not Guard.UNKNOWN:
        return ()
    return (Assumption(Guess.UNKNOWN_REACH, f"the guard of {entry.label} was not understood", entry.handler),)


def broken_by(broken: Break | None, where: Location) -> tuple[Assumption, ...]:
    """The open points of an incomplete flow. An unread library may keep the data, or check it."""
    if broken is None:
        return ()
    checked = (Assumption(Guess.UNSEEN_GUARD, broken.value, where),) if broken is Break.EXTERNAL_LIBRARY else ()
    return Assumption(_BROKEN[broken], broken.value, where), *checked


def handler_links(project: Project, entry: EntryPoint | None, part: Part = Part.HANDLER) -> tuple[Link, ...]:
    """The function that handles an entry point, as defined in the code."""
    if entry is None:
        return ()
    name = entry.name.rpartition(".")[2]
    fact = Fact(entry.handler, Operation.DEFINE, name) if name.isidentifier() else fact_at(project, entry.handler)
    return (Link(part, fact),) if fact else ()


def entry_guards(entry: EntryPoint | None) -> tuple[ConsideredGuard, ...]:
    """The guard of an entry point, if any: the attacker of this rating passes it."""
    if entry is None or entry.guard is not Guard.PRESENT:
        return ()
    by = entry.guarded_by
    name = (by.note or by.symbol) if by is not None else ""
    place = by.at if by is not None else None
    return (ConsideredGuard(name or "a guard in front of the entry", Verdict.LETS_IN, place or entry.handler),)


def written_name(project: Project, place: Location, symbol: str) -> str:
    """The name as in the source, if the intermediate form uses another."""
    file = project.files.get(place.path)
    if file is None or file.language not in SCRIPTS or symbol not in OTHER_WORDS:
        return symbol
    text = "\n".join(project.line(place.path, line) for line in range(place.start, min(place.end, file.lines) + 1))
    return next((each for each in OTHER_WORDS[symbol] if each in text), symbol)


def step_fact(project: Project, kind: StepKind, path: str, line: int, symbol: str) -> Fact | None:
    """A step of a flow as a fact; None for a step that only reads a part of the previous value."""
    operation = STEPS.get(kind)
    symbol = written_name(project, at(path, line), symbol)
    if operation is Operation.BUILD and symbol:
        operation = Operation.CALL  # a method builds it
    if operation is None or (not symbol and operation in (Operation.ASSIGN, Operation.CALL)):
        return None
    return Fact(at(path, line), operation, symbol[:MAX_SYMBOL])


def fact_at(project: Project, place: Location) -> Fact | None:
    """The fact at a location: its call, assignment or definition; in a file without a grammar, its words."""
    file = project.files.get(place.path)
    if file is not None and file.language in _READ:
        lines = project.once(f"facts by line of {place.path}", lambda: _by_line(project.module(place.path)))
        for line in range(place.start, place.end + 1):
            if line in lines:
                operation, symbol = lines[line]
                name = written_name(project, place, symbol) if operation is Operation.CALL else symbol
                return Fact(at(place.path, line), operation, name[:MAX_SYMBOL])
    return mention(project, place)


def mention(project: Project, place: Location, words: str = "") -> Fact | None:
    """Words in a line, by default the first one; with a grammar, the literal there. A comment proves nothing."""
    file = project.files.get(place.path)
    if file is not None and file.language is not None:
        if project.line(place.path, place.start).lstrip().startswith(("#", "//")):
            return None
        return Fact(place, Operation.LITERAL)
    found = words or next(iter(_WORD.findall(project.line(place.path, place.start)[:2_000])), "")
    return Fact(at(place.path, place.start), Operation.MENTION, found[:MAX_SYMBOL]) if found.strip() else None


def stored_value(project: Project, place: Location, *uses: Fact | None, assumed: tuple[Assumption, ...] = ()) -> Proof:
    """The proof of a literal value and its use: a call uses it directly, otherwise a separate use is needed (A55)."""
    value = fact_at(project, place)
    taken = (value,) if value is not None and value.operation is Operation.CALL else ()
    used = tuple(each for each in uses if each is not None) or taken
    links = (*((Link(Part.VALUE, value),) if value is not None else ()), *(Link(Part.USE, each) for each in used))
    nothing = () if links or assumed else (Assumption(Guess.UNKNOWN_USE, place.path),)
    return Proof(Shape.STORED_VALUE, links, assumptions=(*assumed, *nothing))


def _by_line(module: ir.Module) -> dict[int, tuple[Operation, str]]:
    """The operation of each line, from the most informative node that starts on it."""
    found: dict[int, tuple[int, Operation, str]] = {}
    for node in walk(*module.body):
        for line, stated in ((node.line, _stated(node)), *_decorators(node)):
            if stated is not None and (line not in found or stated[0] < found[line][0]):
                found[line] = stated
    return {line: (operation, symbol) for line, (_, operation, symbol) in found.items()}


def _stated(node: ir.Node) -> tuple[int, Operation, str] | None:
    match node:
        case ir.Call(arguments=(ir.Argument(value=ir.Const()), *_)) if is_pattern(node):
            return 0, Operation.LITERAL, ""
        case ir.Call() if name := last_name(node.callee):
            return 0, Operation.ASSIGN if name in ATTRIBUTES else Operation.CALL, ATTRIBUTES.get(name, name)
        case ir.Assign() if names := [name for each in node.targets if (name := _set_name(each))]:
            return 1, Operation.ASSIGN, names[0]
        case ir.Bind() | ir.Augment() if name := _set_name(node.target):
            return 1, Operation.ASSIGN, name
        case ir.Function() | ir.Class() if node.name.isidentifier():
            return 2, Operation.DEFINE, node.name
        case ir.Return():
            return 3, Operation.RETURN, ""
        case ir.Compare() if names := [name for each in node.operands if (name := last_name(each))]:
            return 4, Operation.COMPARE, names[0]
        case ir.Const():
            return 5, Operation.LITERAL, ""
        case ir.Name() if node.id.isidentifier():
            return 6, Operation.READ, node.id
        case _:
            return None


def _decorators(node: ir.Node) -> list[tuple[int, tuple[int, Operation, str] | None]]:
    if not isinstance(node, ir.Function | ir.Class):
        return []
    plain = [(each.line, last_name(each.value)) for each in node.decorators]
    return [(line, (0, Operation.DECORATE, name)) for line, name in plain if name]


def _set_name(target: ir.Expr) -> str:
    """The target of an assignment: a name, a field or, for an element, its container."""
    while isinstance(target, ir.Index):
        target = target.value
    return last_name(target)
