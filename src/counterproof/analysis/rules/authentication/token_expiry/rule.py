"""Tokens that never expire.

## What it finds
A JSON Web Token that names a user and is signed without an `exp` claim: the claims are written out where the token is made, or
put together in the same function, and no `exp` is among them. Also `JWT_ACCESS_TOKEN_EXPIRES = False` of Flask-JWT-Extended and
`create_access_token(…, expires_delta=False)`. In JavaScript, `jwt.sign` of such claims without `exp` and without `expiresIn`.

## Why it matters
A token that was stolen, or that somebody kept who has left, opens the account for good: there is no session to end, and a new
password does not make it invalid.

## What is safe
An `exp` claim of minutes or hours, and a refresh token that can be revoked.

## Limits
Claims that come from another function are not followed. Whether a list of revoked tokens is kept is not looked for, so the
confidence is medium.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.settings import for_development, settings_of
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.program.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Language, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Call, Const, Expr, Function, Index, Mapping, Name
from counterproof.analysis.syntax.walk import walk

_SIGNING = names("token", "sign-claims")
_EXTENDED = "flask_jwt_extended.create_access_token"
_LIFETIMES = frozenset({"JWT_ACCESS_TOKEN_EXPIRES"})
_PEOPLE = vocabulary("sub user username userid uid email identity account role admin login")


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    for setting in settings_of(outline, _LIFETIMES):
        if _is_off(setting.value) and not for_development(outline, setting.owner):
            yield bad(setting.site, setting.name, "tokens never expire")
        else:
            yield good(setting.site, setting.name, "tokens expire")
    for site in outline.of(Call):
        dotted = outline.dotted(site.node.callee)
        if dotted == _EXTENDED and _is_off(keyword(site.node, "expires_delta")):
            yield bad(site, "expires_delta", "the token never expires")
        elif dotted in _SIGNING:
            yield from _signed(outline, site)


def _signed(outline: Outline, site: Site[Call]) -> Iterator[Match]:
    claims = _claims(outline, site.function, argument(site.node, 0, "payload") or keyword(site.node, "claims"))
    if claims is None or not any(_is_of_person(name) for name in claims):
        yield good(site, "claims of a token", "not written out here, or nobody's")
    elif "exp" in claims:
        yield good(site, "claims of a token", "it expires")
    else:
        yield bad(site, "claims of a token", "it names a user and has no exp claim", Confidence.MEDIUM)


def _claims(outline: Outline, function: Function | None, value: Expr | None) -> frozenset[str] | None:
    """The names of all claims; None where some of them come from elsewhere."""
    names: set[str] = set()
    if isinstance(value, Name) and function is not None:
        added = _added(function, value.id)
        if added is None:
            return None
        names |= added
        made = outline.local(function, value.id)
        value = made.value if made is not None else None
    if not isinstance(value, Mapping) or any(key is None for key, _ in value.entries):
        return None
    return frozenset((*names, *(text_of(key) or "" for key, _ in value.entries)))


def _added(function: Function, name: str) -> frozenset[str] | None:
    """Claims that are set one by one: `claims["exp"] = …`; None where a call may add more, as `claims.update(more)` does."""
    found: set[str] = set()
    for node in walk(*function.body):
        if isinstance(node, Assign):
            for target in node.targets:
                if isinstance(target, Index) and isinstance(target.value, Name) and target.value.id == name:
                    found.add(text_of(target.key) or "")
        elif isinstance(node, Call) and _changes(node, name):
            return None
    return frozenset(found)


def _changes(call: Call, name: str) -> bool:
    callee = call.callee
    return any(isinstance(node, Name) and node.id == name for node in walk(callee))


def _is_of_person(name: str) -> bool:
    return name == "id" or bool(set(words(name)) & _PEOPLE)


def _is_off(value: Expr | None) -> bool:
    return isinstance(value, Const) and value.value is False


RULE = CheckRule(
    title="Token never expires",
    kind="jwt",
    cwe=613,
    severity=Severity.MEDIUM,
    posture=True,
    consequence="A token that was stolen once opens the account for good.",
    remedy="Give every token an exp claim of minutes or hours.",
    check=_check,
    query="lifetimes of tokens",
)


def _script(seen: SeenCall) -> Match:
    claims = seen.expression(0)
    if not isinstance(claims, Mapping) or any(key is None for key, _ in claims.entries):
        return seen.good("claims of a token", "not written out here")
    named = {text_of(key) or "" for key, _ in claims.entries}
    if "exp" in named or seen.option(2, "expiresIn") is not None or not any(map(_is_of_person, named)):
        return seen.good("claims of a token", "it expires, or is nobody's")
    return seen.bad("claims of a token", "it names a user and nothing says when it expires", Confidence.MEDIUM)


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Give every token an expiresIn of minutes or hours.",
    calls=names("token", "sign-claims", Language.JAVASCRIPT),
    check=_script,
    query="lifetimes of tokens",
)
