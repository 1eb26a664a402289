"""The check of `forgeable-cookie`."""

from counterproof.analysis.config.cookies import cookie_name, is_deleted
from counterproof.analysis.config.patterns import Bad, Calls, Matching
from counterproof.analysis.config.places import Place, argument
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import keyword, spreads, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.ruleset import Confidence
from counterproof.analysis.syntax.ir import Attribute, Call, Concat, Const, Expr, Format, Function, Index, Mapping, Name, Node
from counterproof.analysis.syntax.walk import last_name, walk

MAX_STEPS = 5
_IDENTITY = vocabulary("user username userid uid login role admin email account member")
_FIELDS = vocabulary("id name role email admin username is_admin user_id")
_NAMING = ("username", "userid", "user_id")
_ENCODING = frozenset(names("propagator", "encoding"))
_TEXT_METHODS = frozenset({"encode", "decode", "strip", "lower", "format", "join", "hex", "rstrip", "get"})
_LOOKING = ("cookies", "COOKIES", "get_cookie")

_NAMES = vocabulary(
    "session sessionid sid auth login user username userid uid role admin isadmin identity account token remember"
)
_HARMLESS = vocabulary("csrf xsrf locale lang language theme last")


def _names_user(at: Place) -> bool:
    spoken = set(words(cookie_name(at)))
    sure = isinstance(at.call.callee, Attribute) and not spreads(at.call) and not is_deleted(at)
    return sure and bool(spoken & _NAMES) and not spoken & _HARMLESS


def _is_plain(at: Place) -> bool:
    """Return True if every part of a value is a user's name, id or role, in any encoding, and nothing signs it."""
    signed = keyword(at.call, "secret") is not None
    return not signed and at.value is not None and _is_identity(at.outline, at.function, at.value, 0)


def _is_read(at: Place) -> bool:
    """Return True if the project's code reads a cookie of this name."""
    return any(cookie_name(at) in names for names in told(at.codebase, _cookies_read).values())


def _is_identity(outline: Outline, function: Function | None, expr: Expr, depth: int) -> bool:
    if depth > MAX_STEPS:
        return False
    match expr:
        case Name(id=name):
            made = outline.local(function, name)
            if made is not None and made.value is not None:
                return _is_identity(outline, function, made.value, depth + 1) or _reads_identity(made.value)
            return bool(set(words(name)) & _IDENTITY) and _is_parameter(function, name)
        case Attribute(value=owner, name=name):
            called = last_name(owner)
            return name in _NAMING or (name in _FIELDS and bool(set(words(called)) & _IDENTITY))
        case Format(parts=parts) | Concat(parts=parts):
            told = [part for part in parts if not isinstance(part, Const)]
            return bool(told) and all(_is_identity(outline, function, each, depth + 1) for each in told)
        case Index():
            return _reads_identity(expr)
        case Mapping(entries=entries):
            values = [value for _, value in entries if not isinstance(value, Const)]
            return bool(values) and all(_is_identity(outline, function, each, depth + 1) for each in values)
        case Call():
            return _reads_identity(expr) or _only_encodes(outline, function, expr, depth)
        case _:
            return False


def _is_parameter(function: Function | None, name: str) -> bool:
    return function is not None and any(each.name == name for each in function.parameters)


def _reads_identity(expr: Expr) -> bool:
    """`request.form["username"]`, `data.get("user")`, `row["username"]`."""
    key = ""
    if isinstance(expr, Index):
        key = text_of(expr.key) or ""
    elif isinstance(expr, Call) and isinstance(expr.callee, Attribute) and expr.callee.name in ("get", "get_argument"):
        key = (text_of(expr.arguments[0].value) or "") if expr.arguments else ""
    spoken = set(words(key))
    return bool(spoken & _IDENTITY) and "token" not in spoken


def _only_encodes(outline: Outline, function: Function | None, call: Call, depth: int) -> bool:
    dotted = outline.dotted(call.callee)
    given = [each.value for each in call.arguments if not isinstance(each.value, Const)]
    if dotted in _ENCODING:
        return bool(given) and _is_identity(outline, function, given[0], depth + 1)
    if isinstance(call.callee, Attribute) and call.callee.name in _TEXT_METHODS:
        parts = given if isinstance(call.callee.value, Const) else [call.callee.value, *given]
        return bool(parts) and all(_is_identity(outline, function, each, depth + 1) for each in parts)
    return False


@trait("cookies read")
def _cookies_read(outline: Outline) -> list[str]:
    """Names of the cookies that a file reads."""
    found: set[str] = set()
    for index in outline.of(Call):
        callee = index.node.callee
        if isinstance(callee, Attribute) and (callee.name == "get_cookie" or _is_jar(callee.value)) and index.node.arguments:
            found.add(text_of(index.node.arguments[0].value) or "")
    found |= {text_of(node.key) or "" for node in walk(*outline.module.body) if isinstance(node, Index) and _is_jar(node.value)}
    return sorted(found)


def _is_jar(node: Node) -> bool:
    return isinstance(node, Attribute) and node.name in _LOOKING


check = Matching(
    Calls(("*.set_cookie",), argument(1, "value"), _names_user),
    bad=(
        Bad(lambda at: _is_plain(at) and _is_read(at), "anyone can write it, and the server reads it back"),
        Bad(_is_plain, "anyone can write it", Confidence.MEDIUM),
    ),
    good="random, signed, or not known",
    item=lambda at: f"value of cookie {cookie_name(at)}",
)
