"""Whether the sender of a request decides about a value, or about the keys of a mapping.

Always holds: a value is walked back through variables, parameters and returned values, bounded; one that was compared with a
fixed list, turned into a number, or cannot be followed counts as the program's own. Does not belong here: what it is used for.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.endpoints.entered_program import EnteredProgram
from counterproof.analysis.flow.sources import is_request_name
from counterproof.analysis.program.definitions import ITER, Held, Reaching
from counterproof.analysis.program.file import File
from counterproof.analysis.program.program import passed
from counterproof.analysis.program.reaching_definitions import reaching
from counterproof.analysis.program.request_fields import field_of, part_of
from counterproof.analysis.program.traversal import called
from counterproof.analysis.program.words import words_in
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.recon import EntryKind

MAX_DEPTH = 10
"""Variables, calls and parts between the value and a sender."""
MAX_STEPS = 2_000
"""Expressions that one answer looks at."""

_NUMBERS = ("int", "float", "bool", "Decimal", "UUID")
_COPIES = ("dict", "str", "list", "tuple", "set", "sorted", "loads", "cast")
_TAKING = ("get", "pop", "items", "keys", "values", "copy", "to_dict", "getlist")
_TEXTS = ("strip", "lower", "upper", "title", "decode", "encode")
_SUPPLIED = ("Depends", "Security", "Provide", "inject")
"""What frameworks fill a parameter with that no sender does."""
_QUIET = (EntryKind.SCHEDULED, EntryKind.MAIN, EntryKind.LOADER, EntryKind.CLI)


@dataclass(frozen=True, slots=True)
class Asked:
    """An expression that is asked about; `keys` asks about the keys of the mapping that it is."""

    file: File
    expr: ir.Expr
    keys: bool = False
    depth: int = 0

    def about(self, expr: ir.Expr, *, keys: bool | None = None, file: File | None = None) -> "Asked":
        return Asked(file or self.file, expr, self.keys if keys is None else keys, self.depth + 1)


def is_sent(program: EnteredProgram, asked: Asked) -> bool:
    """Whether the sender of a request decides."""
    pending, seen = [asked], set[tuple[int, bool]]()
    while pending and len(seen) < MAX_STEPS:
        current = pending.pop()
        key = (id(current.expr), current.keys)
        if key in seen or current.depth > MAX_DEPTH:
            continue
        seen.add(key)
        for each in _origins(program, current):
            if each is True:
                return True
            if each is not False:
                pending.append(each)
    return False


def _origins(program: EnteredProgram, asked: Asked) -> Iterator["Asked | bool"]:
    """What decides about the value: True is a sender, False the program itself."""
    match asked.expr:
        case ir.Name():
            yield from _named(program, asked, asked.expr)
        case ir.Call():
            yield from _called(program, asked, asked.expr)
        case ir.Index(value=value) | ir.Attribute(value=value):
            yield _is_request_part(asked) or asked.about(value)
        case ir.Mapping(entries=entries):
            for key, value in entries:
                if key is None:
                    yield asked.about(value)
                else:
                    yield asked.about(key if asked.keys else value, keys=False)
        case ir.Comprehension(element=element, key=key):
            yield asked.about(element) if key is None or not asked.keys else asked.about(key, keys=False)
        case _:
            yield from (asked.about(each) for each in _parts(asked.expr))


def _parts(expr: ir.Expr) -> tuple[ir.Expr, ...]:
    match expr:
        case ir.Await(value=value) | ir.Bind(value=value) | ir.Spread(value=value):
            return (value,)
        case ir.Conditional(then=then, other=other):
            return (then, other)
        case ir.Boolean(operands=operands) | ir.Binary(operands=operands):
            return operands
        case ir.Concat(parts=parts) | ir.Format(parts=parts):
            return parts
        case ir.Sequence(items=items):
            return items
        case _:
            return ()


def _is_request_part(asked: Asked) -> bool:
    function = asked.file.function(asked.expr)
    return field_of(asked.file, function, asked.expr) is not None or part_of(asked.file, function, asked.expr) is not None


def _called(program: EnteredProgram, asked: Asked, call: ir.Call) -> Iterator[Asked | bool]:
    name = called(call)
    if name in _NUMBERS or (name in _TAKING and _is_number(call)):
        yield False
    elif _is_request_part(asked):
        yield True
    elif isinstance(call.callee, ir.Attribute) and name in (*_TAKING, *_TEXTS):
        yield asked.about(call.callee.value)
    elif name in _COPIES:
        yield from (asked.about(each.value) for each in call.arguments)
    else:
        for callee in program.callees(asked.file, call):
            for node in walk(*callee.function.body):
                if isinstance(node, ir.Return) and node.value is not None and callee.ground.function(node) is callee.function:
                    yield asked.about(node.value, file=callee.ground)


def _is_number(call: ir.Call) -> bool:
    """`request.args.get("n", type=int)`."""
    return any(each.keyword == "type" and last_name(each.value) in _NUMBERS for each in call.arguments)


def _named(program: EnteredProgram, asked: Asked, name: ir.Name) -> Iterator[Asked | bool]:
    for each in reaching(asked.file, name, name.id):
        if any(_is_listed(program, asked.file, test, name.id) for test in each.tests):
            continue
        if each.kind == "value" and each.value is not None:
            yield from _defined(asked, each, each.value)
        elif each.kind == "parameter" and isinstance(each.at, ir.Parameter):
            yield from _given(program, asked, each.at)


def _defined(asked: Asked, found: Reaching, value: ir.Expr) -> Iterator[Asked]:
    """What a variable was given, or what was put into it."""
    listed = value.callee.value if isinstance(value, ir.Call) and isinstance(value.callee, ir.Attribute) else value
    method = called(value) if isinstance(value, ir.Call) else ""
    if isinstance(found.stored, str) and found.stored.startswith("."):
        return  # a field of the object, not the object
    if found.stored is not None:
        target = found.at.targets[0] if isinstance(found.at, ir.Assign) else None
        if not asked.keys:
            yield asked.about(value)
        elif isinstance(target, ir.Index):
            yield asked.about(target.key, keys=False)
        elif target is None:
            yield asked.about(value)
    elif found.access[:1] != (ITER,):
        yield asked.about(value)
    elif method in ("items", "values"):
        yield asked.about(listed, keys=method == "items" and found.access[1:2] == (0,))
    else:
        yield asked.about(listed if method == "keys" else value, keys=True)


def _given(program: EnteredProgram, asked: Asked, parameter: ir.Parameter) -> Iterator[Asked | bool]:
    """What fills a parameter: a sender, where an entry point hands it on, or every caller."""
    function = asked.file.parent(parameter)
    if not isinstance(function, ir.Function) or is_request_name(parameter.name):
        return
    entries = [each for each in program.entries(asked.file, function) if each.kind not in _QUIET]
    if entries:
        own = bool(function.owner) and function.parameters[0] is parameter
        typed = parameter.annotation is not None and bool(words_in(parameter.annotation) & {each.lower() for each in _NUMBERS})
        yield not own and not typed and parameter.kind == "positional" and not _is_supplied(parameter)
        return
    for site, callee in program.callers(function):
        for argument in passed(site.call, callee, parameter):
            if parameter.kind != "**" or argument.spread or not asked.keys:
                yield asked.about(argument.value, file=site.ground)


def _is_supplied(parameter: ir.Parameter) -> bool:
    """`person: Annotated[Person, Depends(someone)]`, `person=Depends(someone)`."""
    roots = [each for each in (parameter.annotation, parameter.default) if each is not None]
    return any(last_name(node.callee) in _SUPPLIED for node in walk(*roots) if isinstance(node, ir.Call))


def _is_listed(program: EnteredProgram, file: File, held: Held, name: str) -> bool:
    """Whether a test that was passed says that the value is one of a fixed list."""
    test = held.test
    match test:
        case ir.Not(operand=operand):
            return held.truth is not None and _is_listed(program, file, replace(held, test=operand, truth=not held.truth), name)
        case ir.Boolean(operator=operator, operands=operands) if held.truth is (operator == "and"):
            return any(_is_listed(program, file, replace(held, test=each), name) for each in operands)
        case ir.Compare(operands=(ir.Name(id=asked), listed), operators=(operator,)) if asked == name:
            wanted = ("in", "==") if held.truth else ("not in", "!=")
            return held.truth is not None and operator in wanted and _is_fixed(program, file, listed)
        case _:
            return False


def _is_fixed(program: EnteredProgram, file: File, expr: ir.Node, depth: int = 0) -> bool:
    """A literal, a collection of literals, or a name that stands for one."""
    match expr:
        case ir.Const():
            return True
        case ir.Sequence(items=items):
            return all(isinstance(each, ir.Const) for each in items)
        case ir.Mapping(entries=entries):
            return all(isinstance(key, ir.Const) for key, _ in entries)
        case ir.Call(arguments=arguments) if called(expr) in ("frozenset", "set", "tuple", "list"):
            return all(_is_fixed(program, file, each.value, depth + 1) for each in arguments)
        case ir.Name() | ir.Attribute() if depth < MAX_DEPTH:
            found = program.codebase.meaning(file, expr, file.function(expr))
            if found is None or found.node is expr:
                return last_name(expr).isupper()
            return _is_fixed(program, program.file(found.path), found.node, depth + 1)
        case _:
            return False
