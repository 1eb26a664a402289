"""Decorators as guards: known ones by name, the project's own by their code, all others undecided.

A decorator that could reject a caller and cannot be read makes the guard unknown. A decorator with another known purpose
(caching, methods, documentation, limits) is ignored.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.endpoints.convention import VERBS
from counterproof.analysis.endpoints.denial import checks_in, hook_verdict, is_identity, is_negative
from counterproof.analysis.endpoints.known_guards import asked_by_library
from counterproof.analysis.endpoints.understanding import Asked, asked_by, asked_in_test, written
from counterproof.analysis.endpoints.verdict import OPEN, Verdict, present, strongest, unknown
from counterproof.analysis.endpoints.ways_out import refuses
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase, Definition
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import keyword
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.location import at
from counterproof.model.recon import KNOWS_CALLER, Asks, Guard, GuardKind, WrittenGuard

MAX_DEPTH = 12
_SETTINGS = vocabulary("config configuration settings setting enabled allow feature")

LISTED = ("decorators", "method_decorators")
_GUARD_WORDS = vocabulary(
    "login logged auth authenticated authenticate authenticates authorized authorised authorize authorise "
    "authorization permission permissions role roles jwt admin staff superuser protected secured requires token "
    "apikey acl oauth allowed principal"
)
_GUARD_MODULES = names("guard", "module")
_READ_ELSEWHERE = ("permission_classes", "authentication_classes", "throttle_classes")
"""Decorators whose arguments are the guard; the framework's own file reads them."""

_OPEN_WORDS = vocabulary("not anonymous public optional exempt allowany noauth skip open")
_NEUTRAL_MODULES = names("guard", "none")
_NEUTRAL_WORDS = vocabulary(
    "route routes get post put patch delete head options websocket trace view api action task command group option "
    "argument cache cached caches csrf cors cross origin template templated render renders staticmethod classmethod "
    "property setter wraps lru limit limiter ratelimit throttle throttled limits timeout retry timed timer timing "
    "time log logs logged logging trace profile profiled metrics metric count counted monitor deprecated overload "
    "override abstractmethod final dataclass schema swagger doc docs document documented expect marshal response "
    "responses produces consumes validate validated validates params args kwargs body use json gzip compress atomic "
    "transaction transactional commit sync async coroutine unauthenticated errorhandler handler before after request "
    "teardown context processor hook hookimpl register registered event listens listener receiver mock patched "
    "fixture pytest parametrize middleware on_event exception xframe sensitive etag vary never condition require http "
    "safe param methods method decorator parser parsers renderer renderers shared job cron periodic scheduled actor inject "
    "injected nocache no_cache tag tags versioned version api_view extend app cli"
)


def decorator_verdict(codebase: Codebase, outline: Outline, function: ir.Function | ir.Class) -> Verdict:
    """The verdict of a handler's decorators. Computed once per handler, because a handler may have many routes."""

    def made() -> Verdict:
        enclosing = outline.functions.get(function.within) if isinstance(function, ir.Function) else None
        verdicts = [wrapper_verdict(codebase, outline, each.value, each.line, enclosing) for each in function.decorators]
        first = next((index for index, each in enumerate(function.decorators) if _hands_on(each.value)), 0)
        return strongest((*verdicts[first:], *(passed for each in verdicts[:first] if (passed := _passed_by(each)))))

    return codebase.remembered(("decorators", id(function)), made)


def _hands_on(value: ir.Expr) -> bool:
    """`@app.route(…)`: a decorator that registers the function as passed, without the decorators above it."""
    return isinstance(value, ir.Call) and isinstance(value.callee, ir.Attribute) and value.callee.name in ("route", *VERBS)


def _passed_by(above: Verdict) -> Verdict | None:
    """The verdict for a guard above the route decorator: it wraps a function that is never called."""
    by = above.by
    if by is None or not (above.guard is Guard.PRESENT or sounds_like_guard(by.symbol)):
        return None
    return Verdict(
        Guard.ABSENT, replace(by, kind=GuardKind.PASSED_BY, note=f"@{by.symbol} is above the route decorator and never runs")
    )


