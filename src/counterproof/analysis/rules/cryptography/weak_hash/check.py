"""The purpose of a hash, by the names and texts around it."""

from counterproof.analysis.config.places import Place
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.program.words import mentions, vocabulary, words, words_in
from counterproof.analysis.ruleset import Match
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

_LEAKED = vocabulary("pwnedpasswords pwned haveibeenpwned hibp")
_NAMED = vocabulary("url uri cache filename thumbnail etag checksum")
"""Name words of values that are only identifiers; they outweigh surrounding texts."""
_TEXTS = vocabulary("password passwd secret credential credentials sensitive signature")
_WEAK = vocabulary("md5 md4 md2 sha1 rmd160 ripemd160 sha")
_PASSWORDS = vocabulary("password passwd pwd passphrase pass")
_SECRETS = vocabulary("token secret signature sign signed otp pin apikey hmac credential auth security")


def only_detects_changes(at: Place) -> bool:
    """A checksum or ETag, or a query of a list of leaked passwords, which uses this hash."""
    purpose = Purpose(at.outline, at.site)
    spoken = set(words(at.function.name)) if at.function else set[str]()
    counted = spoken & {"etag", "checksum"} and not mentions(purpose.around() | spoken, _TEXTS | _SECRETS | _PASSWORDS)
    return bool(counted or purpose.texts() & _LEAKED)


def speaks_of_secrets(at: Place) -> bool:
    purpose = Purpose(at.outline, at.site)
    return mentions(purpose.texts(), _TEXTS) and not purpose.around() & _NAMED


def check_script(seen: SeenCall) -> Match | None:
    named = seen.name.rpartition("/")[2].rpartition(".")[2].removeprefix("js-").removeprefix("blueimp-")
    name = ((seen.text(0) or "") if named == "createHash" else named).lower().replace("-", "")
    if not name:
        return seen.good("hash function", "chosen elsewhere")
    around = seen.around() | _fed(seen)
    if mentions(around, _PASSWORDS):
        return seen.bad(name, "hashes a password fast enough to guess it")
    if name in _WEAK and mentions(around, _SECRETS):
        return seen.bad(name, "protects a token or a signature")
    return seen.good(name, "no use for security is seen")


def _fed(seen: SeenCall) -> frozenset[str]:
    """Name words of the hashed data: arguments of this call, or of `update` on the same hash."""
    found = set(words_in(*seen.node.arguments)) if seen.name != "crypto.createHash" else set[str]()
    for node in seen.nearby():
        callee = node.callee if isinstance(node, ir.Call) else None
        if isinstance(node, ir.Call) and isinstance(callee, ir.Attribute) and callee.name == "update":
            found |= words_in(*node.arguments) if any(each is seen.node for each in walk(callee)) else set[str]()
    return frozenset(found)
