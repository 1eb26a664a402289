"""Token that is read without its signature, in JavaScript and TypeScript.

## What it finds
`jsonwebtoken.decode` where nothing verifies, `verify` that accepts the algorithm `none` or an empty key, and tokens signed
with `none`.

## Why it matters
Anybody writes a token and is whoever it says.

## What is safe
`verify` with a key and a fixed list of algorithms.

## Limits
A token that a proxy has verified is reported too, with confidence medium.
"""

from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language


def _check(seen: SeenCall) -> Match | None:
    if seen.name == "jsonwebtoken.decode":
        verified = any(
            isinstance(node, ir.Attribute | ir.Name) and _last(node) == "verify" for node in walk(*seen.frame.module.body)
        )
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


def _last(node: ir.Attribute | ir.Name) -> str:
    return node.name if isinstance(node, ir.Attribute) else node.id


RULE = CallRule(
    RuleInfo(
        id="javascript-jwt-unverified",
        title="JWT signature not verified",
        dimension=Dimension.D2,
        kind="token",
        cwe=347,
        severity=Severity.HIGH,
        impact=Impact.FULL,
        consequence="Anybody can write a token and be whoever it says.",
        remedy="Verify the token with a key and a fixed list of algorithms.",
    ),
    calls=names("token", "call", Language.JAVASCRIPT),
    check=_check,
    query="tokens that are read or made",
)
