"""Which functions the outside calls, and which of their parameters it fills in.

Invariant: what reconnaissance found counts; without it, a function whose decorator binds it to a route is a handler too. Not
handled here: finding entry points for the report.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from counterproof.analysis.flow.declared_fields import Forms, tool_forms, with_declared_fields
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
from counterproof.analysis.flow.values import CALLER, CLEAN, Source, Step, StepKind, Taint, Value, external
from counterproof.analysis.kept import kept
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.recon import EntryKind, EntryPoint, Guard

_ROUTE_METHODS = vocabulary("route get post put delete patch websocket api_route head options view")
_TYPED = re.compile(
    r"<(?:int|float|\w{0,20}uuid\w{0,20}|number|double):\s*(\w+)|\{(\w+):(?:int|float|uuid)\}"
    r"|\(\?P<(\w{1,80})>(?-i:\\d|\[0-9\])(?:[+*?]|\{\d{0,4},?\d{0,4}\})?\)",
    re.IGNORECASE,
)
"""Placeholders that only take a number: `<int:pk>`, `{id:int}`, `(?P<pk>[0-9]+)`."""
_TEXTS = vocabulary("str bytes Path list tuple List Sequence Optional")
_STRUCTURED = vocabulary("dict Dict Any object Mapping Body JSON list List")
_UPLOADS = vocabulary("File UploadFile FileStorage UploadedFile InMemoryUploadedFile TemporaryUploadedFile")
_TYPES = ("application/json", "text/plain", "text/csv", "application/xml", "text/xml", "application/octet-stream", "image/")
REST = names("framework", "json-resource")
ADDRESS_METHODS = frozenset({"get_redirect_url", "get_success_url"})
MAX_NODES = 5_000
MAX_ROUTE_LINES = 60
"""Lines of one call that are searched for the routes that it registers."""


_TASKS = vocabulary("task shared_task actor job")
"""Decorators that make a function a task of the program's own."""

_TEMPLATE_DECORATORS = vocabulary("filter simple_tag template_filter template_global app_template_filter app_template_global")
_CONTEXTS = vocabulary("context ctx eval_ctx environment env request")
"""Parameters in which a template engine hands over itself."""

CHAT_BOT = "Chat bot"
"""The framework of entry points that a chat leads to."""

_BY_ROUTE = names("framework", "converts-by-route")
_FRAMEWORKS = (*names("framework", "page-from-return"), *names("framework", "decodes-path"))
"""Frameworks that hand on what stands in the address as it is, unless the route itself converts it."""
_ASKED = {"GraphQL": 1, "GraphQL root": 0}
"""Where resolvers get the arguments of a query; what else they are given is the program's own."""
_ANY_VALUE = re.compile(r"graphql-type-json|graphql-scalars|JSON", re.IGNORECASE)
"""Imports of a type that lets an argument be any value."""
AGENT_TOOL = "Agent tool"
"""The framework of functions that a language model calls. In JavaScript all arguments come as the first."""


