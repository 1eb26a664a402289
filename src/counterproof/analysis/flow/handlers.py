"""The functions that are called from outside, and their sender-controlled parameters.

Invariant: only entry points that recon found are handlers. Not handled here: finding entry points.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.flow.declared_fields import with_declared_fields
from counterproof.analysis.flow.handler_parameters import (
    NUMBERS,
    by_position,
    filled_by_the_program,
    from_outside,
    is_whole_request,
    named_types,
    pattern_form,
    route_forms,
)
from counterproof.analysis.flow.index import FunctionInfo, ProjectIndex
from counterproof.analysis.flow.sources import CONTENT, PLAIN_TEXT, REQUEST
from counterproof.analysis.flow.values import CALLER, CLEAN, Source, Step, StepKind, Taint, Value, external, steps_of
from counterproof.analysis.kept import kept
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import functions_around, last_name, walk
from counterproof.model.recon import EntryKind, EntryPoint, Guard

_TYPED = re.compile(
    r"<(?:int|float|\w{0,20}uuid\w{0,20}|number|double):\s*(\w+)|\{(\w+):(?:int|float|uuid)\}"
    r"|\(\?P<(\w{1,80})>(?-i:\\d|\[0-9\])(?:[+*?]|\{\d{0,4},?\d{0,4}\})?\)",
    re.IGNORECASE,
)
"""Placeholders that accept only numbers: `<int:pk>`, `{id:int}`, `(?P<pk>[0-9]+)`."""
_TEXTS = vocabulary("str bytes Path list tuple List Sequence Optional")
_STRUCTURED = vocabulary("dict Dict Any object Mapping Body JSON list List")
_UPLOADS = vocabulary("File UploadFile FileStorage UploadedFile InMemoryUploadedFile TemporaryUploadedFile")
_TYPES = ("application/json", "text/plain", "text/csv", "application/xml", "text/xml", "application/octet-stream", "image/")
REST = names("framework", "json-resource")
ADDRESS_METHODS = frozenset({"get_redirect_url", "get_success_url"})
MAX_NODES = 5_000
MAX_ROUTE_LINES = 60
"""Lines of one call that are searched for the routes it registers."""


_TASKS = vocabulary("task shared_task actor job")
"""Decorators that make a function a task of the program."""

_TEMPLATE_DECORATORS = vocabulary("filter simple_tag template_filter template_global app_template_filter app_template_global")
_CONTEXTS = vocabulary("context ctx eval_ctx environment env request")
"""Names of parameters in which a template engine passes its own context."""

CHAT_BOT = "Chat bot"
"""The framework name of chat bot entry points."""

_BY_ROUTE = names("framework", "converts-by-route")
"""Frameworks that pass URL parts unchanged, unless the route itself converts them."""
_ASKED = {"GraphQL": 1, "GraphQL root": 0}
"""The position of a query's arguments in resolvers; other arguments come from the program."""
_ANY_VALUE = re.compile(r"graphql-type-json|graphql-scalars|JSON", re.IGNORECASE)
"""Imports of a type that allows any value as an argument."""
AGENT_TOOL = "Agent tool"
"""The framework name of functions that a language model calls. In JavaScript all their arguments are in the first parameter."""


_WAYS_IN = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.RPC, EntryKind.QUEUE, EntryKind.CLI)


