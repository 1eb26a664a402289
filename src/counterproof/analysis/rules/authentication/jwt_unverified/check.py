"""The check of `jwt-unverified`."""

from counterproof.analysis.config.places import Place
from counterproof.analysis.flow.seen_calls import SeenCall, is_true
from counterproof.analysis.libraries import names
from counterproof.analysis.program.settings import entry_of
from counterproof.analysis.program.traversal import keyword as keyword_of
from counterproof.analysis.program.traversal import text_of
from counterproof.analysis.ruleset import Confidence, Language, Match
from counterproof.analysis.syntax.ir import Assign, Call, Index, Name
from counterproof.analysis.syntax.walk import last_name, walk


def asks_more_than_issuer(at: Place) -> bool:
    """Return True unless the code reads only `iss` or `kid`, which are needed to choose the key."""
    body = at.function.body if at.function else ()
    names = [each.targets[0] for each in walk(*body) if isinstance(each, Assign) and each.value is at.call and each.targets]
    kept = names[0].id if len(names) == 1 and isinstance(names[0], Name) else ""
    read = [each for each in walk(*body) if isinstance(each, Index) and isinstance(each.value, Name) and each.value.id == kept]
    asked = [each for each in walk(*body) if isinstance(each, Name) and each.id == kept]
    only = kept and read and len(asked) == len(read) + 1 and all(text_of(each.key) in ("iss", "kid") for each in read)
    return not only


def skips_signature(at: Place) -> bool:
    options = at.meant(keyword_of(at.call, "options"))
    name = "verify_signature"
    flag = keyword_of(options, name) if isinstance(options, Call) else entry_of(options, name)
    return flag is not None and at.switch(flag).on is False


def accepts_none(at: Place) -> bool:
    algorithms = at.meant(keyword_of(at.call, "algorithms"))
    return algorithms is not None and any((text_of(node) or "").lower() == "none" for node in walk(algorithms))


def check_script(seen: SeenCall) -> Match | None:
    if seen.name == "jsonwebtoken.decode":
        verified = any(last_name(node) == "verify" for node in walk(*seen.frame.module.body))
        if verified:
            return seen.good("token", "decoded where tokens are verified as well")
        return seen.bad("token", "decoded, never verified", Confidence.MEDIUM)
    if seen.name == "jwt-simple.decode":
        return seen.bad("token", "verification is disabled") if is_true(seen.at(2)) and seen.at(2) is not None else _fine(seen)
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


calls_script = names("token", "call", Language.JAVASCRIPT)
