"""Internal error texts sent to the client.

## What it finds
In web code: an exception's text, or a formatted traceback, that an `except` block returns, writes to the response, or puts into
an answer object or error page; also in a function whose result a handler answers with as it is. Where many methods of one class
do so, they are one finding. In scripts: an error, or its stack, sent to the client, also by way of a function that makes the
answer; the message of one where the answer says that the server failed, or where a statement of a database or a command failed;
and error pages for developers in front of every client.

## Why it matters
Texts of internal errors name tables, paths, hosts and library versions. They turn blind probing into reading.

## What is safe
Logging the error and answering with a fixed text; exceptions made for the client, such as validation errors and HTTP errors;
texts that only administrators get to see.

## Limits
The text is followed inside one function, and one step to the handler. That an exception is meant for the client is read from its
name. In scripts the message of an error that is answered with another status than 500 counts only where a database or a command
failed.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.error_texts import TRACES, answer_with, caught_by, for_staff, leaks_in, trace_in
from counterproof.analysis.config.web import is_web_code
from counterproof.analysis.control.handed_on import is_handed_on
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import calls_in
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Match
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.ir import Call, Class, Const, Expr, Function, Handler, Name, Raise, Return, Sequence, Try
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.severity import Confidence, Impact, Severity

_FOR_CLIENTS = vocabulary("validation schema form http client bad request notfound invalid marshmallow problem api user")

_ANY = ("Exception", "BaseException")

MANY = 4
"""So many methods of one class that answer alike are one habit with one remedy."""


def _check(project: Project, path: str) -> Iterator[Match]:
    found = sorted(_judged(project, path), key=lambda each: each.line)
    known = opened(project, path)[1].classes
    classes: dict[str, list[Match]] = {}
    for each in found:
        owner = each.function.rpartition(".")[0]
        if each.finding and owner in known:
            classes.setdefault(owner, []).append(each)
    many = [group for group in classes.values() if len(group) >= MANY]
    first = {id(group[0]): tuple(each.line for each in group[1:]) for group in many}
    rest = {id(each) for group in many for each in group[1:]}
    for each in found:
        if id(each) in rest:
            yield replace(each, finding=False, verdict=f"{each.verdict}, told with others of its class")
        else:
            yield replace(each, also=first.get(id(each), ()))


def _judged(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    told: set[int] = set()
    kept: dict[int, frozenset[int]] = {}
    for site in outline.of(Handler):
        if not site.node.name or site.function is None:
            continue
        served = is_web_code(outline, site.function)
        if not served and not is_handed_on(project, path, site.function):
            continue
        leak = leaks_in(site.function, site.node)
        if leak is None or not (served or isinstance(leak, Return)):
            yield good(site, "error text", "stays on the server")
            continue
        meant = site.node.kind is not None and (
            bool(words_in(site.node.kind) & _FOR_CLIENTS)
            or _is_own(codebase, outline, site.node.kind)
            or _is_raised_here(codebase, outline, site.node)
            or _is_raised_there(codebase, outline, site.node.kind, site.function)
        )
        where = Site(leak, site.function, site.owner)
        if id(leak) in told:
            continue
        if id(site.function) not in kept:
            kept[id(site.function)] = for_staff(site.function)
        if id(leak) in kept[id(site.function)]:
            yield good(where, "error text", "shown to administrators alone, or while the program is being developed")
        elif meant:
            yield good(where, "error text", "the exception is meant for the client")
        else:
            told.add(id(leak))
            yield bad(where, "error text", "sent to the client", Confidence.MEDIUM)
    yield from _registered(outline)
    yield from _traces(outline)


def _registered(outline: Outline) -> Iterator[Match]:
    """Functions that answer for errors of all kinds."""
    for function in outline.module.functions:
        name = caught_by(outline, function)
        leak = answer_with(function, name) if name else None
        if leak is not None:
            yield bad(Site(leak, function, None), "error text", "sent to the client", Confidence.MEDIUM)


def _traces(outline: Outline) -> Iterator[Match]:
    """Stack traces that are returned, at once or by way of a variable."""
    for site in outline.of(Return):
        if site.function and site.node.value is not None and is_web_code(outline, site.function):
            names = {outline.dotted(call.callee) for call in calls_in(site.node.value)}
            if names & {*TRACES}:
                yield bad(site, "traceback", "sent to the client")
    for function in outline.module.functions:
        trace = trace_in(outline, function) if is_web_code(outline, function) else None
        if trace is not None:
            yield bad(Site(trace, function, None), "traceback", "sent to the client", Confidence.MEDIUM)


def _is_raised_here(codebase: Codebase, outline: Outline, handler: Handler) -> bool:
    """`raise ValueError("taken")` in the block that the handler watches: the text is the author's own, for whoever reads it."""
    kind = outline.dotted(handler.kind) if handler.kind is not None else ""
    watched = codebase.remembered(("what handlers watch", outline.path), lambda: _watched(outline)).get(id(handler))
    for node in walk(*watched.body) if watched is not None else ():
        if isinstance(node, Raise) and isinstance(node.value, Call) and kind not in ("", *_ANY):
            literal = bool(node.value.arguments) and all(isinstance(each.value, Const) for each in node.value.arguments)
            if literal and outline.dotted(node.value.callee) == kind:
                return True
    return False