def wrapper_verdict(
    codebase: Codebase, outline: Outline, value: ir.Expr, line: int, enclosing: ir.Function | None = None
) -> Verdict:
    """The verdict of one decorator or wrapping call, with the rights it requires as far as its code shows."""
    verdict = _wrapper_verdict(codebase, outline, value, line, enclosing)
    asked = _asked(codebase, outline, value, enclosing)
    if asked is None or (verdict is OPEN and not _can_end(codebase, outline, value, enclosing)):
        return verdict
    if verdict is OPEN and asked.asks in KNOWS_CALLER and not asked.partly:
        name = outline.dotted(value.callee if isinstance(value, ir.Call) else value)
        verdict = present(outline.path, line, name, f"@{name}")
    return verdict.understood(WrittenGuard(at(outline.path, line), "", asked.asks, asked.right, asked.partly))


def _can_end(codebase: Codebase, outline: Outline, value: ir.Expr, enclosing: ir.Function | None) -> bool:
    """Return True if a wrapper of the project can keep a request from its handler."""
    found = codebase.meaning(outline, value.callee if isinstance(value, ir.Call) else value, enclosing)
    if found is None or not isinstance(found.node, ir.Function):
        return False
    inner = [each for each in found.outline.module.functions if each.qualified.startswith(f"{found.node.qualified}.")]
    return any(refuses(each.body) for each in inner)


_ANY_ACCOUNT = "authenticated"
"""The scope that every login has: `@requires("authenticated")`."""


def _asked(codebase: Codebase, outline: Outline, value: ir.Expr, enclosing: ir.Function | None) -> Asked | None:
    """The right a wrapper requires; None if neither its code nor a library says."""
    call = value if isinstance(value, ir.Call) else None
    callee = call.callee if call else value
    found = codebase.meaning(outline, callee, enclosing)
    if found and isinstance(found.node, ir.Function):
        return asked_by(codebase, found.outline, found.node, call)
    dotted = outline.dotted(callee)
    if isinstance(callee, ir.Attribute) and found is None:
        made = codebase.constructor(outline, callee.value, enclosing)
        dotted = f"{made}().{callee.name}" if made else dotted
    if dotted == "django.contrib.auth.decorators.user_passes_test" and call and call.arguments:
        return _predicate(codebase, outline, call.arguments[0].value, enclosing)
    asks = asked_by_library(dotted)
    if asks is None:
        return None
    right = ", ".join(text for each in call.arguments if (text := written(each.value))) if call else ""
    if asks is Asks.ROLE and right == _ANY_ACCOUNT:
        return Asked(Asks.IDENTITY)
    if asks is Asks.ROLE and not right and "staff" in dotted:
        right = "staff"
    if asks is Asks.IDENTITY and call is not None and (role := keyword(call, "role")) is not None:
        return Asked(Asks.ROLE, written(role))
    return Asked(asks, right if asks is Asks.ROLE else "")


def _predicate(codebase: Codebase, outline: Outline, value: ir.Expr, enclosing: ir.Function | None) -> Asked | None:
    """The function passed to `user_passes_test`."""
    if isinstance(value, ir.Lambda):
        return asked_in_test(codebase, outline, enclosing, value.body)
    found = codebase.meaning(outline, value, enclosing)
    if found is None or not isinstance(found.node, ir.Function):
        return None
    return asked_by(codebase, found.outline, found.node, predicate=True)


