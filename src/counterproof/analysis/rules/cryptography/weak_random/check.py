"""The check of `weak-random`."""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, good, opened
from counterproof.analysis.config.purpose import Purpose
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.libraries import names
from counterproof.analysis.program.codebase import Codebase
from counterproof.analysis.program.outline import Outline, Site
from counterproof.analysis.program.words import mentions, vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import Confidence, Match
from counterproof.analysis.syntax.ir import Attribute, Call, Const, Name, Sequence
from counterproof.analysis.syntax.walk import last_name

_FUNCTIONS = (
    "random", "randint", "randrange", "choice", "choices", "sample", "getrandbits", "uniform", "randbytes", "shuffle",
    "normalvariate", "gauss", "triangular", "betavariate", "expovariate", "lognormvariate", "vonmisesvariate", "gammavariate",
    "paretovariate", "weibullvariate", "binomialvariate",
)  # fmt: skip
_SECRETS = vocabulary(
    "password passwd pwd passphrase secret token session sessionid sid otp pin nonce salt csrf cookie remember "
    "cvv cvc credential auth apikey keygen captcha verification resetcode"
)
_SHORT = vocabulary("pin otp passcode cvv cvc totp")
"""Secrets that are short by design; dice rolls are excluded."""
_KEYS = vocabulary("key keys")
_PASSING_BY = vocabulary("session sid auth cookie")
"""Words of functions that handle secrets without creating them: `db_session_middleware`."""
_AT_HAND = vocabulary("keys tokens secrets cookies sessions passwords credentials")
"""Collections to choose from, whose secrets were created elsewhere."""
_CODES = vocabulary("reset verification verify confirm confirmation login invite activation recovery")
MAX_CHOICES = 8
"""Up to this many literal alternatives, a random choice is easy to guess with any generator."""

_SOUND = names("cryptography", "random")


def check(project: Project, path: str) -> Iterator[Match]:
    codebase, outline = opened(project, path)
    for site in outline.of(Call):
        source = _source(codebase, outline, site)
        if source == "sound":
            yield good(site, "random source", "unpredictable")
        elif source:
            yield _judged(codebase, outline, site, source)


def _source(codebase: Codebase, outline: Outline, site: Site[Call]) -> str:
    """'sound', the name of a predictable function, or '' for other calls."""
    dotted = outline.dotted(site.node.callee)
    if dotted.startswith(_SOUND):
        return "sound"
    module, _, name = dotted.rpartition(".")
    if (module in ("random", "numpy.random") and name in _FUNCTIONS) or dotted == "uuid.uuid1":
        return dotted
    callee = site.node.callee
    if isinstance(callee, Attribute) and callee.name in _FUNCTIONS:
        built = codebase.constructor(outline, callee.value, site.function)
        if built.endswith("SystemRandom"):
            return "sound"
        return "random.Random" if built == "random.Random" else ""
    return ""


def _judged(codebase: Codebase, outline: Outline, site: Site[Call], source: str) -> Match:
    purpose = Purpose(outline, site)
    around = purpose.around() | (frozenset(words(site.function.name)) - _PASSING_BY if site.function else frozenset[str]())
    if _is_small(site.node) and not purpose.around() & _SHORT:
        return good(site, source, "too few values to be a secret")
    bits = source.endswith(("getrandbits", "randbytes")) or bool(around & {"hexdigest", "digest", "b64encode", "sha256", "md5"})
    code = ("code" in around and bool(around & _CODES)) or ("activation" in around and bool(around & (_KEYS | {"link"})))
    if mentions(around, _SECRETS) or code or {"api", "key"} <= around or (bits and around & _KEYS):
        return bad(site, source, "becomes a secret")
    if mentions(purpose.of_callers(codebase) - _PASSING_BY, _SECRETS):
        return bad(site, source, "becomes a secret in the function's callers", Confidence.MEDIUM)
    return good(site, source, "not seen to become a secret")


def _is_small(call: Call) -> bool:
    """`randint(1, 100)` is a dice roll. A choice among a few literals or existing secrets does not create a secret either."""
    given = call.arguments[0].value if call.arguments else None
    if isinstance(given, Sequence) and len(given.items) <= MAX_CHOICES:
        return True
    if isinstance(given, Name) and words(given.id)[-1:] and words(given.id)[-1] in _AT_HAND:
        return True
    bounds = [each.value.value for each in call.arguments if isinstance(each.value, Const)]
    name = last_name(call.callee)
    whole = name in ("randint", "randrange") and len(bounds) == len(call.arguments) > 0
    return whole and all(isinstance(bound, int) and bound < 1000 for bound in bounds)


_SCRIPT_SECRETS = vocabulary("token secret password passwd pwd otp pin nonce salt apikey csrf session sid credential iv reset")


def check_script(seen: SeenCall) -> Match | None:
    if mentions(seen.around(), _SCRIPT_SECRETS):
        return seen.bad("Math.random", "generates a secret", Confidence.MEDIUM)
    return seen.good("Math.random", "no use for security is seen")
