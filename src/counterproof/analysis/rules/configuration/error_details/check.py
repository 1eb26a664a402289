"""The check of `error-details`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.web import is_web_code
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.responses import filled_with
from counterproof.analysis.program.traversal import calls_in, children
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name, walk
from counterproof.model.severity import Confidence

_FOR_CLIENTS = vocabulary("validation schema form http client bad request notfound invalid marshmallow problem api user")
_ANSWERS = vocabulary(
    "write send_error finish jsonify Response HttpResponse JsonResponse HTMLResponse PlainTextResponse JSONResponse "
    "make_response abort HTTPException render_template render_template_string render flash add_message json_response"
)
_TEXTS = ("str", "repr", "format", "dumps", "encode", "join")
_TRACES = names("code", "traceback")
_LOGGING = vocabulary("log logger logging print warning exception debug info stdout stderr console")
_OPAQUE = frozenset({"args", "message", "msg", "strerror", "orig", "reason", "format", "encode"})
"""Fields of an exception that contain its internal message; other fields are made for responses."""


def check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    told: set[int] = set()
    for site in outline.of(ir.Handler):
        if not site.node.name or site.function is None or not is_web_code(outline, site.function):
            continue
        leak = _leak(site.function, site.node)
        if leak is None:
            yield good(site, "error text", "stays on the server")
        elif _is_meant(codebase, outline, site.node.kind):
            yield good(Site(leak, site.function, site.owner), "error text", "the exception is meant for the client")
        elif id(leak) not in told:
            told.add(id(leak))
            yield bad(Site(leak, site.function, site.owner), "error text", "sent to the client", Confidence.MEDIUM)
    for returned in outline.of(ir.Return):
        value = returned.node.value
        traced = value is not None and {outline.dotted(call.callee) for call in calls_in(value)} & {*_TRACES}
        if traced and returned.function and is_web_code(outline, returned.function):
            yield bad(returned, "traceback", "sent to the client")


def _is_meant(codebase: Codebase, outline: Outline, kind: ir.Expr | None) -> bool:
    """Return True for an exception of the project, whose message the project wrote. A library's shows internal details."""
    if kind is None:
        return False
    parts = kind.items if isinstance(kind, ir.Sequence) else (kind,)
    found = [codebase.meaning(outline, each) for each in parts]
    own = bool(found) and all(each is not None and isinstance(each.node, ir.Class) for each in found)
    return own or bool(words_in(kind) & _FOR_CLIENTS)


def _leak(function: ir.Function, handler: ir.Handler) -> ir.Node | None:
    """The statement that returns the exception's message, inside the handler or after it."""
    carriers = {handler.name}
    ends = next((number for number, each in enumerate(handler.body) if isinstance(each, ir.Raise | ir.Return)), len(handler.body))
    found = _answer(handler.body[: ends + 1], carriers)
    carriers.discard(handler.name)
    if found is not None or not carriers:
        return found
    return next((node for node in walk(*function.body) if node.line > handler.end and _answers(node, carriers)), None)


def _answer(body: tuple[ir.Node, ...], carriers: set[str]) -> ir.Node | None:
    """The first statement that returns an error's message; adds the variables that hold it to `carriers`."""
    for node in walk(*body):
        if isinstance(node, ir.Assign) and node.value is not None and _mentions(node.value, carriers):
            carriers.update(target.id for target in node.targets if isinstance(target, ir.Name))
        elif isinstance(node, ir.Augment) and isinstance(node.target, ir.Name) and _mentions(node.value, carriers):
            carriers.add(node.target.id)
        if _answers(node, carriers):
            return node
    return None


def _answers(node: ir.Node, carriers: set[str]) -> bool:
    if isinstance(node, ir.Return):
        return node.value is not None and _mentions(node.value, carriers) and not _is_handed_on(node.value)
    if isinstance(node, ir.Call) and _is_answer(node):
        return any(_mentions(each.value, carriers) for each in node.arguments)
    return any(_mentions(each, carriers) for each in filled_with(node))


def _is_handed_on(value: ir.Expr) -> bool:
    """`return handle(error)` passes the exception on; the other function's use of it is unknown here."""
    call = value.value if isinstance(value, ir.Await) else value
    return isinstance(call, ir.Call) and not _is_answer(call) and last_name(call.callee) not in _TEXTS


def _is_answer(call: ir.Call) -> bool:
    logged = isinstance(call.callee, ir.Attribute) and bool(set(words(last_name(call.callee.value))) & _LOGGING)
    return last_name(call.callee) in _ANSWERS and not logged


def _mentions(value: ir.Node, carriers: set[str]) -> bool:
    """Return True if the message itself is used. `error.errors()` and similar methods are made for responses."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Name) and node.id in carriers:
            return True
        structured = isinstance(node, ir.Attribute) and isinstance(node.value, ir.Name) and node.name not in _OPAQUE
        if not structured:
            pending.extend(children(node))
    return False
