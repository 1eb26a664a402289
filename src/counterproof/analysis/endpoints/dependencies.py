"""Dependencies as guards: `Depends(current_user)` rejects a request if the dependency does."""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.endpoints.decorators import sounds_like_guard
from counterproof.analysis.endpoints.denial import can_refuse, checks_in
from counterproof.analysis.endpoints.known_guards import asked_by_library
from counterproof.analysis.endpoints.understanding import NOT_UNDERSTOOD, Asked, asked_by, spelled, strongest_asked, weakest_asked
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import argument, calls_in, keyword
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Call,
    Class,
    Conditional,
    Const,
    Expr,
    Function,
    Name,
    Raise,
    Return,
    Sequence,
)
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.recon import KNOWS_CALLER, Asks, Guard, GuardKind, WrittenGuard

MAX_DEPTH = 4
_SCHEMES = (
    "OAuth2PasswordBearer", "OAuth2AuthorizationCodeBearer", "HTTPBearer", "HTTPBasic", "HTTPDigest", "OpenIdConnect",
    "APIKeyHeader", "APIKeyQuery", "APIKeyCookie",
)  # fmt: skip


class Dependencies:
    """Reads `Depends` and `Security`."""

    def __init__(self, codebase: Codebase) -> None:
        self.codebase = codebase

    def listed(self, outline: Outline, value: Expr | None) -> tuple[Verdict, ...]:
        """`dependencies=[Depends(…), …]` of a route, router or application."""
        if isinstance(value, Sequence):
            return tuple(self._marker(outline, each, 0, listed=True) for each in value.items if isinstance(each, Call))
        return ()

    def of_function(self, outline: Outline, function: Function, depth: int = 0) -> Iterator[Verdict]:
        """The verdicts of a handler's dependencies."""
        for parameter in function.parameters:
            yield from self._declared(outline, parameter.default, parameter.annotation, depth)

    def of_class(self, found: Definition) -> Iterator[Verdict]:
        """The verdicts of dependencies in the attributes and constructor of a handler class, including inherited ones."""
        for each in self.codebase.ancestry(found).own:
            for statement in each.node.body if isinstance(each.node, Class) else ():
                if isinstance(statement, Assign):
                    yield from self._declared(each.outline, statement.value, statement.annotation, 0)
        constructor = self.codebase.method(found, "__init__")
        if constructor:
            yield from self.of_function(*constructor)

    def _declared(self, outline: Outline, default: Expr | None, annotation: Expr | None, depth: int) -> Iterator[Verdict]:
        """`name: Annotated[User, Depends(…)] = Depends(…)`, as a parameter or an attribute."""
        for part in (default, annotation):
            if part is not None:
                place, written = self._alias(outline, part)
                yield from (self._marker(place, call, depth) for call in calls_in(written))
                yield from (self._marker(*kept, depth) for kept in self._kept(place, written))

    def _kept(self, outline: Outline, part: Expr) -> Iterator[tuple[Outline, Call]]:
        """`known = Depends(…)`, then `Annotated[User, known]`: markers stored in variables."""
        for node in walk(part):
            found = self.codebase.meaning(outline, node) if isinstance(node, Name | Attribute) else None
            if found is not None and isinstance(found.node, Call):
                yield found.outline, found.node

    def _alias(self, outline: Outline, part: Expr) -> tuple[Outline, Expr]:
        """`CurrentUser = Annotated[User, Depends(…)]` used as an annotation."""
        found = self.codebase.meaning(outline, part)
        if found and not isinstance(found.node, Function | Class):
            return found.outline, found.node
        return outline, part

    def _marker(self, outline: Outline, call: Call, depth: int, listed: bool = False) -> Verdict:
        """The verdict of one marker, with the rights its dependency requires. A `listed` marker exists only to reject callers."""
        verdict = self._read_marker(outline, call, depth)
        target = argument(call, 0, "dependency")
        name = outline.dotted(call.callee).rpartition(".")[2]
        if target is None or name not in ("Depends", "Security") or not (verdict.written or depth == 0):
            return verdict
        asked = self._asked(outline, target, 0)
        if not verdict.written and not (asked.asks in KNOWS_CALLER or (listed and asked.asks is Asks.NOT_UNDERSTOOD)):
            return verdict
        label = outline.dotted(target.callee if isinstance(target, Call) else target)
        if verdict is OPEN and asked.asks in KNOWS_CALLER and asked.partly:
            return OPEN
        if verdict is OPEN and asked.asks in KNOWS_CALLER:
            verdict = _demanded(outline, call.line, label)
        elif verdict is OPEN:
            verdict = unknown(outline.path, call.line, f"{_shown(label)} could not be read", label)
        return verdict.understood(WrittenGuard(at(outline.path, call.line), spelled(call), asked.asks, asked.right, asked.partly))

    def _asked(self, outline: Outline, target: Expr, depth: int) -> Asked:
        """The strongest right that a dependency and its own dependencies require."""
        made = target if isinstance(target, Call) else None
        found = self.codebase.meaning(outline, made.callee if made else target)
        if found and isinstance(found.node, Call):
            made, found = found.node, self.codebase.meaning(found.outline, found.node.callee) or found
        if found is None or isinstance(found.node, Call):
            dotted = found.outline.dotted(found.node.callee) if found and isinstance(found.node, Call) else outline.dotted(target)
            return Asked(asked_by_library(f"{dotted}()") or asked_by_library(dotted) or Asks.NOT_UNDERSTOOD)
        functions = [(found.outline, found.node)] if isinstance(found.node, Function) else []
        if isinstance(found.node, Class):
            method = self.codebase.method(found, "__call__" if made else "__init__")
            functions = [method] if method else []
            if any(name.endswith(_SCHEMES) for name in self.codebase.ancestry(found).foreign):
                return Asked(Asks.TOKEN, partly=made is not None and _is_lenient(made))
        every = [self._asked_by_function(*each, made, depth) for each in functions]
        if made is not None and isinstance(found.node, Function) and depth < MAX_DEPTH:
            returned = [self._asked_by_function(*each, None, depth) for each in self._returned(found, made)]
            every += [weakest_asked(returned)] if returned else []
        return strongest_asked(every) if every else NOT_UNDERSTOOD

    def _asked_by_function(self, outline: Outline, function: Function, made: Call | None, depth: int) -> Asked:
        inner = [each for each in outline.module.functions if each.within == function.qualified]
        markers = [
            call
            for each in (function, *inner)
            for parameter in each.parameters
            for part in (parameter.default, parameter.annotation)
            if part is not None
            for where, text in [self._alias(outline, part)]
            for call in calls_in(text)
            if where.dotted(call.callee).rpartition(".")[2] in ("Depends", "Security")
        ]
        targets = [target for call in markers if (target := argument(call, 0, "dependency")) is not None]
        below = [self._asked(outline, each, depth + 1) for each in targets if depth < MAX_DEPTH]
        asked = strongest_asked([asked_by(self.codebase, outline, function, made), *below])
        knowing = [each for each in below if each.asks in KNOWS_CALLER]
        refuses = any(isinstance(node, Raise) for node in walk(*function.body))
        return replace(asked, partly=True) if knowing and all(each.partly for each in knowing) and not refuses else asked

    def _read_marker(self, outline: Outline, call: Call, depth: int) -> Verdict:
        name = outline.dotted(call.callee).rpartition(".")[2]
        target = argument(call, 0, "dependency")
        if name == "Security" and not (isinstance(target, Call) and _is_lenient(target)):
            return present(outline.path, call.line, "Security", "Security(…)")
        if name not in ("Depends", "Security") or target is None or depth > MAX_DEPTH:
            return OPEN
        label = outline.dotted(target)
        found = self.codebase.meaning(outline, target)
        if found and isinstance(found.node, Function):
            return self._function(outline, call.line, label, found, found.node, depth)
        if found and isinstance(found.node, Call):
            return self._object(outline, call.line, label, found, found.node, depth)
        if found and isinstance(found.node, Class):
            return self._instance(outline, call.line, label, found, depth)
        if _is_handed_in(outline, target) or sounds_like_guard(outline.dotted(target).rpartition(".")[2]):
            return unknown(outline.path, call.line, f"{_shown(label)} could not be read", label)
        return OPEN

    def _function(self, outline: Outline, line: int, label: str, found: Definition, function: Function, depth: int) -> Verdict:
        inner = strongest(self.of_function(found.outline, function, depth + 1))
        own = checks_in(self.codebase, found.outline, function, raising=True, wrapper=True)
        if Guard.PRESENT in (inner.guard, own.guard) or can_refuse(function):
            return _demanded(outline, line, label)
        if self._lets_through(found.outline, function):
            return OPEN
        if sounds_like_guard(function.name) or Guard.UNKNOWN in (inner.guard, own.guard):
            return unknown(outline.path, line, f"{_shown(label)} could refuse callers", label)
        return OPEN

    def _lets_through(self, outline: Outline, function: Function) -> bool:
        """`if not token: return None` without a raise: an unauthenticated caller gets in anonymously."""
        if any(isinstance(node, Raise) for node in walk(*function.body)):
            return False
        return checks_in(self.codebase, outline, function, wrapper=True).guard is Guard.PRESENT

    def _object(self, outline: Outline, line: int, label: str, found: Definition, call: Call, depth: int) -> Verdict:
        """The verdict of a security scheme, an instance of the project's own class, or a factory's result."""
        dotted = found.outline.dotted(call.callee)
        if _is_lenient(call):
            note = f"{_shown(label)} lets requests without credentials through"
            return unknown(outline.path, line, note, label, partly=True)
        if dotted.endswith(_SCHEMES):
            return _demanded(outline, line, label)
        target = self.codebase.meaning(found.outline, call.callee)
        if target and isinstance(target.node, Class):
            return self._instance(outline, line, label, target, depth)
        if target and isinstance(target.node, Function):
            inner = [each for each in target.outline.module.functions if each.within == target.node.qualified]
            made = [self._function(outline, line, label, target, each, depth) for each in inner]
            every = self._returned(target, call) if depth < MAX_DEPTH else []
            returned = [self._function(outline, line, label, Definition(*each), each[1], depth) for each in every]
            weak = next((each for each in returned if each.guard is not Guard.PRESENT), None)
            return strongest((*made, *([weak] if weak else returned)))
        if sounds_like_guard(dotted.rpartition(".")[2]):
            return unknown(outline.path, line, f"{_shown(label)} could not be read", label)
        return OPEN

    def _returned(self, factory: Definition, call: Call) -> list[tuple[Outline, Function]]:
        """The functions that a factory returns by name: `return strict if required else lenient`, as far as the call decides."""
        function = factory.node
        assert isinstance(function, Function)
        values = [node.value for node in walk(*function.body) if isinstance(node, Return) and node.value is not None]
        named = [each for value in values for each in _chosen(value, function, call)]
        found = [self.codebase.meaning(factory.outline, each) for each in named if isinstance(each, Name | Attribute)]
        inner = f"{function.qualified}."
        outer = [(each.outline, each.node) for each in found if each and isinstance(each.node, Function)]
        return [each for each in outer if not each[1].qualified.startswith(inner) and each[1] is not function]

    def _instance(self, outline: Outline, line: int, label: str, found: Definition, depth: int) -> Verdict:
        if any(name.endswith(_SCHEMES) for name in self.codebase.ancestry(found).foreign):
            return _demanded(outline, line, label)
        verdicts: list[Verdict] = []
        for name in ("__call__", "__init__"):
            method = self.codebase.method(found, name)
            if method:
                verdicts.append(self._function(outline, line, label, Definition(method[0], method[1]), method[1], depth + 1))
        return strongest(verdicts)


