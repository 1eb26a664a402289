"""Broken or fast hash function protects a sensitive value, in JavaScript and TypeScript.

## What it finds
MD5 and SHA-1 on passwords, tokens and signatures, and any plain hash function on passwords, from `crypto`, `md5`, `sha1` and
`crypto-js`.

## Why it matters
MD5 and SHA-1 can be matched by a second input, and a graphics card tries thousands of millions of passwords a second against
any plain hash.

## What is safe
`bcrypt`, `scrypt` or Argon2 for passwords; SHA-256 or better elsewhere; MD5 for checksums and caches.

## Limits
What a hash is for is told by the names around it.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.outline.words import mentions, vocabulary, words_in
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.proof import Guess
from counterproof.model.severity import Impact, Severity

_WEAK = vocabulary("md5 md4 md2 sha1 rmd160 ripemd160 sha")
_PACKAGES = {
    **dict.fromkeys(("md5", "blueimp-md5", "crypto-js.MD5", "crypto-js/md5"), "md5"),
    **dict.fromkeys(("sha1", "js-sha1", "crypto-js.SHA1", "crypto-js/sha1"), "sha1"),
    **dict.fromkeys(("sha256", "js-sha256", "crypto-js.SHA256", "crypto-js/sha256"), "sha256"),
}
_PASSWORDS = vocabulary("password passwd pwd passphrase pass")
_SECRETS = vocabulary("token secret signature sign signed otp pin apikey hmac credential auth security")


def _check(seen: SeenCall) -> Match | None:
    name = (_PACKAGES.get(seen.name) or seen.text(0) or "").lower().replace("-", "")
    if not name:
        return seen.good("hash function", "chosen elsewhere")
    around = seen.around() | _fed(seen)
    if mentions(around, _PASSWORDS):
        return seen.bad(name, "hashes a password fast enough to guess it")
    if name in _WEAK and mentions(around, _SECRETS):
        return seen.bad(name, "protects a token or a signature")
    return seen.good(name, "no use for security is seen")


def _fed(seen: SeenCall) -> frozenset[str]:
    """Words of what is hashed: arguments here, or of `update` on the same hash."""
    found = set(words_in(*seen.node.arguments)) if seen.name != "crypto.createHash" else set[str]()
    for node in seen.nearby():
        callee = node.callee if isinstance(node, ir.Call) else None
        if isinstance(node, ir.Call) and isinstance(callee, ir.Attribute) and callee.name == "update":
            found |= words_in(*node.arguments) if any(each is seen.node for each in walk(callee)) else set[str]()
    return frozenset(found)


RULE = CallRule(
    RuleInfo(
        id="javascript-weak-hash",
        title="Weak hash function",
        dimension=Dimension.D7,
        kind="hash",
        cwe=328,
        severity=Severity.MEDIUM,
        guesses=(Guess.NAME,),
        impact=Impact.PARTIAL,
        consequence="Hashes can be reversed by guessing or matched by a second input.",
        remedy="Hash passwords with bcrypt, scrypt or Argon2; use SHA-256 or better elsewhere.",
    ),
    calls=("crypto.createHash", *_PACKAGES),
    check=_check,
    query="hash functions",
)