def _wrapper_verdict(codebase: Codebase, outline: Outline, value: ir.Expr, line: int, enclosing: ir.Function | None) -> Verdict:
    callee = value.callee if isinstance(value, ir.Call) else value
    dotted = outline.dotted(callee)
    if dotted == "django.utils.decorators.method_decorator" and isinstance(value, ir.Call) and value.arguments:
        return _unwrapped(codebase, outline, value.arguments[0].value, line, enclosing)
    if dotted == "falcon.before" and isinstance(value, ir.Call) and value.arguments:
        return _before(codebase, outline, value.arguments[0].value, line, enclosing)
    found = codebase.meaning(outline, callee, enclosing)
    if found and isinstance(found.node, ir.Function):
        return _own(codebase, outline, found, line, found.node)
    if found and isinstance(found.node, ir.Class):
        return unknown(outline.path, line, f"@{dotted} is a class that could refuse callers", dotted)
    return _foreign(outline, dotted, line)


def listed_verdicts(codebase: Codebase, found: Definition) -> Iterator[Verdict]:
    """`decorators = […]` of a Flask or Sanic view class, `method_decorators` of a resource, including inherited ones."""
    for each in codebase.ancestry(found).own:
        if isinstance(each.node, ir.Class):
            attributes = each.outline.attributes(each.node)
            for name in LISTED:
                value = attributes.get(name)
                for part in value.items if isinstance(value, ir.Sequence) else ():
                    yield wrapper_verdict(codebase, each.outline, part, part.line)


def _unwrapped(codebase: Codebase, outline: Outline, value: ir.Expr, line: int, enclosing: ir.Function | None) -> Verdict:
    parts = value.items if isinstance(value, ir.Sequence) else (value,)
    return strongest(wrapper_verdict(codebase, outline, part, line, enclosing) for part in parts)


def _before(codebase: Codebase, outline: Outline, hook: ir.Expr, line: int, enclosing: ir.Function | None) -> Verdict:
    """`@falcon.before(ask_for_login)`: a function or callable object that runs first and may raise."""
    found = codebase.meaning(outline, hook.callee if isinstance(hook, ir.Call) else hook, enclosing)
    if found and isinstance(found.node, ir.Class):
        method = codebase.method(found, "__call__")
        found = Definition(*method) if method else None
    if found is None or not isinstance(found.node, ir.Function):
        return unknown(outline.path, line, "a hook that could not be read may refuse callers")
    inner = [each for each in found.outline.module.functions if each.within == found.node.qualified]
    verdict = strongest(hook_verdict(codebase, found.outline, each) for each in (found.node, *inner))
    return (
        present(outline.path, line, found.node.name, f"@before({found.node.name})") if verdict.guard is Guard.PRESENT else verdict
    )


def _own(codebase: Codebase, outline: Outline, found: Definition, line: int, decorator: ir.Function) -> Verdict:
    """The verdict of a project's decorator, from the functions inside it that run around the handler."""
    verdict = codebase.remembered(("decorator", id(decorator)), lambda: _around(codebase, found.outline, decorator))
    if verdict.guard is Guard.PRESENT:
        return present(outline.path, line, decorator.name, f"@{decorator.name}")
    if verdict.guard is Guard.UNKNOWN or sounds_like_guard(decorator.name):
        return unknown(outline.path, line, f"@{decorator.name} could refuse callers", decorator.name)
    return OPEN


def _around(codebase: Codebase, outline: Outline, decorator: ir.Function) -> Verdict:
    verdict = _around_itself(codebase, outline, decorator)
    if verdict.guard is Guard.PRESENT:
        return verdict
    makers = [
        codebase.meaning(outline, each.value) for each in decorator.decorators
    ]  # a check that another decorator turns into a decorator
    made = (_around_itself(codebase, each.outline, each.node) for each in makers if each and isinstance(each.node, ir.Function))
    return strongest((verdict, *made))


