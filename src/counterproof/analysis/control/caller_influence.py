"""Whether the caller's identity affects a handler's behaviour.

Invariant: a page that greets the caller, a log line with their name and a test that someone is logged in do not check ownership;
in doubt a mention counts. Not handled here: recognising mentions of the caller.
"""

from itertools import pairwise

from counterproof.analysis.program.file import File
from counterproof.analysis.program.traversal import called, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_LOGIN = ("is_authenticated", "is_anonymous", "is_active", "authenticated")
_RIGHTS = vocabulary("admin staff superuser role roles permission permissions perm perms group groups can owns owner rank level")
_SHOWING = (
    "render", "render_template", "render_to_response", "render_to_string", "TemplateResponse", "redirect", "HttpResponseRedirect",
    "RedirectResponse", "RequestContext", "flash", "url_for", "reverse", "debug", "info", "warning", "error", "exception",
    "critical", "log", "success", "add_message", "print", "HttpResponse", "Response",
    "JsonResponse", "JSONResponse", "jsonify", "json_response",
)  # fmt: skip
"""Calls that display, log or forward a value."""

_WRAPPING = ("str", "repr", "int", "format", "dict", "len", "bool", "escape", "conditional_escape", "format_html", "mark_safe")
_FIRST = ("get", "pop", "first", "one", "one_or_none", "fetchone", "scalar", "scalar_one_or_none", "scalar_one", "first_or_404")
_PEOPLE = vocabulary("user users account accounts member members customer customers person people profile")
_LOADING = vocabulary("get load find fetch read lookup query filter select first one or none by id pk name username email scalar")
"""Name words of calls that only look a user up."""
MAX_UP = 40
MAX_ALIASES = 3


def bears(ground: File, function: ir.Function, node: ir.Node, depth: int = 0) -> bool:
    """Follow a mention of the caller outwards to the first use that decides something."""
    for count, (child, parent) in enumerate(ground.above(node)):
        if isinstance(parent, ir.Assign) and len(parent.targets) == 1 and isinstance(parent.targets[0], ir.Name):
            return depth < MAX_ALIASES and _used(ground, function, parent, parent.targets[0].id, depth)
        verdict = _done(parent, child)
        if verdict is not None or count > MAX_UP:
            return verdict is not False
    return True


def _done(parent: ir.Node, child: ir.Node) -> bool | None:
    """The use of the value in this node: True if it decides something, False if not, None if undecided."""
    match parent:
        case ir.Attribute(name=name):
            return False if name in _LOGIN else True if set(words(name)) & _RIGHTS else None
        case ir.Compare():
            return _compares(parent, child)
        case ir.Call():
            return _handed(parent, child)
        case ir.Return():
            return False
        case ir.Branch(test=test):
            return child is not test
        case ir.Assign() | ir.Function():
            return True
        case _:
            return None


def _handed(call: ir.Call, child: ir.Node) -> bool | None:
    """The use of the value by a call: True if it decides, False if it only displays it, None if it passes it on."""
    if not isinstance(child, ir.Argument):
        return None if child is call.callee and called(call) in _FIRST else True
    name = called(call)
    if _loads_person(call):
        return None
    if name in _SHOWING:
        return False
    return None if name in _WRAPPING else True


def _loads_person(call: ir.Call) -> bool:
    """`load_user(session["user_id"])`, `User.query.get(…)`, `db.get(User, …)`, `"… FROM users WHERE id = ?"`: the result is still
    the caller, so its own use decides."""
    name = set(words(called(call)))
    if not name or not name <= (_LOADING | _PEOPLE | {"execute"}):
        return False
    parts = [call.callee, *(each.value for each in call.arguments[:1] if isinstance(each.value, ir.Name | ir.Attribute))]
    texts = (text_of(each.value) or "" for each in call.arguments[:1])
    stated = {then for text in texts for first, then in pairwise(text.lower().split()[:200]) if first == "from"}
    return bool(words_in(*parts) & _PEOPLE) or bool(stated & _PEOPLE)


def _compares(node: ir.Compare, child: ir.Node) -> bool:
    """Return False for `"user" in session` and `user is None`, which only test for a login."""
    others = [each for each in node.operands if each is not child]
    if all(isinstance(each, ir.Const) for each in others):
        nothing = all(isinstance(each, ir.Const) and each.value in (None, "", 0, False) for each in others)
        return not nothing and not set(node.operators) <= {"in", "not in"}
    return True


def _used(ground: File, function: ir.Function, assignment: ir.Assign, alias: str, depth: int) -> bool:
    for other in walk(*function.body):
        if not isinstance(other, ir.Name) or other.id != alias or any(other is each for each in assignment.targets):
            continue
        if ground.function(other) is function and bears(ground, function, other, depth + 1):
            return True
    return False