class Handlers:
    """Entry points by the function that handles them."""

    def __init__(self, entry_points: Iterable[EntryPoint], index: ProjectIndex) -> None:
        self._index = index
        self._by_name: dict[tuple[str, str], list[EntryPoint]] = {}
        self._by_line: dict[tuple[str, int], list[EntryPoint]] = {}
        self._routed: dict[int, list[EntryPoint]] = {}
        self.typed: dict[int, dict[int, str]] = {}
        """What servers and routers were seen to hand to functions, by position."""
        self.published: set[int] = set()
        """Functions of a package that whoever installs it may call with what they like."""
        for entry in entry_points:
            self._by_name.setdefault((entry.handler.path, entry.name), []).append(entry)
            self._by_line.setdefault((entry.handler.path, entry.handler.start), []).append(entry)

    def entries(self, info: FunctionInfo) -> list[EntryPoint]:
        found = self._by_line.get((info.module.path, info.node.line))
        if not found:  # a function of the same name further down is another one
            found = [each for each in self._by_name.get(info.key, ()) if each.handler.start <= info.node.end]
        return found or self._routed.get(info.id) or []

    def route(self, path: str, first: int, last: int) -> list[EntryPoint]:
        """The routes that a call on these lines registers."""
        lines = range(first, min(last, first + MAX_ROUTE_LINES) + 1)
        return [each for line in lines for each in self._by_line.get((path, line), ()) if each.kind is EntryKind.HTTP]

    def serve(self, info: FunctionInfo, entries: list[EntryPoint]) -> None:
        """Remember which function a route turned out to call."""
        if entries and not self.entries(info):
            self._routed[info.id] = entries

    @kept
    def framework(self, info: FunctionInfo) -> str:
        """The web framework that calls this function and sends what it returns; '' if none does."""
        if _sends_html(info.node):
            return "html"
        if _gives_address(info):
            return "address"
        entry = next((each for each in self.entries(info) if each.kind is EntryKind.HTTP), None)
        if entry is None and not _routed(info.node):
            return ""  # asked before the body is read, because it is true of nearly every function
        if sends_other(info.node) or _is_resource(info):
            return ""
        if entry is not None:
            return entry.framework.lower()
        return _imported_framework(info)

    @kept
    def has_fixed_path(self, info: FunctionInfo) -> bool:
        """Whether all routes of a handler are plain text, so that the sender cannot choose the path."""
        paths = [entry.path for entry in self.entries(info) if entry.kind is EntryKind.HTTP] or _decorated_paths(info.node)
        return bool(paths) and not any(set(path) & set("<{*(:^$\\") for path in paths)

    def arguments(self, info: FunctionInfo) -> dict[int, Value]:
        """What the outside passes, by parameter index; empty for a function it does not call."""
        own = 1 if info.owner is not None and not info.is_static else 0  # what a method is called on is no argument
        entries = [entry for entry in self.entries(info) if entry.kind is not EntryKind.PUBLIC_API]
        if channel := self._unrouted(info, entries):
            return {
                position: _sent(info, parameter, channel)
                for position, parameter in enumerate(info.node.parameters)
                if position >= own
                and not (channel == "document" and parameter.name in _CONTEXTS)
                and from_outside(self._index, info.module, parameter, position)
            }
        if not entries and not _routed(info.node):
            return {}
        if entries and all("(error" in each.path for each in entries):
            return {}  # the framework hands over what went wrong, in its own words
        if entries and entries[0].framework in _ASKED:
            return _asked(info, _ASKED[entries[0].framework], "body", self.scalars())
        if entries and entries[0].framework == AGENT_TOOL and info.module.name.startswith("/"):
            return {position: self._limited(info, value) for position, value in _asked(info, 0, "message").items()}
        served = by_position(info, entries) if info.module.name.startswith("/") else None
        if served is not None:
            return served
        entry = entries[0] if entries else None
        if entry is not None and entry.path.startswith("(error"):
            return {}  # it is given the error, not a part of a path
        if entry is not None and (entry.kind in (EntryKind.SCHEDULED, EntryKind.MAIN, EntryKind.LOADER) or is_own_task(entry)):
            return {}
        if entry is not None and entry.framework == CHAT_BOT:
            return _ordered(self._index, info, entry)
        numbers = {name for each in entries for groups in _TYPED.findall(each.path) for name in groups if name}
        channel = _channel(entry)
        forms = self._forms(info, entries) if channel == "path" and info.node.parameters else {}
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

    def _limited(self, info: FunctionInfo, value: Value) -> Value:
        """The fields that a tool gets, as far as its schema leaves less than any text of them."""
        forms = self._tools(info.module).get(info.node.name, {})
        fields = {name: tuple(each._replace(passed=each.passed | form) for each in value.taints) for name, form in forms.items()}
        return replace(value, entries={name: Value(taints=taints) for name, taints in fields.items()}) if fields else value

    @kept
    def _tools(self, module: ir.Module) -> dict[str, Forms]:
        return tool_forms(module)

    def scalars(self) -> frozenset[str]:
        """A schema lets fields be texts and numbers, and an object only where it names its fields."""
        imported = (name for module in self._index.modules.values() for name in module.imports.values() if "raph" in name)
        return CLEAN if any(map(_ANY_VALUE.search, imported)) else frozenset({PLAIN_TEXT})

    def _unrouted(self, info: FunctionInfo, entries: list[EntryPoint]) -> str:
        """The channel of what templates print, or callers of a package pass; a route of a Python package is a route first."""
        python = info.module.path.endswith(".py")
        if python and not entries and _prints(info.node):
            return "document"
        return CALLER if info.id in self.published and not (entries and python) else ""

    def _forms(self, info: FunctionInfo, entries: list[EntryPoint]) -> dict[str, frozenset[str]]:
        """What the routes leave of the parameters that are parts of their paths."""
        if entries:
            return route_forms(entries[0].framework, [each.path for each in entries])
        return route_forms(_imported_framework(info), _decorated_paths(info.node))


