"""Which parameters of a handler a sender fills in, and what form its route leaves them.

Always holds: what a framework injects is not the sender's, also where the annotation is a name for `Annotated[…]`; a form is
told only where every route of the handler gives it. Does not belong here: which functions are handlers.
"""

import re
from collections.abc import Iterable

from counterproof.analysis.flow.hits import SEGMENT
from counterproof.analysis.flow.index import ProjectIndex
from counterproof.analysis.flow.patterns import leaves_only_words
from counterproof.analysis.flow.sources import is_request_name
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import dotted, last_name, walk

NUMBERS = vocabulary("int float bool UUID Decimal date datetime time UUID4 PositiveInt NonNegativeInt")
SERVICES = vocabulary("""Request Response Session AsyncSession BackgroundTasks WebSocket HTTPConnection SecurityScopes
    Connection Cursor Logger HttpRequest Settings Config Context RunContext ToolContext RunContextWrapper
    CallbackManagerForToolRun""")
INJECTED = vocabulary("Depends Security Provide inject")
_ENUMERATIONS = frozenset({"Enum", "StrEnum", "IntEnum"})
_OWN = frozenset({"self", "cls", "this"})
_ANSWERS = frozenset({"resp", "response", "res"})
"""Parameters in which a framework hands over the answer to be filled."""

_OF_FRAMEWORKS = frozenset(
    {"Request", "BaseRequest", "HttpRequest", "HTTPRequest", "HTTPServerRequest", "WSGIRequest", "ASGIRequest", "LocalRequest"}
)
"""Classes of requests that frameworks hand over."""

_MAX_ALIASES = 3
"""Names for names of an annotation that are followed."""

_DECODED = names("framework", "decodes-path")
"""Frameworks that match a route against the decoded path, so that `%2F` ends a part as `/` does."""

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
    """Whether a sender chooses what this parameter gets."""
    if (position == 0 and parameter.name in _OWN) or parameter.name in _ANSWERS:
        return False
    if is_request_name(parameter.name) and not _is_body(parameter.annotation):
        return False
    if isinstance(parameter.default, ir.Call) and last_name(parameter.default.callee) in INJECTED:
        return False
    kinds = named_types(parameter.annotation) | named_types(_behind(index, module, parameter.annotation))
    if "str" not in kinds and ("Literal" in kinds or is_enumeration(index, module, parameter.annotation)):
        return False  # one of a few that the program wrote down
    return not kinds & (NUMBERS | SERVICES | INJECTED)


def _is_body(annotation: ir.Expr | None) -> bool:
    """`request: RenameRequest`: what was sent, made an object by the framework, and not the framework's own request."""
    name = last_name(annotation) if isinstance(annotation, ir.Name | ir.Attribute) else ""
    return name.endswith("Request") and name not in _OF_FRAMEWORKS


def is_enumeration(index: ProjectIndex, module: ir.Module, annotation: ir.Expr | None) -> bool:
    name = dotted(annotation, module) if isinstance(annotation, ir.Name | ir.Attribute) else None
    found = index.class_named(name, module) if name else None
    return found is not None and any(base.rpartition(".")[2] in _ENUMERATIONS for base in found.outside())


def pattern_form(default: ir.Expr | None, annotation: ir.Expr | None) -> frozenset[str]:
    """`Annotated[str, Query(pattern="^[a-z]+$")]`: what the framework lets through at all."""
    parts = [each for each in (default, annotation) if each is not None]
    for node in walk(*parts):
        for option in node.arguments if isinstance(node, ir.Call) else ():
            if option.keyword in ("pattern", "regex") and isinstance(option.value, ir.Const):
                pattern = option.value.value
                if isinstance(pattern, str) and leaves_only_words(pattern, anchored=False):
                    return frozenset({"safe pattern"})
    return frozenset()


def _behind(index: ProjectIndex, module: ir.Module, annotation: ir.Expr | None) -> ir.Expr | None:
    """`DbSession = Annotated[Session, Depends(get_db)]`: what a name used as an annotation was given, here or elsewhere."""
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
    """Names in an annotation, as far as they stand on top or in one level of brackets."""
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
    """What the routes of a handler leave of each parameter: one part of a path, or only word characters."""
    if not framework.lower().startswith(_DECODED):
        return {}
    forms: dict[str, frozenset[str]] = {}
    for path in paths:
        for found in _PLACE.finditer(path):
            name, form = _form(found)
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
    """`[^/]`, `[\\w.-]`, `\\w`: a class of characters that leaves `/` out."""
    inner = characters.strip("[]")
    if inner.startswith("^"):
        return "/" in inner and "\\W" not in inner
    return "/" not in inner and not re.search(r"\\[WDS]|[!-.]-[0-~]", inner)
