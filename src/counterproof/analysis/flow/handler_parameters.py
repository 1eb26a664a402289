"""The values of a handler's parameters: which a sender fills in, which form the route enforces, and which are the request and
response that a JavaScript web framework passes.

Invariant: values that a framework injects are not the sender's, also if the annotation is an alias of `Annotated[…]`; a form
counts only if every route of the handler enforces it; request and response are recognised by position, as the framework
documents, whatever their names. Not handled here: which functions are handlers.
"""

import re
from collections.abc import Iterable

from counterproof.analysis.flow.hits import RELATIVE, SEGMENT
from counterproof.analysis.flow.index import FunctionInfo, ProjectIndex
from counterproof.analysis.flow.patterns import leaves_only_words
from counterproof.analysis.flow.sources import REQUEST, is_request_name
from counterproof.analysis.flow.values import INTERNAL, Value, external
from counterproof.analysis.libraries import names
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, last_name, walk
from counterproof.model.recon import EntryKind, EntryPoint

NUMBERS = vocabulary("int float bool UUID Decimal date datetime time UUID4 PositiveInt NonNegativeInt")
SERVICES = vocabulary("""Request Response Session AsyncSession BackgroundTasks WebSocket HTTPConnection SecurityScopes
    Connection Cursor Logger HttpRequest Settings Config Context RunContext ToolContext RunContextWrapper
    CallbackManagerForToolRun""")
INJECTED = vocabulary("Depends Security Provide inject")
_ENUMERATIONS = frozenset({"Enum", "StrEnum", "IntEnum"})
_OWN = frozenset({"self", "cls", "this"})
_ANSWERS = frozenset({"resp", "response", "res"})
"""Names of parameters that receive the response object."""

_OF_FRAMEWORKS = frozenset(
    {"Request", "BaseRequest", "HttpRequest", "HTTPRequest", "HTTPServerRequest", "WSGIRequest", "ASGIRequest", "LocalRequest"}
)
"""Request classes of frameworks."""

_MAX_ALIASES = 3
"""Limit on nested annotation aliases that are followed."""

_DECODED = names("framework", "decodes-path")
"""Frameworks that match a route against the decoded path, where `%2F` separates parts like `/`."""
_MERGING = names("framework", "merges-slashes")

_PLACE = re.compile(
    r"(?<!\?P)<(?:(\w{1,40})(?:\([^()<>]{0,200}\))?:)?\s{0,4}(\w{1,80})>"
    r"|\{(\w{1,80})(?::(\w{1,40}))?\}"
    r"|\(\?P<(\w{1,80})>(\\w|\[(?:\\.|[^\]\\]){1,80}\])(?:[+*]\??|\{\d{0,4},?\d{0,4}\})\)"
)
"""`<name>` and `<string:name>`, `{name}` and `{name:str}`, `(?P<name>[^/]+)`."""

_ONE_PART = frozenset({"", "string", "str", "slug", "any", "default"})
_WORDS = frozenset({"slug"})
WORD_CHARACTERS = "word characters"


def from_outside(index: ProjectIndex, module: ir.Module, parameter: ir.Parameter, position: int) -> bool:
    """Return True if a sender controls the value of this parameter."""
    if (position == 0 and parameter.name in _OWN) or parameter.name in _ANSWERS:
        return False
    if is_request_name(parameter.name) and not _is_body(parameter.annotation):
        return False
    if isinstance(parameter.default, ir.Call) and last_name(parameter.default.callee) in INJECTED:
        return False
    kinds = named_types(parameter.annotation) | named_types(_behind(index, module, parameter.annotation))
    if "str" not in kinds and ("Literal" in kinds or is_enumeration(index, module, parameter.annotation)):
        return False  # an enum defined by the program
    return not kinds & (NUMBERS | SERVICES | INJECTED)


def _is_body(annotation: ir.Expr | None) -> bool:
    """`request: RenameRequest`: the request body as an object of the project, not the framework's own request."""
    name = last_name(annotation) if isinstance(annotation, ir.Name | ir.Attribute) else ""
    return name.endswith("Request") and name not in _OF_FRAMEWORKS


def is_enumeration(index: ProjectIndex, module: ir.Module, annotation: ir.Expr | None) -> bool:
    name = dotted(annotation, module) if isinstance(annotation, ir.Name | ir.Attribute) else None
    found = index.class_named(name, module) if name else None
    return found is not None and any(base.rpartition(".")[2] in _ENUMERATIONS for base in found.outside())


def pattern_form(default: ir.Expr | None, annotation: ir.Expr | None) -> frozenset[str]:
    """`Annotated[str, Query(pattern="^[a-z]+$")]`: the labels that the framework's validation earns."""
    parts = [each for each in (default, annotation) if each is not None]
    for node in walk(*parts):
        for option in node.arguments if isinstance(node, ir.Call) else ():
            if option.keyword in ("pattern", "regex") and isinstance(option.value, ir.Const):
                pattern = option.value.value
                if isinstance(pattern, str) and leaves_only_words(pattern, anchored=False):
                    return frozenset({"safe pattern"})
    return frozenset()


def _behind(index: ProjectIndex, module: ir.Module, annotation: ir.Expr | None) -> ir.Expr | None:
    """`DbSession = Annotated[Session, Depends(get_db)]`: the definition of an annotation alias, in this file or elsewhere."""
    for _ in range(_MAX_ALIASES):
        name = dotted(annotation, module) if isinstance(annotation, ir.Name | ir.Attribute) else None
        if not name:
            return annotation
        home, rest = (module, name) if "." not in name else _home(index, module, name)
        given = next((each.value for each in home.body if isinstance(each, ir.Assign) and _gives(each, rest)), None)
        if given is None:
            imported = home.imports.get(rest)
            given = ir.Name(0, 0, rest) if imported and home is not module else None
        if given is None:
            return None
        module, annotation = home, given
    return annotation


