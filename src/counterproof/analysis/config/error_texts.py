"""Follows the text of an exception through its function to an answer."""

from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.responses import filled_with
from counterproof.analysis.program.traversal import children
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import (
    Assign,
    Attribute,
    Augment,
    Await,
    Call,
    Concat,
    Conditional,
    Const,
    Format,
    Function,
    Handler,
    If,
    Index,
    Name,
    Node,
    Not,
    Raise,
    Return,
)
from counterproof.analysis.syntax.walk import last_name, walk

_ANSWERS = vocabulary(
    "write send_error finish jsonify Response HttpResponse JsonResponse HTMLResponse PlainTextResponse JSONResponse "
    "make_response abort HTTPException render_template render_template_string render flash add_message json_response"
)
_OF_SANIC = ("json", "text", "html")
_HTTP_ERRORS = ("BadRequest", "NotFound", "Conflict", "InternalServerError", "ServerError", "SanicException", "InvalidUsage")
"""Errors that frameworks answer with, and whose text they show."""
_NOTES = ("error", "warning", "info", "success")
TRACES = names("code", "traceback")
_REGISTERED = ("errorhandler", "app_errorhandler", "exception_handler", "error_handler", "exception")
_STAFF = vocabulary("superuser staff admin administrator debug")
_LOGGING = vocabulary("log logger logging print warning exception debug info stdout stderr console")


def leaks_in(function: Function, handler: Handler) -> Node | None:
    """The statement that answers with the exception's text, or None."""
    carriers = {handler.name}
    ends = next((number for number, each in enumerate(handler.body) if isinstance(each, Raise | Return)), len(handler.body))
    inside = list(walk(*handler.body[: ends + 1]))
    for node in inside:
        _carry(node, carriers)
        if _answers(node, carriers):
            return node
    carriers.discard(handler.name)
    if not carriers:
        return None
    return next((node for node in walk(*function.body) if node.line > handler.end and _answers(node, carriers)), None)


def for_staff(function: Function) -> frozenset[int]:
    """What runs only for those who keep the site, or while it is being developed; nodes by their id."""
    arms = (branch for node in walk(*function.body) if isinstance(node, If) for branch in node.branches)
    kept = (each for each in arms if not isinstance(each.test, Not) and words_in(each.test) & _STAFF)
    return frozenset(id(node) for each in kept for node in walk(*each.body))


def trace_in(outline: Outline, function: Function) -> Node | None:
    """The statement that answers with a stack trace, however the error was caught."""
    carriers: set[str] = set()
    staff: frozenset[int] | None = None
    begun = 0
    for node in walk(*function.body):
        if isinstance(node, Assign) and node.value is not None and _is_trace(outline, node.value):
            staff = for_staff(function) if staff is None else staff
            if id(node) in staff:
                continue
            carriers.update(name for target in node.targets if (name := _root(target)))
            begun = begun or node.line
    if not carriers:
        return None
    return next((node for node in walk(*function.body) if node.line > begun and _answers(node, carriers)), None)


def _is_trace(outline: Outline, value: Node) -> bool:
    return any(isinstance(node, Call) and outline.dotted(node.callee) in TRACES for node in walk(value))


def _root(target: Node) -> str:
    """The variable that an assignment changes: `answer` in `answer["errors"]["trace"] = …`."""
    while isinstance(target, Index | Attribute):
        target = target.value
    return target.id if isinstance(target, Name) and target.id != "self" else ""


def caught_by(outline: Outline, function: Function) -> str:
    """The parameter that holds any error at all, where a function is registered to answer for errors; else ''."""
    for decorator in function.decorators:
        call = decorator.value
        if not isinstance(call, Call) or not call.arguments or not function.parameters:
            continue
        name = outline.dotted(call.callee).rpartition(".")[2]
        kind = call.arguments[0].value
        everything = (isinstance(kind, Const) and kind.value == 500) or outline.dotted(kind) in ("Exception", "BaseException")
        if name in _REGISTERED and everything:
            return function.parameters[-1].name
    return ""


