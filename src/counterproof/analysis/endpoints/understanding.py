"""The requirement that a guard's code places on the caller: a role, ownership, an identity, a token, an address, or nothing
(A68).

Invariant: only tests that decide whether a request continues count; an alternative path weakens the requirement; a guard with an
unreadable test is not understood. Not handled here: whether a route is guarded.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from counterproof.analysis.endpoints.caller_words import (
    asked_of_names,
    is_about_something_else,
    right_in,
    speaks_of_request,
)
from counterproof.analysis.endpoints.known_guards import asked_by_library
from counterproof.analysis.endpoints.ways_out import ends_early, goes_on, refuses
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import keyword, text_of
from counterproof.analysis.program.words import names_in, vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.recon import KNOWS_CALLER, Asks

MAX_DEPTH = 3
"""Functions of the project that a test is followed through."""

_ORDER = tuple(Asks)


@dataclass(frozen=True, slots=True)
class Asked:
    """The requirement of one guard. `names` are the identifiers in its deciding tests."""

    asks: Asks
    right: str = ""
    names: frozenset[str] = frozenset()
    partly: bool = False


NOT_UNDERSTOOD = Asked(Asks.NOT_UNDERSTOOD)


def asked_by(
    codebase: Codebase,
    outline: Outline,
    function: ir.Function,
    given: ir.Call | None = None,
    predicate: bool = False,
    absent: frozenset[str] = frozenset(),
) -> Asked:
    """The requirement of a wrapper, hook or helper. `given` is the call with its arguments. For a `predicate`, the return value
    decides. `absent` are tables without an entry, so conditions on them are skipped."""
    key = ("asked", id(function), predicate, absent)
    found = codebase.remembered(key, lambda: _Reader(codebase, absent).function(outline, function, 0, predicate))
    if found.asks is Asks.ROLE and given is not None:
        bound = _bound(function, given, found.names) or _literals(given)
        return Asked(found.asks, bound or found.right, found.names)
    return found


def asked_in_test(
    codebase: Codebase, outline: Outline, function: ir.Function | None, test: ir.Expr, passing: bool = True
) -> Asked:
    """The requirement of one test that lets requests pass or, if not `passing`, ends them."""
    return _Reader(codebase).test(outline, function, test, passing, 0)


def _bound(function: ir.Function, given: ir.Call, names: frozenset[str]) -> str:
    """The call's arguments for the parameters used in the guard's tests."""
    positional = [each for each in given.arguments if not each.keyword and not each.spread]
    found: list[str] = []
    for index, parameter in enumerate(function.parameters):
        if parameter.name in names:
            fills = positional[index:] if parameter.kind == "*" else positional[index : index + 1]
            value = keyword(given, parameter.name)
            found += [written(each.value) for each in fills] if value is None else [written(value)]
    return ", ".join(each for each in found if each)


def _literals(given: ir.Call) -> str:
    return ", ".join(text for each in given.arguments if (text := text_of(each.value)) is not None)


def spelled(value: ir.Expr) -> str:
    """An expression in source form, as far as guards need: names, literals, calls."""
    match value:
        case ir.Const(value=str() as text):
            return f'"{text}"'
        case ir.Call(callee=callee, arguments=arguments):
            given = (f"{each.keyword}={spelled(each.value)}" if each.keyword else spelled(each.value) for each in arguments)
            return f"{spelled(callee)}({', '.join(given)})"
        case ir.Attribute(value=owner, name=name):
            return f"{spelled(owner)}.{name}"
        case ir.Sequence(items=items):
            return f"[{', '.join(map(spelled, items))}]"
        case _:
            return written(value) or "…"


def written(value: ir.Expr) -> str:
    """The name of a right: the text of a literal, or the name of a constant."""
    match value:
        case ir.Const(value=text):
            return str(text)
        case ir.Name(id=name):
            return name
        case ir.Attribute(value=owner, name=name):
            return f"{written(owner)}.{name}"
        case ir.Sequence(items=items):
            return ", ".join(map(written, items))
        case _:
            return ""


class _Reader:
    """Reads one guard. A function visited a second time adds nothing."""

    def __init__(self, codebase: Codebase, absent: frozenset[str] = frozenset()) -> None:
        self.codebase = codebase
        self.absent = absent
        self.seen: set[int] = set()
        self.unread = False
        self.open = False
        """True if unauthenticated callers continue: `if not user.is_authenticated: return`."""

    def function(self, outline: Outline, function: ir.Function, depth: int, predicate: bool = False) -> Asked:
        if id(function) in self.seen or depth > MAX_DEPTH:
            return Asked(Asks.NOTHING)
        self.seen.add(id(function))
        demanded: list[Asked] = []
        ways: list[Asked] = []
        decided = False
        for each in (function, *_inner(outline, function)):
            met = False
            last = each.body[-1] if each.body else None
            passes = not predicate and isinstance(last, ir.If) and not last.otherwise  # what comes to its end goes on
            for one, alternative in self._decisions(outline, each, each.body, depth, predicate and each is function):
                decided = True
                if not (
                    alternative and (met or passes)
                ):  # a condition that passes only callers who were already checked opens nothing
                    (ways if alternative else demanded).append(one)
                met = met or (not alternative and one.asks in KNOWS_CALLER)
        if self.open and depth == 0:
            return Asked(Asks.NOTHING)
        only_ways = not demanded
        if len(ways) == 1 or not any(each.asks in KNOWS_CALLER for each in demanded):
            demanded += [weakest_asked(ways)] if ways else []
        found = strongest_asked(demanded)
        if found.asks is Asks.NOTHING and (self.unread or (ways and only_ways) or not (decided or _does_nothing(function))):
            return NOT_UNDERSTOOD
        opened = any(each.asks is Asks.NOTHING and "method" not in each.names for each in ways)
        return replace(found, partly=found.partly or (opened and found.asks in KNOWS_CALLER))

    def _decisions(
        self, outline: Outline, function: ir.Function, body: tuple[ir.Statement, ...], depth: int, predicate: bool
    ) -> Iterator[tuple[Asked, bool]]:
        """The requirement of each deciding statement, and whether it only adds an alternative path."""
        for statement in body:
            match statement:
                case ir.If(branches=branches, otherwise=otherwise):
                    for branch in (each for each in branches if not self.absent.intersection(names_in(each.test))):
                        known = self._is_of_known(outline, function, branch, otherwise)
                        if not (known and refuses(branch.body)):
                            yield from self._branch(outline, function, branch, otherwise, depth)
                        else:
                            yield Asked(Asks.NOTHING), False
                        if not known:
                            yield from self._decisions(outline, function, branch.body, depth, predicate)
                    yield from self._decisions(outline, function, otherwise, depth, predicate)
                case ir.Try(body=inner, handlers=handlers):
                    if any(refuses(each.body) for each in handlers):
                        asks = asked_of_names(
                            names_in(*(each for each in inner if isinstance(each, ir.Assign | ir.ExprStatement)))
                        )
                        yield from ([(Asked(asks), False)] if asks in (*KNOWS_CALLER[1:], Asks.ADDRESS) else [])
                    yield from self._decisions(outline, function, inner, depth, predicate)
                case ir.With(body=inner) | ir.Loop(body=inner):
                    yield from self._decisions(outline, function, inner, depth, predicate)
                case _:
                    asked = self._statement(outline, function, statement, depth, predicate)
                    if asked is not None:
                        yield asked, False

    def _statement(
        self, outline: Outline, function: ir.Function, statement: ir.Statement, depth: int, predicate: bool
    ) -> Asked | None:
        match statement:
            case ir.Assert(test=test):
                return self.test(outline, function, test, True, depth)
            case ir.Return(value=ir.Call(callee=ir.Call() as guard)) if not predicate:
                return self._handed_on(outline, function, guard, depth)
            case ir.Return(value=value) if predicate and value is not None and not isinstance(value, ir.Const):
                return self.test(outline, function, value, True, depth)
            case ir.ExprStatement(value=value) | ir.Assign(value=value) if value is not None:
                return self._called(outline, function, value, depth)
            case _:
                return None

    def _branch(
        self, outline: Outline, function: ir.Function, branch: ir.Branch, otherwise: tuple[ir.Statement, ...], depth: int
    ) -> Iterator[tuple[Asked, bool]]:
        ends = refuses(branch.body)
        if ends or refuses(otherwise):
            yield self.test(outline, function, branch.test, not ends, depth), False
        elif isinstance(branch.test, ir.Not) and _is_satisfied(branch.test.operand) and ends_early(branch.body):
            self.open = self.open or depth == 0
        elif goes_on(branch.body):
            yield self.test(outline, function, branch.test, True, depth), True

    def _is_of_known(
        self, outline: Outline, function: ir.Function, branch: ir.Branch, otherwise: tuple[ir.Statement, ...]
    ) -> bool:
        """`if logged_in(): …`, `if key: …`: tests inside apply only to callers who sent a credential, and all others continue."""
        named = self._names(outline, function, branch.test, 0) if isinstance(branch.test, ir.Name) else ()
        spoken = {word for name in named for word in words(name)}
        keyed = "key" in spoken and bool(spoken & {"req", "request"})
        return (keyed or _is_satisfied(branch.test)) and not goes_on(branch.body) and not refuses(otherwise)

    def _handed_on(self, outline: Outline, function: ir.Function, guard: ir.Call, depth: int) -> Asked | None:
        """`return login_required(view)(*args)`: another guard decides."""
        found = self.codebase.meaning(outline, guard.callee, function)
        if found is not None and isinstance(found.node, ir.Function):
            inner = _Reader(self.codebase)
            inner.seen = self.seen
            return inner.function(found.outline, found.node, depth + 1)
        asks = asked_by_library(outline.dotted(guard.callee))
        return Asked(asks) if asks is not None else None

    def _called(self, outline: Outline, function: ir.Function, value: ir.Expr, depth: int) -> Asked | None:
        """The requirement of a statement that calls a project function which may reject the request itself."""
        call = value.value if isinstance(value, ir.Await) else value
        if not isinstance(call, ir.Call):
            return None
        found = self.codebase.meaning(outline, call.callee, function)
        if (
            found is None
            or not isinstance(found.node, ir.Function)
            or not any(isinstance(each, ir.Raise) for each in walk(found.node))
        ):
            return None
        inner = _Reader(self.codebase)
        inner.seen = self.seen
        asked = inner.function(found.outline, found.node, depth + 1)
        if asked.asks is Asks.ROLE:
            return Asked(asked.asks, _bound(found.node, call, asked.names) or asked.right, asked.names)
        return asked if asked.asks in (*KNOWS_CALLER, Asks.ADDRESS) else None

    def test(self, outline: Outline, function: ir.Function | None, test: ir.Expr, passing: bool, depth: int) -> Asked:
        """The requirement of a test. If several tests are joined by "and", all hold; otherwise the weakest is enough."""
        if not passing and _is_satisfied(test):
            return Asked(Asks.NOTHING)
        match test:
            case ir.Not(operand=inner):
                return self.test(outline, function, inner, not passing, depth)
            case ir.Boolean(operator=operator, operands=operands):
                parts = [self.test(outline, function, each, passing, depth) for each in operands]
                every = (operator == "and") == passing
                spoken = [each for each in parts if each.asks in (*KNOWS_CALLER, Asks.ADDRESS)]
                if every or not spoken:
                    return strongest_asked(spoken)
                return weakest_asked(spoken) if len(spoken) == len(parts) else replace(strongest_asked(spoken), partly=True)
            case _:
                return self._plain(outline, function, test, passing, depth)

    def _plain(self, outline: Outline, function: ir.Function | None, test: ir.Expr, passing: bool, depth: int) -> Asked:
        if isinstance(test, ir.Compare) and last_name(test.operands[0]) == "method":
            return Asked(Asks.NOTHING, names=frozenset({"method"}))
        if not passing and isinstance(test, ir.Compare) and test.operators == ("==",) and text_of(test.operands[-1]):
            self.unread = True  # it refuses some callers: `if holder.status == "inactive"`
            return Asked(Asks.NOTHING, names=frozenset(names_in(test)))
        counted = "len" in names_in(test)  # a count says nothing about the caller
        names = tuple(self._names(outline, function, test, MAX_DEPTH if counted else 0))
        asks = asked_of_names(names)
        if asks in KNOWS_CALLER[1:] and isinstance(test, ir.Compare) and _compares_owner(test):
            asks = Asks.OWNER
        found = Asked(asks, right_in(test, names) if asks is Asks.ROLE else "", frozenset(names))
        unread = self.unread
        for call in (each for each in walk(test) if isinstance(each, ir.Call)):
            meant = self.codebase.meaning(outline, call.callee, function)
            if meant is not None and isinstance(meant.node, ir.Function):
                inner = self.function(meant.outline, meant.node, depth + 1, predicate=True)
                if inner.asks in (*KNOWS_CALLER, Asks.ADDRESS):
                    found = strongest_asked([found, inner])
        self.unread = unread  # unread tests inside a helper do not matter: its result counts
        if (
            found.asks is Asks.NOTHING
            and not is_about_something_else(names)
            and not self._is_of_the_program(outline, function, test)
        ):
            self.unread = True
        return found

    def _is_of_the_program(self, outline: Outline, function: ir.Function | None, test: ir.Expr) -> bool:
        """A test of project functions that read nothing of the request: `import_in_progress()`."""
        met = [self.codebase.meaning(outline, each.callee, function) for each in walk(test) if isinstance(each, ir.Call)]
        bodies = [each.node for each in met if each is not None and isinstance(each.node, ir.Function)]
        spoken = [name for each in bodies for name in names_in(*each.body)]
        return bool(met) and len(bodies) == len(met) and asked_of_names(spoken) is Asks.NOTHING and not speaks_of_request(spoken)

    def _names(self, outline: Outline, function: ir.Function | None, value: ir.Expr, hops: int) -> Iterator[str]:
        """The identifiers in an expression, including those of the values of its local variables."""
        yield from names_in(value)
        if isinstance(value, ir.Compare) and value.operators[0] in ("in", "not in") and (key := text_of(value.operands[0])):
            yield key
        for node in walk(value) if hops < MAX_DEPTH else ():
            if isinstance(node, ir.Attribute) and function is not None:
                for held in _fields(function, spelled(node)):
                    yield from self._names(outline, function, held, hops + 1)
            made = outline.visible(function, node.id) if isinstance(node, ir.Name) else None
            held = made.value if made is not None else None
            if held is not None and held is not value and not isinstance(held, ir.Mapping) and not _constructs(held):
                yield from self._names(outline, function, held, hops + 1)


def _constructs(value: ir.Expr) -> bool:
    """`LoginForm()`: the name says what the form is for, not what the caller needs."""
    return isinstance(value, ir.Call) and last_name(value.callee)[:1].isupper()


def _does_nothing(function: ir.Function) -> bool:
    return not any(isinstance(each, ir.Call | ir.Raise) for each in walk(*function.body))


def _is_satisfied(test: ir.Expr) -> bool:
    """`session.get("user")`, `token and …`: a plain test for a credential, true for callers who send it."""
    if isinstance(test, ir.Boolean):
        return test.operator == "and" and any(map(_is_satisfied, test.operands))
    if not isinstance(test, ir.Name | ir.Attribute | ir.Call):
        return False
    spoken = {word for name in names_in(test) for word in words(name)}
    return asked_of_names(names_in(test)) in (Asks.IDENTITY, Asks.TOKEN) and not spoken & _DENIALS


_DENIALS = vocabulary(
    "anonymous invalid expired missing error fail failed denied unauthorized unauthenticated none not no require check"
)


def _fields(function: ir.Function, name: str) -> Iterator[ir.Expr]:
    """Values that a function assigns to `g.caller` before testing it."""
    for each in walk(*function.body):
        if not isinstance(each, ir.Assign) or each.value is None or isinstance(each.value, ir.Mapping):
            continue
        if any(isinstance(target, ir.Attribute) and spelled(target) == name for target in each.targets):
            yield each.value


def _inner(outline: Outline, function: ir.Function) -> list[ir.Function]:
    classes = [each.qualified for each in outline.module.classes if each.qualified.startswith(function.qualified + ".")]
    start = (function.qualified + ".", *(each + "." for each in classes))
    return [each for each in outline.module.functions if each.qualified.startswith(start)]


def strongest_asked(found: list[Asked]) -> Asked:
    return min(found, key=lambda each: (_ORDER.index(each.asks), each.partly), default=Asked(Asks.NOTHING))


def weakest_asked(found: list[Asked]) -> Asked:
    return max(found, key=lambda each: (_ORDER.index(each.asks), each.partly), default=Asked(Asks.NOTHING))


def _compares_owner(test: ir.Compare) -> bool:
    """`post.author_id == current_user.id`: a field of an object compared with the caller's own."""
    sides = [frozenset(word for name in names_in(each) for word in words(name)) for each in test.operands]
    fields = [isinstance(each, ir.Attribute | ir.Index) for each in test.operands]
    told = [bool(each & {"owner", "author", "creator", "user", "uploader"}) for each in sides]
    callers = [bool(each & {"current", "request", "user", "me", "session", "caller"}) for each in sides]
    return (
        len(sides) == 2
        and test.operators[0] in ("==", "!=")
        and any(
            fields[a] and told[a] and callers[b] and bool(sides[a] & {"owner", "author", "creator", "uploader", "id"})
            for a, b in ((0, 1), (1, 0))
        )
        and all(told[i] or callers[i] for i in (0, 1))
    )