def _home(index: ProjectIndex, module: ir.Module, name: str) -> tuple[ir.Module, str]:
    found = index.split(name, module)
    return (found[0], found[1][0]) if found and len(found[1]) == 1 else (module, "")


def _gives(each: ir.Assign, name: str) -> bool:
    return any(isinstance(target, ir.Name) and target.id == name for target in each.targets)


def named_types(annotation: ir.Expr | None) -> set[str]:
    """Names in an annotation, at the top or inside one level of brackets."""
    names: set[str] = set()
    pending = [annotation] if annotation else []
    for _ in range(12):
        if not pending:
            break
        current = pending.pop()
        names.add(last_name(current))
        if isinstance(current, ir.Index):
            pending += [current.value, current.key]
        elif isinstance(current, ir.Sequence):
            pending += current.items
        elif isinstance(current, ir.Binary):
            pending += current.operands
        elif isinstance(current, ir.Call):
            pending.append(current.callee)
    return names


def route_forms(framework: str, paths: Iterable[str]) -> dict[str, frozenset[str]]:
    """The form that a handler's routes enforce for each parameter: one part of a path, or only word characters."""
    if not framework.lower().startswith(_DECODED):
        return {}
    forms: dict[str, frozenset[str]] = {}
    for path in paths:
        for found in _PLACE.finditer(path):
            name, form = _form(found)
            form |= {RELATIVE} if framework.lower().startswith(_MERGING) else set[str]()
            forms[name] = forms.get(name, form) & form
    return {name: form for name, form in forms.items() if form}


def _form(found: re.Match[str]) -> tuple[str, frozenset[str]]:
    converter, name, plain, typed, group, characters = found.groups()
    if group:
        return group, frozenset({SEGMENT}) if _without_slash(characters) else frozenset()
    kind = (converter or typed or "").lower()
    if kind in _WORDS:
        return name or plain, frozenset({SEGMENT, WORD_CHARACTERS})
    return name or plain, frozenset({SEGMENT}) if kind in _ONE_PART else frozenset()


def _without_slash(characters: str) -> bool:
    """`[^/]`, `[\\w.-]`, `\\w`: a character class without `/`."""
    inner = characters.strip("[]")
    if inner.startswith("^"):
        return "/" in inner and "\\W" not in inner
    return "/" not in inner and not re.search(r"\\[WDS]|[!-.]-[0-~]", inner)


RESPONSE = "http.ServerResponse()"
SINGLE_VALUES = frozenset({"NestJS", "Next.js", "SvelteKit", "GraphQL"})
_CALLERS = vocabulary("user account auth session principal claims jwt identity tenant actor profile member")
_SENT = vocabulary(
    "body query param params header headers cookie cookies file files uploaded upload arg args payload message req request ip "
    "host raw data field fields input dto form part multipart filter filters page pagination sort search"
)
"""Name words of decorators that inject a part of the request. A project's other decorators inject values set on the request
earlier.
"""
KOA = "koa.Context()"
REPLY = "fastify.FastifyReply()"
"""Sends strings as plain text and objects as JSON by default."""


def filled_by_the_program(parameter: ir.Parameter) -> bool:
    """`@CurrentUser("id") id`, `@GetSpace() space`: decorators that inject values determined by the program, not by a sender."""
    said = frozenset(words(parameter.decorator))
    return bool(said & _CALLERS) or bool(said and not said & _SENT)


def is_whole_request(parameter: ir.Parameter) -> bool:
    """`@Req() req`."""
    return parameter.decorator in ("Req", "Request")


def handed(framework: str, parameters: int) -> list[Value]:
    """The arguments of a handler with this many parameters."""
    alone = {"Koa": KOA, "Hono": "hono.Context()", "Hapi": REQUEST}.get(framework)
    if alone is not None:
        return [external(alone), INTERNAL]
    if framework == "Fastify":
        return [external(REQUEST), external(REPLY), INTERNAL]
    pair = [external(REQUEST), external(RESPONSE), INTERNAL]
    return [INTERNAL, *pair] if parameters == 4 else pair


def by_position(info: FunctionInfo, entries: list[EntryPoint]) -> dict[int, Value] | None:
    """The arguments of a handler of one of these frameworks; None for other functions."""
    first = next((each for each in entries if each.kind is EntryKind.HTTP), None)
    if first is None or not info.module.name.startswith("/") or first.framework in SINGLE_VALUES or _is_inner(info):
        return None
    own = 1 if info.owner is not None and not info.is_static else 0
    given = handed(first.framework, len(info.node.parameters) - own)
    return {position + own: value for position, value in enumerate(given) if position + own < len(info.node.parameters)}


def _is_inner(info: FunctionInfo) -> bool:
    """Return True for a nested function that starts on the same line as its enclosing handler."""
    around, line = info.node.within, info.node.line
    return bool(around) and any(each.qualified == around and each.line == line for each in info.module.functions)


def known_by_route(info: FunctionInfo, entries: list[EntryPoint]) -> dict[int, str]:
    """The kinds of a handler's parameters by position, whatever their names; empty for a single parameter, which may be
    anything."""
    given = by_position(info, entries) if len(info.node.parameters) > 1 else None
    return {position: value.path for position, value in (given or {}).items() if value.path}