def answer_with(function: Function, name: str) -> Node | None:
    """The statement that answers with the text of an error that a parameter holds."""
    carriers = {name}
    for node in walk(*function.body):
        _carry(node, carriers)
        if _answers(node, carriers) and _as_text(node, carriers):
            return node
    return None


def _as_text(node: Node, carriers: set[str]) -> bool:
    """Whether the error is turned into a text, not merely handed on."""
    for each in walk(node):
        if isinstance(each, Call) and _is_text(each) and _mentions(each, carriers):
            return True
        if isinstance(each, Attribute) and each.name in _OPAQUE and _mentions(each, carriers):
            return True
        if isinstance(each, Concat | Format) and any(isinstance(part, Name) and part.id in carriers for part in walk(each)):
            return True
    return False


def _carry(node: Node, carriers: set[str]) -> None:
    """Names that take the text over."""
    if isinstance(node, Assign) and node.value is not None and _mentions(node.value, carriers):
        carriers.update(target.id for target in node.targets if isinstance(target, Name))
    elif isinstance(node, Augment) and isinstance(node.target, Name) and _mentions(node.value, carriers):
        carriers.add(node.target.id)


def _answers(node: Node, carriers: set[str]) -> bool:
    if isinstance(node, Return):
        return node.value is not None and _mentions(node.value, carriers) and not _is_fixed(node.value)
    if isinstance(node, Raise):
        raised = node.value if isinstance(node.value, Call) else None
        return raised is not None and (_is_answer(raised) or _is_http_error(raised)) and _mentions(raised, carriers)
    if any(_mentions(value, carriers) for value in filled_with(node)):
        return True
    return isinstance(node, Call) and _is_answer(node) and _mentions(node, carriers)


def _is_answer(call: Call) -> bool:
    callee = call.callee
    name = last_name(callee)
    if name in _NOTES:  # `messages.error(request, text)` shows the text on the next page
        return isinstance(callee, Attribute) and isinstance(callee.value, Name) and callee.value.id == "messages"
    if name in _OF_SANIC:
        owner = callee.value if isinstance(callee, Attribute) else None
        return owner is None or (isinstance(owner, Name) and owner.id == "response")
    return name in _ANSWERS and not (isinstance(callee, Attribute) and _is_logger(callee.value))


def _is_http_error(call: Call) -> bool:
    """`falcon.HTTPBadRequest(title=str(error))`, `web.HTTPConflict(text=str(error))`, `exceptions.BadRequest(str(error))`.

    What Tornado's `HTTPError` is told goes to the log.
    """
    name = last_name(call.callee)
    return name in _HTTP_ERRORS or (name.startswith("HTTP") and name[4:5].isupper() and name != "HTTPError")


def _is_logger(value: Node) -> bool:
    """A log, or the terminal of whoever started the program."""
    name = last_name(value)
    return bool(set(words(name)) & _LOGGING)


def _is_fixed(value: Node) -> bool:
    """`return handle(error)` hands the exception on; what the other function does with it is not known here."""
    if isinstance(value, Await):
        value = value.value
    return isinstance(value, Call) and not _is_answer(value) and not _is_text(value)


def _is_text(call: Call) -> bool:
    callee = call.callee
    name = last_name(callee)
    return name in ("str", "repr", "format", "dumps", "encode", "join")


_OPAQUE = frozenset({"args", "message", "msg", "strerror", "orig", "reason", "format", "encode"})


def _mentions(value: Node, carriers: set[str]) -> bool:
    """Whether the text itself is used. `error.errors()` and the like are made for answers."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, Name) and node.id in carriers:
            return True
        if isinstance(node, Conditional):
            chosen = isinstance(node.test, Call) and isinstance(node.test.callee, Name) and node.test.callee.id == "isinstance"
            pending += (node.other,) if chosen else (node.then, node.other)  # the test itself shows nothing of the text
            continue
        structured = isinstance(node, Attribute) and isinstance(node.value, Name) and node.name not in _OPAQUE
        if not structured:
            pending.extend(children(node))
    return False
