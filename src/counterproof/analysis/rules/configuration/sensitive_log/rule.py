"""Secrets and personal data written to logs.

## What it finds
Passwords, tokens, card numbers and similar values passed to a logger or, in web code, to `print`; all headers or cookies of a
request, which contain login credentials; whole request bodies that include a password; database connections that print every
statement with its values (`set_trace_callback`).

## Why it matters
Logs are kept longer, copied further and read by more people than the database. Anyone who reads them has the password.

## What is safe
Logging who did what, hashes and masked values, lengths, and names of settings.

## Limits
Values are recognised by name. Only the first finding in each function is reported. Output that a program without web handlers
prints is meant for its user and is not checked.
"""

from itertools import pairwise

from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, argument
from counterproof.analysis.config.web import is_web_code
from counterproof.analysis.program.traversal import called, children, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.ruleset import CheckRule, Confidence, Severity
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import last_name

_LOGGERS = vocabulary("log logger logging logs")
_SECRETS = vocabulary("password passwd pwd passphrase secret cvv ssn ccn passcode jwt otp")
_PAIRS = frozenset(
    {("api", "key"), ("card", "number"), ("credit", "card"), ("private", "key"), ("secret", "key"), ("card", "pin")}
    | {(kind, "token") for kind in ("access", "auth", "refresh", "session", "reset", "invite")}
    | {(kind, "code") for kind in ("activation", "verification", "recovery", "reset", "login")}
)
_HARMLESS = vocabulary(
    """hash hashed hasher masked mask redacted length len policy file path field fields form error errors name id type valid
    invalid required expired expires expire count url manager store provider names ids class prompt changed strength rules check
    minutes enabled is has use"""
)
_WHOLE = vocabulary("headers cookies body form get_json json get_data POST data")
"""Parts of a request that contain login credentials."""
_SHOWN_AS_IS = vocabulary("str repr format dict list dumps decode encode join strip")


def _logs(at: Place) -> bool:
    """`logger.info(…)`, `app.logger.debug(…)`, `logging.warning(…)`, and loggers that the module creates under another name."""
    owner = last_name(at.call.callee.value) if isinstance(at.call.callee, ir.Attribute) else ""
    made = at.outline.top_level.get(owner)
    kept = made is not None and isinstance(made.value, ir.Call) and at.dotted(made.value.callee) == "logging.getLogger"
    return bool(owner) and (bool(set(words(owner)) & _LOGGERS) or kept)


def _serves(at: Place) -> bool:
    return isinstance(at.call.callee, ir.Name) and at.function is not None and is_web_code(at.outline, at.function)


def _secret(at: Place) -> str:
    """The name of a secret among the arguments, including inside built strings; "" if there is none."""
    pending: list[ir.Node] = [each.value for each in at.call.arguments if each.keyword in ("", "msg")]
    seen = set[int]()  # `text = f"{text}…"` refers to itself
    while pending:
        node = pending.pop(0)
        if id(node) in seen:
            continue
        seen.add(id(node))
        made = at.outline.behind(at.function, node) if isinstance(node, ir.Name) else node
        if name := _told(at, node):
            return name
        shown = not isinstance(node, ir.Call) or called(node) in _SHOWN_AS_IS
        if shown and not isinstance(node, ir.Attribute | ir.Index | ir.Compare) and (made is node or isinstance(made, ir.Format)):
            pending.extend(children(made))
    return ""


def _is_first_trace(at: Place) -> bool:
    """`connection.set_trace_callback(print)`, once per file."""
    traces = (each.node for each in at.outline.calls_of("set_trace_callback") if each.node.arguments)
    return next((each for each in traces if isinstance(each.arguments[0].value, ir.Name | ir.Attribute)), None) is at.call


def _told(at: Place, node: ir.Node) -> str:
    got = isinstance(node, ir.Call) and called(node) == "get" and bool(node.arguments)
    key = node.arguments[0].value if isinstance(node, ir.Call) and got else node.key if isinstance(node, ir.Index) else None
    name = text_of(key) or (called(node) if isinstance(node, ir.Call) else last_name(node) if isinstance(node, ir.Expr) else "")
    if _is_secret(name):
        return name
    asked = node.callee if isinstance(node, ir.Call) else node
    whole = name in _WHOLE and isinstance(asked, ir.Attribute) and last_name(asked.value) == "request"
    body = at.function.body if at.function is not None else ()
    return name if whole and (name in ("headers", "cookies") or words_in(*body) & {"password", "passwd", "pwd"}) else ""


def _is_secret(name: str) -> bool:
    """Return True if a name means a secret itself rather than a fact about it."""
    spoken = words(name)
    about = name.isupper() or set(spoken) & _HARMLESS
    return not about and (bool(set(spoken) & _SECRETS) or any(pair in _PAIRS for pair in pairwise(spoken)))


RULE = CheckRule(
    title="Sensitive data in a log",
    kind="logs",
    cwe=532,
    severity=Severity.LOW,
    posture=True,
    consequence="Anyone who reads the log learns passwords, tokens or personal data.",
    remedy="Log the event without the value, or a masked form of it.",
    check=Matching(
        Calls(
            ("*.set_trace_callback",),
            argument(0),
            bad=Bad(_is_first_trace, "every statement is printed with its values", Confidence.MEDIUM),
            item="database trace",
        ),
        Calls(tuple(f"*.{level}" for level in ("debug", "info", "warning", "error", "critical", "exception", "log")), only=_logs),
        Calls(("*.print", "*.pprint"), only=_serves),
        bad=Bad(lambda at: bool(_secret(at)), "written to a log", Confidence.MEDIUM),
        item=_secret,
        once=True,
    ),
    query="secrets in log output",
)