def _watched(outline: Outline) -> dict[int, Try]:
    """For each handler of a module the statement that it belongs to."""
    functions = (each for each in outline.module.functions if not each.within)
    found = (node for node in walk(*functions) if isinstance(node, Try))
    return {id(handler): each for each in found for handler in each.handlers}


def _is_own(codebase: Codebase, outline: Outline, kind: Expr) -> bool:
    """An exception of the project says what its author wrote; one of a library says what went wrong inside."""
    parts = kind.items if isinstance(kind, Sequence) else (kind,)
    found = [codebase.meaning(outline, each) for each in parts]
    return bool(found) and all(each is not None and isinstance(each.node, Class) for each in found)


def _is_raised_there(codebase: Codebase, outline: Outline, kind: Expr, function: Function) -> bool:
    """`except ValueError`, where a function of the project that is called here raises one with a text of its own."""
    if not isinstance(kind, Name) or kind.id not in ("ValueError", "PermissionError", "LookupError", "KeyError"):
        return False
    key = ("raised by what is called", outline.path, function.line)
    return kind.id in codebase.remembered(key, lambda: _raised_by_called(codebase, outline, function))


def _raised_by_called(codebase: Codebase, outline: Outline, function: Function) -> set[str]:
    """The exceptions that functions of the project, called here, raise with a text."""
    names: set[str] = set()
    seen: set[int] = set()
    for call in calls_in(*function.body):
        found = codebase.meaning(outline, call.callee)
        if found is None or not isinstance(found.node, Function) or id(found.node) in seen:
            continue
        seen.add(id(found.node))
        raised = (node.value for node in walk(*found.node.body) if isinstance(node, Raise))
        made = (each for each in raised if isinstance(each, Call) and each.arguments)
        names |= {each.callee.id for each in made if isinstance(each.callee, Name)}
    return names


RULE = CheckRule(
    title="Internal error details sent to the client",
    kind="errors",
    cwe=209,
    severity=Severity.LOW,
    posture=True,
    impact=Impact.LOCAL,
    consequence="Error texts tell an attacker about tables, paths and libraries.",
    remedy="Log the error and return a fixed message.",
    check=_check,
    applies=python_file,
    query="exception texts in answers",
)


_ERRORS = vocabulary("err error e ex exc exception")
_TELLING = ("query", "execute", "exec", "execSync", "raw", "aggregate")
"""Calls whose errors name tables, statements and programs."""
_CONVERTING = ("stringify", "String", "toString", "inspect")
FAILED = 500
MAX_STEPS = 3
"""Mappings and calls that one answer is looked into, one in another."""


def _check_script(seen: SeenCall) -> Match | None:
    if seen.name == "errorhandler":
        return seen.bad("errorhandler", "shows stack traces to every client", Confidence.MEDIUM)
    first = seen.expression(1 if seen.method == "render" else 0)
    for each in _shown(seen, first, MAX_STEPS) if first is not None else ():
        if _is_stack(each):
            return seen.bad("answer", "carries the stack of an error")
        if _is_error(seen, each):
            return seen.bad("answer", "carries a whole error", Confidence.MEDIUM)
        if _is_message(seen, each):
            return seen.bad("answer", "carries what went wrong inside", Confidence.MEDIUM)
    return None