class Handlers:
    """Entry points by handling function."""

    def __init__(self, entry_points: Iterable[EntryPoint], index: ProjectIndex) -> None:
        self._index = index
        self._by_name: dict[tuple[str, str], list[EntryPoint]] = {}
        self._by_line: dict[tuple[str, int], list[EntryPoint]] = {}
        self._routed: dict[int, list[EntryPoint]] = {}
        self.typed: dict[int, dict[int, str]] = {}
        """The kinds that servers and routers were seen to pass to functions, by position."""
        self.published: set[int] = set()
        """Functions of a package that its users may call with any arguments."""
        for entry in entry_points:
            self._by_name.setdefault((entry.handler.path, entry.name), []).append(entry)
            self._by_line.setdefault((entry.handler.path, entry.handler.start), []).append(entry)

    def entries(self, info: FunctionInfo) -> list[EntryPoint]:
        found = self._by_line.get((info.module.path, info.node.line))
        if not found:  # a later function of the same name is a different one
            found = [each for each in self._by_name.get(info.key, ()) if each.handler.start <= info.node.end]
        return found or self._routed.get(info.id) or []

    def entry_of(self, taint: Taint) -> EntryPoint | None:
        """The entry point of a flow: the nearest one around its steps, the first in the order of the steps."""
        for step in steps_of(taint.step):
            module = self._index.modules.get(step.path)
            for function in functions_around(module, step.line) if module is not None else ():
                for entry in self.entries(self._index.function_of(function)):
                    if entry.kind in _WAYS_IN:
                        return entry
        return None

    def route(self, path: str, first: int, last: int) -> list[EntryPoint]:
        """The routes registered by a call on these lines."""
        lines = range(first, min(last, first + MAX_ROUTE_LINES) + 1)
        return [each for line in lines for each in self._by_line.get((path, line), ()) if each.kind is EntryKind.HTTP]

    def serve(self, info: FunctionInfo, entries: list[EntryPoint]) -> None:
        """Record which function serves a route."""
        if entries and not self.entries(info):
            self._routed[info.id] = entries

    @kept
    def framework(self, info: FunctionInfo) -> str:
        """The web framework that calls this function and sends its result; '' if none does."""
        if _sends_html(info.node):
            return "html"
        if _gives_address(info):
            return "address"
        entry = next((each for each in self.entries(info) if each.kind is EntryKind.HTTP), None)
        if entry is None or sends_other(info.node) or _is_resource(info):
            return ""  # the first is true of nearly every function
        return entry.framework.lower()

    @kept
    def has_fixed_path(self, info: FunctionInfo) -> bool:
        """Return True if all routes of a handler are plain text, so the sender cannot vary the path."""
        paths = [entry.path for entry in self.entries(info) if entry.kind is EntryKind.HTTP]
        return bool(paths) and not any(set(path) & set("<{*(:^$\\") for path in paths)

    def arguments(self, info: FunctionInfo) -> dict[int, Value]:
        """The values passed from outside, by parameter index; empty for a function that is not called from outside."""
        own = 1 if info.owner is not None and not info.is_static else 0  # the receiver is not an argument
        entries = [entry for entry in self.entries(info) if entry.kind is not EntryKind.PUBLIC_API]
        if channel := self._unrouted(info, entries):
            return {
                position: _sent(info, parameter, channel)
                for position, parameter in enumerate(info.node.parameters)
                if position >= own
                and not (channel == "document" and parameter.name in _CONTEXTS)
                and from_outside(self._index, info.module, parameter, position)
            }
        entry = entries[0] if entries else None
        if entry is None or entry.path.startswith("(error") or all("(error" in each.path for each in entries):
            return {}  # the framework passes its own error, not a path part
        if entry.framework in _ASKED:
            return _asked(info, _ASKED[entry.framework], "body", self.scalars())
        if entry.framework == AGENT_TOOL and info.module.name.startswith("/"):
            return _asked(info, 0, "message")
        served = by_position(info, entries) if info.module.name.startswith("/") else None
        if served is not None:
            return served
        if entry.kind in (EntryKind.SCHEDULED, EntryKind.MAIN, EntryKind.LOADER) or is_own_task(entry):
            return {}
        if entry.framework == CHAT_BOT:
            return _ordered(self._index, info, entry)
        numbers = {name for each in entries for groups in _TYPED.findall(each.path) for name in groups if name}
        channel = _channel(entry)
        forms = (
            route_forms(entry.framework, [each.path for each in entries]) if channel == "path" and info.node.parameters else {}
        )
        return {
            position: external(REQUEST)
            if is_whole_request(parameter)
            else with_declared_fields(
                self._index,
                info.module,
                parameter,
                _sent(
                    info,
                    parameter,
                    channel,
                    forms.get(parameter.name, CLEAN) | pattern_form(parameter.default, parameter.annotation),
                ),
            )
            for position, parameter in enumerate(info.node.parameters)
            if position >= own
            and parameter.name not in numbers
            and not filled_by_the_program(parameter)
            and from_outside(self._index, info.module, _as_sent(entry, parameter), position)
            and not (channel == "argv" and parameter.annotation is not None and not named_types(parameter.annotation) & _TEXTS)
        }

    def scalars(self) -> frozenset[str]:
        """Scalar fields: a schema allows strings and numbers, and objects only with named fields."""
        imported = (name for module in self._index.modules.values() for name in module.imports.values() if "raph" in name)
        return CLEAN if any(map(_ANY_VALUE.search, imported)) else frozenset({PLAIN_TEXT})

    def _unrouted(self, info: FunctionInfo, entries: list[EntryPoint]) -> str:
        """The channel of values that templates print or that callers of a package pass; a route in a package counts as a
        route."""
        python = info.module.path.endswith(".py")
        if python and not entries and _prints(info.node):
            return "document"
        return CALLER if info.id in self.published and not (entries and python) else ""


