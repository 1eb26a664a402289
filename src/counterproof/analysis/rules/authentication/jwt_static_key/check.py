"""The check of `jwt-static-key`."""

from collections.abc import Iterator
from dataclasses import replace

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import literal
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.program.traversal import argument, text_of
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Match
from counterproof.analysis.secrets.secret_names import Kind, secret_kind
from counterproof.analysis.secrets.values import judge
from counterproof.analysis.syntax.ir import Boolean, Call, Const, Expr, Mapping
from counterproof.analysis.syntax.walk import last_name
from counterproof.model.severity import Confidence
from counterproof.model.survey import Language

_CALLS = ("jwt.encode", "jwt.decode", "jose.jwt.encode", "jose.jwt.decode")


def check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    seen: set[str] = set()
    for site in outline.of(Call):
        if outline.dotted(site.node.callee) not in _CALLS:
            continue
        given = argument(site.node, 1, "key")
        key = literal(codebase, outline, given, site.function)
        text = key.decode("utf-8", "replace") if isinstance(key, bytes) else key
        if isinstance(text, str) and text and "-----BEGIN PUBLIC" not in text:
            if text in seen:
                match = good(site, "token key", "the same key as above")
            elif _is_named_secret(given) and judge(text, Kind.KEY).secret:
                match = good(site, "token key", "assigned a literal elsewhere, and reported there")
            else:
                match = bad(site, "token key", "hard-coded")
            yield replace(match, secret=text)
            seen.add(text)
        else:
            yield good(site, "token key", "not a literal")


def _is_named_secret(given: Expr | None) -> bool:
    """`SECRET_KEY`, `config.JWT_SECRET`: the secret rules already report such a literal by its name."""
    name = last_name(given)
    return bool(name) and secret_kind(name) is Kind.KEY


_SESSIONS = names("session", "middleware", Language.JAVASCRIPT)
_KEPT = names("session", "kept-middleware", Language.JAVASCRIPT)
_TOKENS = names("token", "key", Language.JAVASCRIPT)
_GUARDS = names("token", "guard", Language.JAVASCRIPT)


def check_script(seen: SeenCall) -> Match | None:
    key, what = _key(seen)
    if key is None:
        return None
    texts = [each.const for each in (key, *(key.items or ())) if isinstance(each.const, str | bytes) and each.const]
    if not texts:
        stand_in = _stand_in(seen)
        if stand_in:
            return seen.bad(what, "a literal used when the setting is missing", Confidence.MEDIUM, secret=stand_in)
        return seen.good(what, "comes from elsewhere")
    shown = texts[0] if isinstance(texts[0], str) else ""
    if shown.startswith("-----BEGIN PUBLIC KEY"):
        return seen.good(what, "a public key")
    # an attacker who can sign an id still has to guess an existing id
    sure = Confidence.MEDIUM if seen.name in _KEPT else Confidence.HIGH
    return seen.bad(what, "a literal in the code", sure, secret=shown)


def _key(seen: SeenCall) -> tuple[Value | None, str]:
    if seen.name == "cookie-parser":
        return seen.at(0), "secret of the signed cookies"
    if seen.name in _TOKENS:
        return seen.at(1), "key of the tokens"
    keys = seen.option(0, "keys") if seen.name == "cookie-session" else None
    what = "key of the tokens" if seen.name in _GUARDS else "secret of the sessions"
    return keys if keys is not None else seen.option(0, "secret"), what


def _stand_in(seen: SeenCall) -> str:
    """`process.env.KEY || "text"`: the fallback used as the key."""
    options = seen.expression(0)
    written = [seen.expression(1)] if seen.name in _TOKENS else []
    if isinstance(options, Mapping) and seen.name not in _TOKENS:
        written += [value for key, value in options.entries if isinstance(key, Const) and key.value in ("secret", "keys")]
    for each in written:
        if isinstance(each, Boolean) and each.operator == "or":
            return text_of(each.operands[-1]) or ""
    return ""


calls_script = (*_SESSIONS, *_TOKENS, *_GUARDS, "cookie-session", "cookie-parser")