def _is_handed_in(outline: Outline, target: Expr) -> bool:
    """Return True if the target is a parameter of an enclosing function, so the caller of that function supplies it."""
    around = (each for each in outline.module.functions if each.line <= target.line <= each.end)
    return isinstance(target, Name) and any(target.id == given.name for each in around for given in each.parameters)


def _chosen(value: Expr, function: Function, call: Call) -> tuple[Expr, ...]:
    """The arms of a conditional that a call's literals, or the defaults, leave."""
    if not isinstance(value, Conditional):
        return (value,)
    given = _given(value.test, function, call)
    arms = (value.then, value.other) if given is None else (value.then,) if given else (value.other,)
    return tuple(each for arm in arms for each in _chosen(arm, function, call))


def _given(test: Expr, function: Function, call: Call) -> bool | None:
    """The truth of a parameter as a call gives it; None where it is not a literal."""
    for index, each in enumerate(function.parameters):
        if isinstance(test, Name) and each.name == test.id:
            value = keyword(call, each.name) if each.kind == "keyword" else argument(call, index, each.name)
            value = each.default if value is None else value
            return bool(value.value) if isinstance(value, Const) else None
    return None


def _is_lenient(call: Call) -> bool:
    """Return True for a security scheme that lets requests without credentials through."""
    lenient = keyword(call, "auto_error")
    return isinstance(lenient, Const) and lenient.value is False


def _demanded(outline: Outline, line: int, label: str) -> Verdict:
    return present(outline.path, line, label, _shown(label), GuardKind.DEPENDENCY)


def _shown(label: str) -> str:
    return f"Depends({label or '…'})"
