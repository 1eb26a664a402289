"""Functions passed as arguments in JavaScript: callbacks, promises, array methods, event and request handlers.

Invariant: a project function passed to a call is run with the arguments that the call is known to pass to it, or with none if
unknown. Not handled here: the result of such calls.
"""

from counterproof.analysis.flow.access import Place, attribute, element, iterated, source
from counterproof.analysis.flow.frame import Frame
from counterproof.analysis.flow.handler_parameters import RESPONSE, handed
from counterproof.analysis.flow.hits import Arguments, Hit
from counterproof.analysis.flow.index import FunctionInfo
from counterproof.analysis.flow.sinks import add
from counterproof.analysis.flow.sources import REQUEST
from counterproof.analysis.flow.store_reads import answered
from counterproof.analysis.flow.values import INTERNAL, UNSET, Value, external, gathered, origins
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.analysis.templates.files import TemplateFiles
from counterproof.analysis.templates.script_templates import SUFFIXES
from counterproof.model.survey import Language

_RENDERING = (
    "http.ServerResponse().render",
    "http.ServerResponse().view",
    "koa.Context().render",
    "fastify.FastifyReply().view",
    "express().render",
)
MARK = "<template>"
"""The sink name for all template output."""

_SERVERS = frozenset(names("route", "server", Language.JAVASCRIPT))
_ROUTERS = names("route", "instance", Language.JAVASCRIPT)
_SCHEMAS = frozenset(names("graphql", "schema", Language.JAVASCRIPT))
_MAX_NESTED = 3
"""Nesting limit for finding functions in objects passed to a call."""
_VERBS = vocabulary("get post put delete patch all use head options del opts")
_LATER = {"setTimeout": 2, "setInterval": 2, "setImmediate": 1, "process.nextTick": 1}
"""Calls that pass their arguments from this position on to the function they receive."""
_CONTAINERS = names("code", "element-functions", Language.JAVASCRIPT)
MESSAGE_EVENT = "message event"
"""The event passed to listeners for messages of other windows; no module has this name."""
_SENDERS = frozenset({"origin", "source"})
_ARCHIVES = frozenset(names("code", "archive-package", Language.JAVASCRIPT))
_ERRORS = vocabulary("err error e _err")
_MAX_FUNCTIONS = 8
_MAX_CANDIDATES = 400


def hand_over_functions(
    frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments, applied: Value | None = None
) -> None:
    """Run the functions that this call receives, except the one applied to elements."""
    if frame.engine.watch is not None:
        frame.engine.watch.see(frame, node, target, method, arguments)
    render_script_page(frame, frame.engine.pages.files, node, target, arguments)
    if isinstance(node.callee, ir.Index):
        _chosen_by_name(frame, node, node.callee, arguments)
    functions = [
        each
        for each in _candidates(target, arguments)
        if isinstance(each.of, FunctionInfo) and each.path != "class" and each is not applied
    ]
    most = _MAX_CANDIDATES if target.path in _SCHEMAS else _MAX_FUNCTIONS
    for each in functions[:most]:
        assert isinstance(each.of, FunctionInfo)
        given = _given(frame, node, target, method, arguments, each.of)
        frame.engine.started(each.of, each.bound, Arguments(given), (frame, node))


def _chosen_by_name(frame: Frame, node: ir.Call, callee: ir.Index, arguments: Arguments) -> None:
    """`table[name](…)`: may call any function of the table."""
    table = frame.value(callee.value)
    functions = [each for each in (table.entries or {}).values() if isinstance(each.of, FunctionInfo)]
    for each in functions[:_MAX_FUNCTIONS]:
        assert isinstance(each.of, FunctionInfo)
        given = [*arguments.positional, *_spread(arguments, each.of)]
        frame.engine.started(each.of, each.bound, Arguments(given), (frame, node))


def _spread(arguments: Arguments, called: FunctionInfo) -> list[Value]:
    """The additional arguments of `f(...list)` and `f.apply(o, list)`: any element at each remaining position."""
    left = len(called.node.parameters) - len(arguments.positional)
    return [arguments.spread] * left if arguments.spread is not None else []


def _candidates(target: Value, arguments: Arguments) -> list[Value]:
    """Functions among the arguments and in lists and objects among them; a schema's resolvers are nested deeper."""
    found: list[Value] = []
    pending = [(value, 0) for value in reversed(arguments.positional)]
    deepest = _MAX_NESTED if target.path in _SCHEMAS else 1
    while pending and len(found) < _MAX_CANDIDATES:
        value, depth = pending.pop()
        found.append(value)
        if depth < deepest:
            inner = [*(value.entries or {}).values(), *(value.items or ())]
            pending.extend((each, depth + 1) for each in reversed(inner))
    return found


