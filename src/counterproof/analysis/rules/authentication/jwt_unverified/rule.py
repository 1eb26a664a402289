"""JSON Web Tokens that are believed without checking the signature.

## What it finds
`jwt.decode` with `verify=False`, with `verify_signature` off, or with "none" among the algorithms, in PyJWT, python-jose and
Authlib; claims read with `get_unverified_claims` or `process_jwt`; algorithms taken from the token's own header; and tokens that
are made with an empty key. In scripts: `jsonwebtoken.decode` where nothing verifies, `verify` that accepts `none` or an empty
key, and tokens signed with `none`.

## Why it matters
Whoever can write a token decides what it says. Without the signature check that is everybody.

## What is safe
`jwt.decode(token, key, algorithms=["HS256"])`. Reading the unverified *header* to choose a key is fine.

## Limits
A token that is decoded twice, the second time with a check, is still reported at the first place, unless only its issuer was read
there. In scripts a token that a proxy has verified is reported too, with confidence medium.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.values import switch
from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.libraries import names, sinks
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.settings import entry_of
from counterproof.analysis.program.traversal import argument, keyword, text_of
from counterproof.analysis.program.words import vocabulary, words_in
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CallRule, CheckRule, Confidence, Impact, Language, Match, Severity
from counterproof.analysis.syntax.ir import Assign, Attribute, Call, Const, Expr, Index, Mapping, Name, Sequence
from counterproof.analysis.syntax.walk import last_name, walk

_HEADERS = vocabulary("header headers unverified")
_DECODERS = names("token", "verify")


_READERS = ("jwt.get_unverified_claims", "jws.get_unverified_claims")
_SIGNERS = ("iss", "kid")
_ENCODERS = {
    each.call: position
    for each in sinks("key")
    for position in each.arguments
    if isinstance(position, int) and each.call in names("token", "sign")
}
"""Where each library takes the key."""


def _check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        dotted = outline.dotted(site.node.callee)
        if dotted in _DECODERS:
            reason = "" if _only_asks_issuer(site) else _unchecked(codebase, outline, site)
            yield bad(site, "token signature", reason) if reason else good(site, "token signature", "checked")
        elif (algorithms := keyword(site.node, "algorithms")) is not None and _from_token(algorithms):
            yield bad(site, "token signature", "the token names the algorithm it is checked with")
        elif dotted.endswith(_READERS) or (dotted == "python_jwt.process_jwt" and not _verified_later(outline, site)):
            yield bad(site, "token signature", "claims are read without a check")
        elif dotted in _ENCODERS and _is_unsigned(site.node, _ENCODERS[dotted]):
            yield bad(site, "token signature", "tokens are made without a key, so that anyone can make them")


def _only_asks_issuer(site: Site[Call]) -> bool:
    """`claims["iss"]` and nothing else is read: by whose key the token is to be checked has to be asked before that."""
    body = site.function.body if site.function else ()
    names = [each.targets[0] for each in walk(*body) if isinstance(each, Assign) and each.value is site.node and each.targets]
    kept = names[0].id if len(names) == 1 and isinstance(names[0], Name) else ""
    read = [each for each in walk(*body) if isinstance(each, Index) and isinstance(each.value, Name) and each.value.id == kept]
    asked = [each for each in walk(*body) if isinstance(each, Name) and each.id == kept]
    return bool(kept and read) and len(asked) == len(read) + 1 and all(text_of(each.key) in _SIGNERS for each in read)


def _verified_later(outline: Outline, site: Site[Call]) -> bool:
    """The library takes a token apart with one function and checks it with another."""
    return any(
        outline.dotted(each.node.callee) == "python_jwt.verify_jwt" and each.scope == site.scope for each in outline.of(Call)
    )


def _is_unsigned(call: Call, position: int) -> bool:
    key = argument(call, position, "key")
    return isinstance(key, Const) and (key.value is None or key.value in ("", b""))


def _unchecked(codebase: Codebase, outline: Outline, site: Site[Call]) -> str:
    """Why the signature is not checked, '' where it is."""
    off = switch(codebase, outline, keyword(site.node, "verify"), site.function)
    if off.on is False and off.certain:
        return "verify is off"
    options = keyword(site.node, "options")
    found = codebase.meaning(outline, options, site.function) if options is not None else None
    mapping = found.node if found and isinstance(found.node, Call | Mapping) else options
    flag = keyword(mapping, "verify_signature") if isinstance(mapping, Call) else entry_of(mapping, "verify_signature")
    if switch(codebase, outline, flag, site.function).on is False:
        return "verify_signature is off"
    algorithms = keyword(site.node, "algorithms")
    named = codebase.meaning(outline, algorithms, site.function) if isinstance(algorithms, Name | Attribute) else None
    algorithms = named.node if named and isinstance(named.node, Sequence) else algorithms
    if algorithms is not None and any((text_of(node) or "").lower() == "none" for node in walk(algorithms)):
        return 'the algorithm "none" is accepted'
    return "the token names the algorithm it is checked with" if algorithms is not None and _from_token(algorithms) else ""


def _from_token(algorithms: Expr) -> bool:
    """`[header["alg"]]`, `[jwt.get_unverified_header(token).get("alg")]`; a key may well name its own."""
    for node in walk(algorithms):
        if isinstance(node, Index) and text_of(node.key) == "alg":
            return bool(words_in(node.value) & _HEADERS)
        asked = isinstance(node, Call) and isinstance(node.callee, Attribute) and node.callee.name == "get"
        if asked and isinstance(node, Call) and node.arguments and text_of(node.arguments[0].value) == "alg":
            return bool(words_in(node.callee) & _HEADERS)
    return False


RULE = CheckRule(
    title="JWT signature not verified",
    kind="token",
    cwe=347,
    severity=Severity.HIGH,
    impact=Impact.FULL,
    consequence="Anyone can write a token that names any user.",
    remedy="Decode with the key and a fixed list of algorithms.",
    check=_check,
    query="decoding of JSON Web Tokens",
)


def _check_script(seen: SeenCall) -> Match | None:
    if seen.name == "jsonwebtoken.decode":
        verified = any(last_name(node) == "verify" for node in walk(*seen.frame.module.body))
        if verified:
            return seen.good("token", "decoded where tokens are verified as well")
        return seen.bad("token", "decoded, never verified", Confidence.MEDIUM)
    if seen.name == "jwt-simple.decode":
        return seen.bad("token", "the check is switched off") if is_true(seen.at(2)) and seen.at(2) is not None else _fine(seen)
    if seen.name == "jsonwebtoken.sign":
        algorithm = seen.option(2, "algorithm")
        return seen.bad("token", "signed with none") if algorithm is not None and algorithm.const == "none" else _fine(seen)
    key, allowed = seen.at(1), seen.option(2, "algorithms")
    if key is None or (key.known and not key.const):
        return seen.bad("token", "verified with an empty key")
    if allowed is not None and any(each.const in ("none", "None") for each in allowed.items or ()):
        return seen.bad("token", "the algorithm none is accepted")
    return _fine(seen)


def _fine(seen: SeenCall) -> Match:
    return seen.good("token", "signed or verified")


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Verify the token with a key and a fixed list of algorithms.",
    calls=names("token", "call", Language.JAVASCRIPT),
    check=_check_script,
    query="tokens that are read or made",
)