def _prints(node: ir.Function) -> bool:
    """`@register.filter`, `@app.template_filter("name")`: templates call it with any printed value."""
    for decorator in node.decorators:
        callee = decorator.value.callee if isinstance(decorator.value, ir.Call) else decorator.value
        if isinstance(callee, ir.Attribute) and callee.name in _TEMPLATE_DECORATORS:
            return True
    return False


def hears_anybody(entry: EntryPoint) -> bool:
    """Return True if anyone can send messages to this bot handler, not only its owner."""
    return entry.framework == CHAT_BOT and entry.guard is not Guard.PRESENT


def _ordered(index: ProjectIndex, info: FunctionInfo, entry: EntryPoint) -> dict[int, Value]:
    """`async def say(ctx, *, text)`: the arguments of a chat command, after the message object."""
    if entry.method != "command" or not hears_anybody(entry):
        return {}
    first = 2 if info.owner is not None and not info.is_static else 1
    return {
        position: _sent(info, parameter, "message")
        for position, parameter in enumerate(info.node.parameters)
        if position >= first
        and named_types(parameter.annotation) <= {"str", ""}
        and from_outside(index, info.module, parameter, position)
    }


def _as_sent(entry: EntryPoint, parameter: ir.Parameter) -> ir.Parameter:
    """`def show(number: int)` under `/<number>`: Flask and Bottle convert only by the route, whatever the annotation."""
    types = named_types(parameter.annotation)
    told = entry.framework in _BY_ROUTE and f"<{parameter.name}>" in entry.path
    return replace(parameter, annotation=None) if told and types and types <= NUMBERS else parameter


def is_own_task(entry: EntryPoint) -> bool:
    """Return True for a task that the program itself queues; its arguments are followed from there."""
    return entry.kind is EntryKind.QUEUE and entry.method in _TASKS


def _channel(entry: EntryPoint) -> str:
    if entry.kind is EntryKind.HTTP:
        return "path"
    return "argv" if entry.kind is EntryKind.CLI else "message"


def _sends_html(node: ir.Function) -> bool:
    """`@app.get("/", response_class=HTMLResponse)`."""
    calls = [each.value for each in node.decorators if isinstance(each.value, ir.Call)]
    options = [option for each in calls for option in each.arguments if option.keyword == "response_class"]
    return any(last_name(option.value) == "HTMLResponse" for option in options)


def _gives_address(info: FunctionInfo) -> bool:
    """A Django view class's method that returns the redirect URL."""
    return info.node.name in ADDRESS_METHODS and info.owner is not None and any("View" in name for name in info.owner.outside())


def _is_resource(info: FunctionInfo) -> bool:
    """A method of a REST resource, whose result is serialized to JSON."""
    return info.owner is not None and any(name.startswith(REST) for name in info.owner.outside())


def sends_other(node: ir.Function) -> bool:
    """Return True if the handler sets a content type that browsers do not render as a page, and none that they do."""
    if any(
        last_name(each.value.callee if isinstance(each.value, ir.Call) else each.value) == "json_out" for each in node.decorators
    ):
        return True
    texts = [
        each.value.lower()
        for each, _ in zip(walk(*node.body), range(MAX_NODES), strict=False)
        if isinstance(each, ir.Const) and isinstance(each.value, str) and len(each.value) < 80
    ]
    return any(each.startswith(_TYPES) for each in texts) and not any("text/html" in each for each in texts)


def _asked(info: FunctionInfo, position: int, channel: str, form: frozenset[str] = CLEAN) -> dict[int, Value]:
    position += 1 if info.owner is not None and not info.is_static else 0
    parameters = info.node.parameters
    return {position: _sent(info, parameters[position], channel, form)} if position < len(parameters) else {}


def _sent(info: FunctionInfo, parameter: ir.Parameter, channel: str, form: frozenset[str] = CLEAN) -> Value:
    line = parameter.line
    origin = Source(channel, f"parameter {parameter.name}", parameter.name, info.module.path, line)
    who = "caller" if channel == CALLER else "sender"
    step = Step(StepKind.SOURCE, info.module.path, line, f"the {who} chooses {parameter.name}", None)
    return Value(taints=(Taint(origin, form | _nature(parameter, channel), step),))


def _nature(parameter: ir.Parameter, channel: str) -> frozenset[str]:
    """The labels that a parameter's type earns."""
    types = named_types(parameter.annotation)
    made = last_name(parameter.default.callee) if isinstance(parameter.default, ir.Call) else ""
    if channel == "path" and (types & _UPLOADS or made == "File"):
        return frozenset({CONTENT})
    return CLEAN if channel != "path" or types & _STRUCTURED else frozenset({PLAIN_TEXT})
