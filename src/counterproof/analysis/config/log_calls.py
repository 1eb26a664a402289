"""What is written to logs, by the names of what is given to them.

Always holds: only values that stand in the message as they are; a length, a hash or a masked form is no secret. Does not belong
here: whether the log is public.
"""

from itertools import pairwise

from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traversal import children, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.syntax.ir import Argument, Attribute, Call, Compare, Concat, Const, Format, Function, Index, Name, Node
from counterproof.analysis.syntax.walk import last_name

_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log", "fatal", "trace"})
_LOGGERS = vocabulary("log logger logging logs")
_SECRETS = vocabulary("password passwd pwd passphrase secret cvv ssn ccn passcode pin jwt otp")
_PAIRS = (("api", "key"), ("card", "number"), ("credit", "card"), ("private", "key"), ("secret", "key"), ("access", "token"),
          ("auth", "token"), ("refresh", "token"), ("session", "token"), ("jwt", "token"))  # fmt: skip
_CODES = (("activation", "code"), ("verification", "code"), ("confirmation", "code"), ("recovery", "code"), ("reset", "code"),
          ("login", "code"), ("reset", "token"), ("verification", "token"), ("activation", "token"), ("confirmation", "token"),
          ("invite", "token"), ("recovery", "token"))  # fmt: skip
"""What is sent to somebody alone, and lets whoever knows it act in their place."""
_HARMLESS = vocabulary("""hash hashed hasher masked mask redacted length len policy file path field fields form error errors name
    id type valid invalid required expired expires count url uri manager store provider names ids class prompt reset changed
    method header strength rules rule check checks checker validator expire expiry expiration ttl minutes seconds enabled""")
_BODIES = ("body", "form", "get_json", "json", "get_data", "POST", "data")
_CARRYING = ("headers", "cookies")
"""Parts of a request that hold what the sender proves to be somebody with."""
_SIGNING = vocabulary("jwt login signin bearer authenticate")
"""What a function speaks of whose token lets somebody in."""
_SHOWN_AS_IS = frozenset({"str", "repr", "format", "dict", "list", "dumps", "decode", "encode", "join", "strip"})


_LOGGER_MAKERS = names("code", "logger")


def is_log_call(outline: Outline, call: Call) -> bool:
    """`logger.info(…)`, `app.logger.debug(…)`, `logging.warning(…)`."""
    if not isinstance(call.callee, Attribute) or call.callee.name not in _LEVELS:
        return False
    owner = call.callee.value
    name = last_name(owner)
    if set(words(name)) & _LOGGERS or outline.dotted(call.callee).startswith("logging."):
        return True
    made = outline.top_level.get(name) if isinstance(owner, Name) else None
    value = made.value if made else None
    return isinstance(value, Call) and outline.dotted(value.callee) in _LOGGER_MAKERS


def is_print(call: Call) -> bool:
    name = last_name(call.callee)
    return name == "pprint" or (name == "print" and isinstance(call.callee, Name))


def logged_statements(call: Call) -> bool:
    """`connection.set_trace_callback(print)`."""
    callee = call.callee
    given = call.arguments[0].value if len(call.arguments) == 1 else None
    return isinstance(callee, Attribute) and callee.name == "set_trace_callback" and isinstance(given, Name | Attribute)


def logged_secret(call: Call, function: Function | None, outline: Outline) -> str:
    """The name of a secret among the arguments of a log call; '' if there is none."""
    pending: list[Node] = list(call.arguments)
    while pending:
        node = pending.pop(0)
        if isinstance(node, Argument):
            if node.keyword not in ("file", "end", "sep", "exc_info", "extra", "flush"):
                pending.append(node.value)
            continue
        if isinstance(node, Compare):
            continue
        told = _told(node, function, outline)
        if told:
            return told
        if isinstance(node, Call) and not _shows(node):
            continue
        if not isinstance(node, Name | Const | Attribute | Index):
            pending.extend(children(node))
    return ""


def _told(node: Node, function: Function | None, outline: Outline) -> str:
    """The secret that one part of a message is, or holds; '' if it is none."""
    name = _name(node)
    if not name or is_secret(name):
        return name
    if isinstance(node, Name) and (built := _built_with(outline, function, node.id)):
        return f"{name}, made with {built}"
    if name in _CARRYING and _is_request_part(node):
        return f"request {name}"
    if function is None:
        return ""
    if name == "token" and words_in(*function.body) & _SIGNING:
        return name
    return f"request {name}" if name in _BODIES and _is_request_part(node) and _has_password(function) else ""


def _built_with(outline: Outline, function: Function | None, name: str) -> str:
    """The secret that stands in a text which a variable was given: `query = f"… password = '{password}'"`."""
    assigned = outline.local(function, name)
    value = assigned.value if assigned is not None else None
    parts = value.parts if isinstance(value, Format | Concat) else ()
    return next((each.id for each in parts if isinstance(each, Name) and is_secret(each.id)), "")


def is_secret(name: str) -> bool:
    """Whether a name stands for a secret itself, not for something about it."""
    spoken = words(name)
    if tuple(spoken[-2:]) in _CODES and not name.isupper():
        return True
    if set(spoken) & _HARMLESS or name.isupper() or spoken[:1] in (("is",), ("has",), ("use",)):
        return False
    pairs = set(pairwise(spoken))
    if set(spoken) & _SECRETS == {"pin"} and spoken[-1] != "pin":
        return False  # `pin_thread`: what is fastened
    return bool(set(spoken) & _SECRETS) or any(pair in pairs for pair in _PAIRS)


def _name(node: Node) -> str:
    if isinstance(node, Name):
        return node.id
    if isinstance(node, Attribute):
        return node.name
    if isinstance(node, Index):
        return text_of(node.key) or ""
    if isinstance(node, Call) and isinstance(node.callee, Attribute):
        if node.callee.name == "get" and node.arguments:
            return text_of(node.arguments[0].value) or ""
        return node.callee.name if node.callee.name in _BODIES else ""
    return ""


def _is_request_part(node: Node) -> bool:
    owner = node.callee if isinstance(node, Call) else node
    inner = owner.value if isinstance(owner, Attribute) else None
    return isinstance(inner, Name | Attribute) and "request" in (inner.id if isinstance(inner, Name) else inner.name)


def _has_password(function: Function) -> bool:
    return bool(words_in(*function.body) & {"password", "passwd", "pwd"})


def _shows(call: Call) -> bool:
    name = last_name(call.callee)
    return name in _SHOWN_AS_IS