def _prints(node: ir.Function) -> bool:
    """`@register.filter`, `@app.template_filter("name")`: templates call it with whatever they print."""
    for decorator in node.decorators:
        callee = decorator.value.callee if isinstance(decorator.value, ir.Call) else decorator.value
        if isinstance(callee, ir.Attribute) and callee.name in _TEMPLATE_DECORATORS:
            return True
    return False


def hears_anybody(entry: EntryPoint) -> bool:
    """Whether a bot hands messages of everybody to this handler; one for its owner alone is their own affair."""
    return entry.framework == CHAT_BOT and entry.guard is not Guard.PRESENT


def _ordered(index: ProjectIndex, info: FunctionInfo, entry: EntryPoint) -> dict[int, Value]:
    """`async def say(ctx, *, text)`: what stands behind a command in a chat, after the message itself."""
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


def _as_sent(entry: EntryPoint | None, parameter: ir.Parameter) -> ir.Parameter:
    """`def show(number: int)` under `/<number>`: Flask and Bottle convert by the route alone, whatever the annotation says."""
    types = named_types(parameter.annotation)
    told = entry is not None and entry.framework in _BY_ROUTE and f"<{parameter.name}>" in entry.path
    return replace(parameter, annotation=None) if told and types and types <= NUMBERS else parameter


def is_own_task(entry: EntryPoint) -> bool:
    """Work that the program itself puts on a queue; what it passes on is followed from there."""
    return entry.kind is EntryKind.QUEUE and entry.method in _TASKS


def _imported_framework(info: FunctionInfo) -> str:
    roots = {name.split(".", 1)[0] for name in info.module.imports.values()}
    return next((name for name in _FRAMEWORKS if name in roots), "")


def _channel(entry: EntryPoint | None) -> str:
    if entry is None or entry.kind is EntryKind.HTTP:
        return "path"
    return "argv" if entry.kind is EntryKind.CLI else "message"


def _routed(node: ir.Function) -> bool:
    """A decorator such as `@app.route("/x")` or `@router.get("/x")`."""
    for decorator in node.decorators:
        value = decorator.value
        if isinstance(value, ir.Call) and isinstance(value.callee, ir.Attribute) and value.callee.name in _ROUTE_METHODS:
            first = value.arguments[0].value if value.arguments else None
            if first is not None and _is_route(first):
                return True
            if value.callee.name == "route":
                return True
    return False


def _is_route(text: ir.Expr) -> bool:
    """A path, or one that is put together: `PREFIX + "/users"`."""
    if isinstance(text, ir.Const):
        return isinstance(text.value, str) and text.value[:1] in ("/", "<", "")
    parts = text.parts if isinstance(text, ir.Format | ir.Concat) else ()
    return any(isinstance(each, ir.Const) and isinstance(each.value, str) and each.value[:1] == "/" for each in walk(*parts))


def _sends_html(node: ir.Function) -> bool:
    """`@app.get("/", response_class=HTMLResponse)`."""
    calls = [each.value for each in node.decorators if isinstance(each.value, ir.Call)]
    options = [option for each in calls for option in each.arguments if option.keyword == "response_class"]
    return any(last_name(option.value) == "HTMLResponse" for option in options)


def _gives_address(info: FunctionInfo) -> bool:
    """A method by which a view class of Django says where to go next."""
    return info.node.name in ADDRESS_METHODS and info.owner is not None and any("View" in name for name in info.owner.outside())


def _is_resource(info: FunctionInfo) -> bool:
    """A method of a REST resource, whose answer is turned into JSON."""
    return info.owner is not None and any(name.startswith(REST) for name in info.owner.outside())


def sends_other(node: ir.Function) -> bool:
    """Whether the handler names a content type that no browser shows as a page, and none that it does."""
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


def _decorated_paths(node: ir.Function) -> list[str]:
    calls = [each.value for each in node.decorators if isinstance(each.value, ir.Call)]
    routes = [each for each in calls if isinstance(each.callee, ir.Attribute) and each.callee.name in _ROUTE_METHODS]
    first = [each.arguments[0].value for each in routes if each.arguments]
    return [each.value for each in first if isinstance(each, ir.Const) and isinstance(each.value, str)]


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
    """What is known of a parameter by its type."""
    types = named_types(parameter.annotation)
    made = last_name(parameter.default.callee) if isinstance(parameter.default, ir.Call) else ""
    if channel == "path" and (types & _UPLOADS or made == "File"):
        return frozenset({CONTENT})
    return CLEAN if channel != "path" or types & _STRUCTURED else frozenset({PLAIN_TEXT})
