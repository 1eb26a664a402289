"""Cookies that say who the user is and that anyone can write.

## What it finds
`set_cookie` with a name that stands for a user, a role or a session, whose value is a user's name, id or role, plain or only
encoded (Base64, JSON, hexadecimal): nothing random, nothing signed, nothing encrypted. In scripts: a cookie that is called
after a user, an account or a role and that the server reads as it is.

## Why it matters
A cookie lives in the browser. Whoever writes another name or `admin` into it is that user, as soon as the server reads it back.

## What is safe
A random session id, a signed value (itsdangerous, JWT, `set_signed_cookie`, `set_secure_cookie`), the framework's own session.

## Limits
Whether the server believes the cookie later is seen only if the project reads a cookie of that name. In scripts, what it does
with it is not followed, so it is Low there.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened, script_file, script_outline
from counterproof.analysis.config.cookies import cookie_name, is_deleted
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traits import told, trait
from counterproof.analysis.program.traversal import argument, keyword, spreads, text_of
from counterproof.analysis.program.words import vocabulary, words, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
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


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        callee = site.node.callee
        if not isinstance(callee, Attribute) or callee.name != "set_cookie" or spreads(site.node):
            continue
        name = cookie_name(codebase, outline, site)
        value = argument(site.node, 1, "value")
        spoken = set(words(name or ""))
        if value is None or not spoken & _NAMES or spoken & _HARMLESS or is_deleted(codebase, outline, site):
            continue
        if keyword(site.node, "secret") is not None or not carries_identity(outline, site, value):
            yield good(site, f"value of cookie {name}", "random, signed, or not known")
        elif reads_cookie(codebase, name or ""):
            yield bad(site, f"value of cookie {name}", "anyone can write it, and the server reads it back")
        else:
            yield bad(site, f"value of cookie {name}", "anyone can write it", Confidence.MEDIUM)


RULE = CheckRule(
    title="Identity cookie without a signature",
    kind="session",
    cwe=565,
    severity=Severity.HIGH,
    consequence="Whoever changes the cookie becomes any user they like.",
    remedy="Keep the identity in the framework's session, or sign the value and check the signature.",
    check=_check,
    query="values of cookies that name a user",
)


def carries_identity(outline: Outline, site: Site[Call], value: Expr) -> bool:
    """Whether a value is nothing but a user's name, id or role, however it is encoded.

    Always holds: a value counts only if every part of it is known to be a name, an id or a role of a user, plain or encoded;
    one unknown part, or one that signs or randomises, makes it nothing to report.
    """
    return _is_identity(outline, site.function, value, 0)


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
            told = [part for part in parts if not isinstance(part, Const) and not _is_time(outline, part)]
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


def _is_time(outline: Outline, expr: Expr) -> bool:
    """`datetime.now()`, `time.time()`: no secret, everybody has a clock."""
    return any(outline.dotted(node.callee).startswith(("datetime.", "time.")) for node in walk(expr) if isinstance(node, Call))


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
    """Names of cookies that a file looks up."""
    found: set[str] = set()
    for index in outline.of(Call):
        callee = index.node.callee
        if isinstance(callee, Attribute) and (callee.name == "get_cookie" or _is_jar(callee.value)) and index.node.arguments:
            found.add(text_of(index.node.arguments[0].value) or "")
    found |= {text_of(node.key) or "" for node in walk(*outline.module.body) if isinstance(node, Index) and _is_jar(node.value)}
    return sorted(found)


def _is_jar(node: Node) -> bool:
    return isinstance(node, Attribute) and node.name in _LOOKING


def reads_cookie(codebase: Codebase, name: str) -> bool:
    """Whether code of the project looks a cookie of this name up."""
    return any(name in names for names in told(codebase, _cookies_read).values())


_TRUSTED = vocabulary("user username userid uid account role roles admin isadmin")
_OTHER = vocabulary("token session sid agent locale lang language theme preferences settings csrf xsrf")
_CHECKED = vocabulary("verify verified unsign unsigned decrypt decipher hmac jwt signature")
"""What a function does or says that believes nothing it has not checked."""


def _check_script(project: Project, path: str) -> Iterator[Match]:
    if "cookies" not in project.text(path):
        return
    outline = script_outline(project, path)
    for function in outline.module.functions:
        if function.within or words_in(*function.body) & _CHECKED:
            continue
        read = ((name, node) for node in walk(*function.body) if (name := _cookie(node)))
        trusted = {name: node for name, node in read if _is_trusted(set(words(name)))}
        for name, node in trusted.items():
            yield bad(Site(node, function, None), f"cookie {name}", "is believed, and anyone can write it", Confidence.MEDIUM)


def _is_trusted(spoken: set[str]) -> bool:
    return bool(spoken & _TRUSTED) and not spoken & _OTHER


def _cookie(node: Node) -> str:
    """The name in `req.cookies.user`, `req.cookies["user"]`, `cookieStore.get("user")`; signed ones have another holder."""
    if isinstance(node, Attribute) and last_name(node.value) == "cookies":
        return node.name
    if isinstance(node, Index) and last_name(node.value) == "cookies":
        return text_of(node.key) or ""
    if isinstance(node, Call) and isinstance(node.callee, Attribute) and node.callee.name == "get" and len(node.arguments) == 1:
        held = set(words(last_name(node.callee.value))) & {"cookie", "cookies"}
        return (text_of(node.arguments[0].value) or "") if held else ""
    return ""


SCRIPTS = RULE.in_scripts(
    CheckRule,
    severity=Severity.LOW,
    title="Unsigned cookie that is trusted",
    check=_check_script,
    applies=script_file,
    query="cookies that name a user, as they are read",
)
