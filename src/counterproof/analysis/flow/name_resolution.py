"""What names stand for across files: module variables, imports, builtins.

Always holds: a module's own code is run once, on first use; while it is being run, others see what it has so far, so that
circular imports end. Does not belong here: local variables.

Parameters as values inside a function, and arguments matched to them at a call. Always holds: a parameter is known by its index;
`self` is an instance of its class; annotations tell what a parameter is, never what it holds.
"""

from counterproof.analysis.flow.access import Place, attribute, element
from counterproof.analysis.flow.django_forms import handed
from counterproof.analysis.flow.frame import EnginePort, Frame
from counterproof.analysis.flow.handler_parameters import known_by_route
from counterproof.analysis.flow.handlers import hears_anybody
from counterproof.analysis.flow.hits import Arguments
from counterproof.analysis.flow.index import ClassInfo, FunctionInfo, ProjectIndex
from counterproof.analysis.flow.sources import (
    CHAT,
    REQUEST,
    ZOPE_REQUEST,
    canonical,
    is_request_name,
    of_zope,
    received,
    serves_web,
)
from counterproof.analysis.flow.stores import kept_names, read_back
from counterproof.analysis.flow.values import CLEAN, UNSET, Constant, Param, Taint, Trusted, Value, external
from counterproof.analysis.libraries import public_name
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted

MAX_IMPORTS = 25
"""Modules that are being run because another one imports them; beyond that only their definitions are known."""


class Names:
    """Module variables and imported names, each resolved once."""

    def __init__(self, engine: EnginePort, index: ProjectIndex) -> None:
        self._engine = engine
        self._index = index
        self.modules: dict[str, Frame] = {}
        self._starting: set[str] = set()
        self._known: dict[tuple[str, str], Value | None] = {}
        self._imports: dict[tuple[str, str], Value] = {}
        self._resolving: set[tuple[str, str]] = set()
        self._kept: dict[str, frozenset[str]] = {}
        self._filled: dict[tuple[str, str], tuple[Value, Value]] = {}

    def module_frame(self, module: ir.Module) -> Frame:
        """The module's own code, run on first use; while it is being run, what it has so far."""
        frame = self.modules.get(module.path)
        if frame is None and len(self._starting) >= MAX_IMPORTS:
            return Frame(self._engine, module, None, None)
        if frame is None:
            self._engine.checkpoint()
            frame = Frame(self._engine, module, None, None)
            self.modules[module.path] = frame
            self._starting.add(module.path)
            self._engine.guarded(frame, module.body, module.path)
            self._starting.discard(module.path)
        return frame

    def global_value(self, module: ir.Module, name: str) -> Value:
        """A name that a function finds outside itself."""
        value = self.module_frame(module).env.get(name)
        if value is None:
            info = self._index.by_key.get((module.path, name))
            if info:
                return Value(of=info, origin=Trusted.INTERNAL)
            class_info = self._index.classes.get((module.path, name))
            if class_info:
                return Value(of=class_info, path="class", origin=Trusted.INTERNAL)
            return self.outside(module, name)
        if value.const is not UNSET and (isinstance(value.const, bool) or value.const is None or name in module.rebound):
            return Value(origin=Trusted.SETTING)  # a switch of the program decides nothing about what it can do
        if value.items is not None or value.entries is not None or value.rest is not None:
            return self._with_what_was_kept(module, name, value)
        return value

    def kept(self, module: ir.Module) -> frozenset[str]:
        """Containers of the module that its functions fill."""
        if module.path not in self._kept:
            self._kept[module.path] = kept_names(module)
        return self._kept[module.path]

    def _with_what_was_kept(self, module: ir.Module, name: str, value: Value) -> Value:
        if name not in self.kept(module):
            return value
        key = (module.path, name)
        if key not in self._filled or self._filled[key][0] is not value:
            self._filled[key] = (value, read_back(value, name, module.path, 1))
        return self._filled[key][1]

    def outside(self, module: ir.Module, name: str) -> Value:
        """A name that the module does not define: imported with a star, or a builtin."""
        if name in module.imports:
            return self.imported(module.imports[name], module)
        for target in module.wildcards:
            found = self.project_value(f"{target}.{name}", module.path)
            if found is not None:
                return found
        return external(name, Trusted.INTERNAL)

    def imported(self, name: str, module: ir.Module) -> Value:
        key = (module.package, name)
        if key not in self._imports:
            found = self.project_value(name, module.path) or external(canonical(public_name(name)))
            if self.is_late(name, module):
                return found
            self._imports[key] = found
        return self._imports[key]

    def is_late(self, name: str, module: ir.Module) -> bool:
        """Whether a circle of imports asks for a name that its module has not come to yet, but will."""
        found = self._index.split(name, module) if self._starting else None
        return bool(found and found[1] and found[0].path in self._starting and found[1][0] not in self.modules[found[0].path].env)

    def project_value(self, name: str, importer: str) -> Value | None:
        """What a dotted name stands for, if it lies in the project."""
        module = self._index.modules.get(importer)
        if module is None:
            return None  # a template imports nothing
        key = (module.package, name)
        if key in self._known:
            return self._known[key]
        found = self._index.split(name, module)
        if found is None:
            self._known[key] = None
            return None
        home, rest = found
        if not rest:
            return None
        if home.path in self._starting and rest[0] not in self.modules[home.path].env:
            return self._defined(home, rest)
        if key in self._resolving:
            return None
        self._resolving.add(key)
        value = self._resolved(home, rest, importer)
        self._resolving.discard(key)
        if len(self._starting) < MAX_IMPORTS:
            self._known[key] = value
        return value

    def _resolved(self, home: ir.Module, rest: list[str], importer: str) -> Value | None:
        value = self.global_value(home, rest[0])
        if value.path == rest[0]:
            return None  # the module does not define it
        for part in rest[1:]:
            value = attribute(self._engine, value, part, Place(importer, 1))
        return value

    def _defined(self, module: ir.Module, names: list[str]) -> Value | None:
        info = self._index.by_key.get((module.path, ".".join(names)))
        return Value(of=info, origin=Trusted.INTERNAL) if info else None


_MESSAGES = vocabulary("message msg m update event query call callback callback_query inter interaction ctx context")
"""What handlers call a message to a bot, and what it came with."""

_CLIENTS = ("BaseAdapter", "HTTPAdapter", "AuthBase", "BaseTransport", "HTTPTransport", "httpx.Auth")
"""Classes that are handed requests which the program itself is about to send."""


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
    """What an annotation or, for request objects, the name says about a parameter."""
    form = handed(engine.index, info.owner, info.node.name) if info.owner is not None else None
    if form is not None:
        return "", form
    if parameter.annotation is not None:
        name = dotted(parameter.annotation, info.module)
        if name:
            found = engine.index.class_named(name, info.module) or _exported(engine, info, name)
            if found and any(canonical(f"{base}()") == REQUEST for base in found.outside()):
                return REQUEST, None  # the project's own kind of request
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
    """A class of another file, by what that file exports: how JavaScript names those it imports."""
    value = engine.names.project_value(name, info.module.path) if engine.scripts and name.startswith("/") else None
    return value.of if value is not None and value.path == "class" and isinstance(value.of, ClassInfo) else None


def _request(engine: EnginePort, info: FunctionInfo, name: str) -> str:
    """A parameter called `request` is one where the file, a route or its use says so."""
    if of_zope(info.module):
        return ZOPE_REQUEST
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
    """Fields of a class without a constructor of its own: a dataclass, a model, a named tuple."""
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