def _around_itself(codebase: Codebase, outline: Outline, decorator: ir.Function) -> Verdict:
    inner = [each for each in outline.module.functions if each.qualified.startswith(decorator.qualified + ".")]
    given = [each.value for each in decorator.body if isinstance(each, ir.Return)]
    handed = [_handed_on(outline, each) for each in given if isinstance(each, ir.Call)]
    verdict = strongest((*(checks_in(codebase, outline, each, wrapper=True) for each in (*inner, decorator)), *handed))
    if verdict.guard is not Guard.PRESENT and lets_in_only_known(outline, decorator):
        return present(outline.path, decorator.line, decorator.name, f"@{decorator.name}")
    return verdict


def _handed_on(outline: Outline, call: ir.Call) -> Verdict:
    """`return user_passes_test(in_group)`: a framework guard that a project's decorator only configures."""
    callee = call.callee.callee if isinstance(call.callee, ir.Call) else call.callee  # `user_passes_test(known)(function)`
    dotted = outline.dotted(callee)
    known = dotted.startswith("django.contrib.auth.decorators.")
    return present(outline.path, call.line, dotted, f"{dotted}()") if known else OPEN


def _foreign(outline: Outline, dotted: str, line: int) -> Verdict:
    name = dotted.rpartition(".")[2]
    if name in _READ_ELSEWHERE:
        return OPEN
    if sounds_like_guard(name) or dotted.startswith(_GUARD_MODULES):
        return OPEN if set(words(name)) & _OPEN_WORDS else present(outline.path, line, dotted, f"@{dotted}")
    if dotted.startswith(_NEUTRAL_MODULES) or set(words(name)) & _NEUTRAL_WORDS:
        return OPEN
    return unknown(outline.path, line, f"@{dotted or 'decorator'} could not be read", dotted)


def sounds_like_guard(name: str) -> bool:
    """Return True if a name suggests a check of the caller. The name proves nothing if the code can be read."""
    return bool(set(words(name)) & _GUARD_WORDS)


def lets_in_only_known(outline: Outline, decorator: ir.Function) -> bool:
    """Return True if a decorator calls the decorated function only for callers that a test identifies.

    Invariant: every call of the decorated function is inside a test of the caller, so no one else reaches it."""
    inner = [each for each in outline.module.functions if each.qualified.startswith(decorator.qualified + ".")]
    makers = [each for each in inner if any(other.within == each.qualified for other in inner)]
    for wrapped in dict.fromkeys(each.name for one in (decorator, *makers) for each in one.parameters):
        ways = [tests for each in inner for tests in _ways(each.body, wrapped, (), 0)]
        if ways:
            return all(any(_knows(test) for test in tests) for tests in ways)
    return False


def _ways(body: tuple[ir.Statement, ...], wrapped: str, tests: tuple[ir.Expr, ...], depth: int) -> Iterator[tuple[ir.Expr, ...]]:
    """The conditions around each call of the decorated function."""
    for statement in body if depth < MAX_DEPTH else ():
        match statement:
            case ir.If(branches=branches, otherwise=otherwise):
                for branch in branches:
                    yield from _ways(branch.body, wrapped, (*tests, branch.test), depth + 1)
                yield from _ways(otherwise, wrapped, tests, depth + 1)
            case ir.With(body=inner) | ir.Loop(body=inner):
                yield from _ways(inner, wrapped, tests, depth + 1)
            case ir.Try(body=inner):
                yield from _ways(inner, wrapped, tests, depth + 1)
                rest: list[ir.Node] = [*(each for part in statement.handlers for each in part.body), *statement.otherwise]
                yield from ([tests] if _calls(wrapped, *rest, *statement.final) else [])
            case ir.Function():
                continue
            case _:
                yield from ([tests] if _calls(wrapped, statement) else [])


def _calls(wrapped: str, *parts: ir.Node) -> bool:
    """Return True if the decorated function is called here, or passed to code that may call it."""
    return any(isinstance(node, ir.Name) and node.id == wrapped for node in walk(*parts))


def _knows(test: ir.Expr) -> bool:
    """Return True for a test of the caller, not for a setting about logins."""
    spoken = words_in(test)
    return is_identity(spoken) and not spoken & _SETTINGS and not is_negative(test)
