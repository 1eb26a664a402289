"""Parameters as values inside a function, and matching arguments to them at a call.

Invariant: a parameter is identified by its index; `self` is an instance of its class; annotations give a parameter's type, never
its value. Not handled here: which parameters are filled from outside.
"""

from counterproof.analysis.flow.access import Place, element
from counterproof.analysis.flow.django_forms import handed
from counterproof.analysis.flow.frame import EnginePort
from counterproof.analysis.flow.handler_parameters import known_by_route
from counterproof.analysis.flow.handlers import hears_anybody
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo
from counterproof.analysis.flow.sources import (
    CHAT,
    REQUEST,
    canonical,
    is_request_name,
    received,
    serves_web,
)
from counterproof.analysis.flow.values import CLEAN, Constant, Param, Taint, Trusted, Value
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted

_MESSAGES = vocabulary("message msg m update event query call callback callback_query inter interaction ctx context")
"""Names of bot handlers' parameters for the message and its context."""

_CLIENTS = ("BaseAdapter", "HTTPAdapter", "AuthBase", "BaseTransport", "HTTPTransport", "httpx.Auth")
"""Classes that receive requests which the program itself is about to send."""


def parameter_values(engine: EnginePort, info: FunctionInfo) -> dict[str, Value]:
    """The function's variables at its start."""
    values: dict[str, Value] = {}
    served = known_by_route(info, engine.handlers.entries(info)) if engine.scripts else {}
    served = served or engine.handlers.typed.get(info.id, {})
    for position, parameter in enumerate(info.node.parameters):
        sym = Param(info.id, position, ())
        value = Value(taints=(Taint(sym, CLEAN, None),), sym=sym)
        if position == 0 and info.owner is not None and not info.is_static:
            value.of = info.owner
            if _is_classmethod(info.node):
                value.path = "class"
        elif parameter.name in _MESSAGES and any(map(hears_anybody, engine.handlers.entries(info))):
            value.path = CHAT
        elif position in served and parameter.annotation is None:
            value.path = served[position]
        else:
            value.path, value.of = _kind(engine, info, parameter)
        values[parameter.name] = value
    return values


def _is_classmethod(node: ir.Function) -> bool:
    return any(isinstance(each.value, ir.Name) and each.value.id == "classmethod" for each in node.decorators)


def _kind(engine: EnginePort, info: FunctionInfo, parameter: ir.Parameter) -> tuple[str, ClassInfo | None]:
    """The type that an annotation or, for request objects, the name gives a parameter."""
    form = handed(engine.index, info.owner, info.node.name) if info.owner is not None else None
    if form is not None:
        return "", form
    if parameter.annotation is not None:
        name = dotted(parameter.annotation, info.module)
        if name:
            found = engine.index.class_named(name, info.module) or _exported(engine, info, name)
            if found and any(canonical(f"{base}()") == REQUEST for base in found.outside()):
                return REQUEST, None  # the project's own request class
            if found:
                return "", found
            if "." in name:
                return canonical(f"{name}()"), None
        if not (name or "").endswith("Request"):
            return "", None
    if parameter.name in ("resp", "response") and any(each.framework == "Falcon" for each in engine.handlers.entries(info)):
        return "falcon.Response()", None
    if info.owner is not None and any(name.endswith(_CLIENTS) for name in info.owner.outside()):
        return "", None
    return _request(engine, info, parameter.name) if is_request_name(parameter.name) else "", None


def _exported(engine: EnginePort, info: FunctionInfo, name: str) -> ClassInfo | None:
    """A class of another file, by that file's exports: how JavaScript refers to imported classes."""
    value = engine.names.project_value(name, info.module.path) if engine.scripts and name.startswith("/") else None
    return value.of if value is not None and value.path == "class" and isinstance(value.of, ClassInfo) else None


def _request(engine: EnginePort, info: FunctionInfo, name: str) -> str:
    """A parameter called `request` is one if the file, a route or its use shows it."""
    served = serves_web(info.module) or bool(engine.handlers.entries(info)) or received(info.node, name)
    return REQUEST if served else ""


def bound_arguments(info: FunctionInfo, bound: Value | None, arguments: Arguments) -> dict[int, Value]:
    """Arguments by parameter index."""
    keywords, spread = arguments.keywords, arguments.spread
    given = [bound, *arguments.positional] if bound is not None else arguments.positional
    result: dict[int, Value] = {}
    used = 0
    for position, parameter in enumerate(info.node.parameters):
        if parameter.kind == "*":
            result[position] = Value(origin=Trusted.LITERAL, items=tuple(given[used:]), rest=spread)
            used = len(given)
        elif parameter.kind == "**":
            names = {each.name for each in info.node.parameters}
            extra: dict[Constant, Value] = {name: value for name, value in keywords.items() if name not in names}
            result[position] = Value(origin=Trusted.LITERAL, entries=extra, rest=spread)
        elif parameter.name in keywords:
            result[position] = keywords[parameter.name]
        elif parameter.kind == "positional" and used < len(given):
            result[position] = given[used]
            used += 1
        elif spread is not None:
            result[position] = spread
    return result


def declared_fields(info: ClassInfo, arguments: Arguments, at: Place) -> dict[str, Value]:
    """Fields of a class without its own constructor: a dataclass, a model, a named tuple."""
    names = [
        each.targets[0].id
        for each in info.node.body
        if isinstance(each, ir.Assign) and each.annotation is not None and isinstance(each.targets[0], ir.Name)
    ]
    fields = {**dict(zip(names, arguments.positional, strict=False)), **arguments.keywords}
    if arguments.spread is not None:
        left = names[len(arguments.positional) :]
        fields.update({name: element(arguments.spread, place, at) for place, name in enumerate(left) if name not in fields})
    return fields