def _given(frame: Frame, node: ir.Call, target: Value, method: str, arguments: Arguments, called: FunctionInfo) -> list[Value]:
    """The arguments that the call passes to a function it receives."""
    receiver = arguments.receiver
    at = Place(frame.path, node.line)
    routes = frame.engine.handlers.route(frame.path, node.line, node.end) if method in _VERBS else []
    if routes:
        frame.engine.handlers.serve(called, routes)
    if routes or target.path in _SERVERS or (method in _VERBS and receiver is not None and receiver.path.startswith(_ROUTERS)):
        return _served(frame, routes[0].framework if routes else _framework(receiver), called)
    if target.path in _SCHEMAS:
        asked, form = source("arguments of the query", "body", at), frame.engine.handlers.scalars()
        asked.taints = tuple(each._replace(passed=each.passed | form) for each in asked.taints)
        return [INTERNAL, asked, INTERNAL]
    if (method or target.path) == "addEventListener":
        return _message(arguments, called)
    if target.path in _LATER:
        return arguments.positional[_LATER[target.path] :]
    if rows := answered(frame, node, method, arguments):
        return rows
    if _answers_later(target, called):
        return [INTERNAL, external(f"{target.path}()")]
    if receiver is not None and method in ("on", "once", "addListener"):
        return _event(frame, receiver, arguments, at)
    return _listed(target, arguments, at)


def _served(frame: Frame, framework: str, called: FunctionInfo) -> list[Value]:
    given = handed(framework, len(called.node.parameters))
    if len(called.node.parameters) > 1:
        frame.engine.handlers.typed[called.id] = {position: each.path for position, each in enumerate(given) if each.path}
    return given


def _framework(receiver: Value | None) -> str:
    if receiver is None:
        return ""
    return "Koa" if receiver.path.startswith(("koa", "@koa")) else "Fastify" if receiver.path.startswith("fastify") else ""


def _answers_later(target: Value, called: FunctionInfo) -> bool:
    """`connect(address, (error, database) => …)`: an external function passes its result to a callback."""
    parameters = called.node.parameters
    known = bool(target.path) and target.of is None and not target.path.startswith(_CONTAINERS)
    return known and len(parameters) > 1 and parameters[0].name in _ERRORS


def _event(frame: Frame, receiver: Value, arguments: Arguments, at: Place) -> list[Value]:
    name = arguments.positional[0].const if arguments.positional else None
    if name == "request" and receiver.path.startswith(("http.", "https.")):
        return [external(REQUEST), external(RESPONSE)]
    if name == "entry" and any(each.partition(".")[0] in _ARCHIVES for each in frame.module.imports.values()):
        return [source("a member of the archive", "body", at)]
    if name == "data" and receiver.path.startswith(REQUEST):
        return [source(f"{REQUEST}.body", "body", at)]
    return []


def _message(arguments: Arguments, called: FunctionInfo) -> list[Value]:
    """A message from another window, unless the function checks its origin."""
    heard = bool(arguments.positional) and arguments.positional[0].const == "message"
    asks = (each for each in walk(*called.node.body) if isinstance(each, ir.Attribute | ir.Name))
    asked = any((each.name if isinstance(each, ir.Attribute) else each.id) in _SENDERS for each in asks)
    return [external(MESSAGE_EVENT)] if heard and not asked else []


def _listed(target: Value, arguments: Arguments, at: Place) -> list[Value]:
    """`async.each(list, callback)`: one element per call."""
    if not target.path.startswith(_CONTAINERS) or not arguments.positional:
        return []
    return [iterated(arguments.positional[0], at)]


def render_script_page(frame: Frame, files: TemplateFiles, node: ir.Call, target: Value, arguments: Arguments) -> None:
    """`res.render("page", {name: value})`: record the page's unescaped output.

    Invariant: a template is found by its name in the code; escaped output is not a sink."""
    name = arguments.at(0)
    if target.path not in _RENDERING or name is None or not isinstance(name.const, str):
        return
    variables = arguments.at(1)
    rules = frame.engine.sinks.exact(MARK)
    if variables is None or not rules:
        return
    path, prints = files.scripted(name.const, frame.path, SUFFIXES)
    for raw in prints:
        value = _reached(frame, variables, raw.chain, Place(frame.path, node.line))
        origin, broken = origins(value)
        for rule, sink in rules:
            hit = Hit(
                rule, sink, path, raw.line, raw.line, frame.qualified, MARK, gathered(value), origin, broken, True,
                path, raw.line, raw.line,
            )  # fmt: skip
            add(frame, hit)


def _reached(frame: Frame, value: Value, chain: tuple[str, ...], at: Place) -> Value:
    for name in chain:
        value = element(value, UNSET, at) if name == "[]" else attribute(frame.engine, value, name, at)
    return value
