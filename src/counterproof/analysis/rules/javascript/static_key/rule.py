"""Key of sessions or tokens that stands in the code, in JavaScript and TypeScript.

## What it finds
A literal as the secret of session middleware, of signed cookies or of JSON web tokens, wherever in the program it was
written. It is told where it stands, if that is one file.

## Why it matters
Whoever reads the code can make a session or a token that the program believes.

## What is safe
A value from the environment or from a store of secrets.

## Limits
A literal that only stands in for a missing setting is reported with confidence medium.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.traversal import text_of
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

_SESSIONS = names("session", "middleware", Language.JAVASCRIPT)
_TOKENS = names("token", "key", Language.JAVASCRIPT)
_GUARDS = names("token", "guard", Language.JAVASCRIPT)


def _check(seen: SeenCall) -> Match | None:
    found = _key(seen)
    if found is None:
        return None
    key, what = found
    texts = [each.const for each in (key, *(key.items or ())) if isinstance(each.const, str | bytes) and each.const]
    if not texts:
        stand_in = _stand_in(seen)
        if stand_in:
            return seen.bad(what, "a literal in the code where the setting is missing", Confidence.MEDIUM, secret=stand_in)
        return seen.good(what, "comes from elsewhere")
    shown = texts[0] if isinstance(texts[0], str) else ""
    if shown.startswith("-----BEGIN PUBLIC KEY"):
        return seen.good(what, "a public key")
    return seen.bad(what, "a literal in the code", secret=shown)


def _key(seen: SeenCall) -> tuple[Value, str] | None:
    if seen.name in _SESSIONS:
        return _named(seen.option(0, "secret"), "secret of the sessions")
    if seen.name == "cookie-session":
        keys = seen.option(0, "keys")
        return _named(keys if keys is not None else seen.option(0, "secret"), "keys of the sessions")
    if seen.name == "cookie-parser":
        return _named(seen.at(0), "secret of the signed cookies")
    if seen.name in _GUARDS:
        return _named(seen.option(0, "secret"), "key of the tokens")
    return _named(seen.at(1), "key of the tokens")


def _stand_in(seen: SeenCall) -> str:
    """`process.env.KEY || "text"`, in place of the key."""
    options = seen.expression(0)
    written = [seen.expression(1)] if seen.name in _TOKENS else []
    if isinstance(options, ir.Mapping) and seen.name not in _TOKENS:
        written += [value for key, value in options.entries if isinstance(key, ir.Const) and key.value in ("secret", "keys")]
    for each in written:
        if isinstance(each, ir.Boolean) and each.operator == "or":
            return text_of(each.operands[-1]) or ""
    return ""


def _named(value: Value | None, what: str) -> tuple[Value, str] | None:
    return (value, what) if value is not None else None


RULE = CallRule(
    RuleInfo(
        id="javascript-static-key",
        title="Hard-coded session or token key",
        dimension=Dimension.D7,
        kind="key",
        cwe=321,
        severity=Severity.HIGH,
        impact=Impact.FULL,
        consequence="Whoever reads the code can forge sessions or tokens.",
        remedy="Read the key from the environment or a secret store, and rotate it.",
    ),
    calls=(*_SESSIONS, *_TOKENS, *_GUARDS, "cookie-session", "cookie-parser"),
    check=_check,
    query="keys of sessions, signed cookies and tokens",
)