def _shown(seen: SeenCall, expr: ir.Expr, left: int) -> Iterator[ir.Expr]:
    """What an answer shows of an expression: itself, what stands in a mapping, and what a conversion or a function of the project
    that puts its parameters into what it returns is given."""
    yield expr
    given: tuple[ir.Expr, ...] = ()
    if isinstance(expr, ir.Mapping):
        given = tuple(value for key, value in expr.entries if key is not None)
    elif isinstance(expr, ir.Call):
        given = tuple(each.value for each in expr.arguments if not each.spread)
        given = given[:1] if last_name(expr.callee) in _CONVERTING else _returned(seen, expr.callee, given)
    for each in given if left else ():
        yield from _shown(seen, each, left - 1)


def _returned(seen: SeenCall, callee: ir.Expr, given: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...]:
    """Of what a function of the project is given, what it puts into a mapping or returns."""
    meant = seen.frame.lookup(callee.id).of if isinstance(callee, ir.Name) else None
    if not isinstance(meant, FunctionInfo):
        return ()
    made = [node for node in walk(*meant.node.body) if isinstance(node, ir.Mapping | Return)]
    named = {node.id for node in walk(*made) if isinstance(node, ir.Name)}
    return tuple(value for value, each in zip(given, meant.node.parameters, strict=False) if each.name in named)


def _is_message(seen: SeenCall, expr: ir.Expr) -> bool:
    """`error.message` where the answer says that the server failed, or of a statement or command that is run here, in a function
    that throws no text of its own."""
    parts = expr.parts if isinstance(expr, ir.Concat | ir.Format) else (expr,)
    held = [each.value for each in parts if isinstance(each, ir.Attribute) and each.name == "message"]
    function = seen.frame.function
    if function is None or not any(_is_error(seen, each) for each in held):
        return False
    if _says_failure(seen.node):
        return True
    within = list(walk(*function.node.body))
    called = (last_name(node.callee) for node in within if isinstance(node, ir.Call) and isinstance(node.callee, ir.Attribute))
    telling = any(name in _TELLING for name in called) or _answers_statement(seen, function.node)
    return telling and not any(isinstance(node, Raise) for node in within)


def _says_failure(answer: ir.Call) -> bool:
    """`res.status(500).json(…)`."""
    chain = answer.callee.value if isinstance(answer.callee, ir.Attribute) else None
    given = chain.arguments[:1] if isinstance(chain, ir.Call) and last_name(chain.callee) == "status" else ()
    return any(isinstance(each.value, Const) and each.value.value == FAILED for each in given)


def _answers_statement(seen: SeenCall, function: Function) -> bool:
    """Whether a function is what a statement or command is handed to be told how it went."""
    sites = seen.watch.outline(seen.frame.module).of(ir.Call)
    around = (site.node for site in sites if site.line <= function.line <= function.end <= site.end)
    return any(last_name(each.callee) in _TELLING for each in around)


def _is_stack(expr: ir.Expr) -> bool:
    parts = expr.parts if isinstance(expr, ir.Concat | ir.Format) else (expr,)
    return any(
        isinstance(each, ir.Attribute) and each.name == "stack" and isinstance(each.value, ir.Name) and each.value.id in _ERRORS
        for each in parts
    )


def _is_error(seen: SeenCall, expr: ir.Expr) -> bool:
    """The error of a callback or of a `catch`, as it is."""
    if not isinstance(expr, ir.Name) or expr.id not in _ERRORS:
        return False
    function = seen.frame.function
    first = function.node.parameters[:1] if function else ()
    caught = any(isinstance(node, ir.Handler) and node.name == expr.id for node in seen.nearby())
    return caught or any(each.name == expr.id for each in first)


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Return a generic message and log the error.",
    calls=(
        "errorhandler",
        *(f"http.ServerResponse().{name}" for name in ("send", "json", "end", "write", "render")),
    ),
    check=_check_script,
    query="answers that clients get, and error pages",
)
