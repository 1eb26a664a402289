"""Internal error texts sent to the client.

## What it finds
In web code: an exception's text, or a formatted traceback, that an `except` block returns, writes to the response, or puts into
an answer object or error page; also in a function whose result a handler answers with as it is. Where many methods of one class
do so, they are one finding.

## Why it matters
Texts of internal errors name tables, paths, hosts and library versions. They turn blind probing into reading.

## What is safe
Logging the error and answering with a fixed text; exceptions made for the client, such as validation errors and HTTP errors;
texts that only administrators get to see.

## Limits
The text is followed inside one function, and one step to the handler. That an exception is meant for the client is read from its
name.
"""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, good, opened, python_file
from counterproof.analysis.config.error_texts import TRACES, answer_with, caught_by, for_staff, leaks_in, trace_in
from counterproof.analysis.config.web import is_web_code
from counterproof.analysis.control.handed_on import is_handed_on
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import calls_in
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Match
from counterproof.analysis.syntax.ir import Call, Class, Const, Expr, Function, Handler, Name, Raise, Return, Sequence, Try
from counterproof.analysis.syntax.walk import walk
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
