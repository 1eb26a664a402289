"""Secret compared in a time that depends on it.

## What it finds
`==` and `!=` between a secret (a signature, digest, token, key or password) and a value that somebody sends.

## Why it matters
The comparison ends at the first character that differs; from many answers and their times the secret can be guessed character by
character.

## What is safe
`hmac.compare_digest`, `secrets.compare_digest` and the comparing functions of frameworks.

## Limits
By the names of things, and by `hmac` where it is called in the function. Comparisons with literals, of lengths and of types do
not count.
"""

from collections.abc import Iterator

from counterproof.analysis.config.checks import bad, opened
from counterproof.analysis.libraries import names
from counterproof.analysis.outline.outline import Outline, Site
from counterproof.analysis.outline.request_fields import field_of
from counterproof.analysis.outline.traversal import called, calls_in
from counterproof.analysis.outline.words import vocabulary, words
from counterproof.analysis.project import Project
from counterproof.analysis.ruleset import CheckRule, Confidence, Match, Severity
from counterproof.analysis.syntax.ir import Attribute, Call, Compare, Const, Expr, Index, Name
from counterproof.analysis.syntax.walk import last_name

_ENVIRONMENT = names("setting", "environment")
_MACS = names("cryptography", "mac")

_SECRET = vocabulary("signature sig hmac mac apikey secret password passwd passphrase")
_CONFIDENTIAL = vocabulary("secret password passwd passphrase apikey key token hmac")
_HEADER = vocabulary("header authorization")
"""Words of names of what carries a signature."""
_SIGNATURE = vocabulary("signature sig hmac mac")
_SIGNATURES = vocabulary("signatures sigs hmacs macs")
_PAIRS = (
    frozenset({"api", "key"}),
    frozenset({"csrf", "token"}),
    frozenset({"auth", "token"}),
    frozenset({"access", "token"}),
    frozenset({"xsrf", "token"}),
)
_SENT = vocabulary(
    """request req headers header form args query cookies cookie params environ provided given received supplied
    input submitted password"""
)
_HELD = vocabulary("self settings config app conf options opts auth")
"""Words of something that the program holds: a setting, a field of its own."""
_SETTINGS = vocabulary("settings config configuration conf defaults default")
_OTHER = vocabulary(
    "confirm confirmation repeat repeated again old new type algorithm method length len version name id len1 verify"
)


def _check(project: Project, path: str) -> Iterator[Match]:
    _, outline = opened(project, path)
    told: set[str] = set()
    for site in outline.of(Compare):
        if len(site.node.operands) != 2:
            continue
        left, right = site.node.operands
        if site.node.operators[0] in ("in", "not in") and _among_signatures(left, right):
            yield bad(site, "comparison", "takes longer the more of a signature is right", Confidence.MEDIUM)
        if site.node.operators[0] not in ("==", "!="):
            continue
        if site.scope in told or _is_column(left) or _is_column(right):
            continue  # once for a function: one change mends them all
        if _secret(outline, site, left, right) or _secret(outline, site, right, left):
            told.add(site.scope)
            yield bad(site, "comparison", "takes longer the more of the secret is right", Confidence.MEDIUM)


def _among_signatures(one: Expr, several: Expr) -> bool:
    """`signature in valid_signatures`: each of them is compared as any text is."""
    named = isinstance(one, Name | Attribute) and isinstance(several, Name | Attribute)
    return named and bool(_words(one) & _SIGNATURE) and bool(_words(several) & _SIGNATURES)


def _is_column(expr: Expr) -> bool:
    """`Token.value`, `cls.value`: a comparison that the database makes."""
    owner = expr.value if isinstance(expr, Attribute) else None
    name = last_name(owner)
    return name == "cls" or (name[:1].isupper() and not name.isupper())


def _secret(outline: Outline, site: Site[Compare], one: Expr, other: Expr) -> bool:
    if isinstance(one, Const) or isinstance(other, Const):
        return False
    if isinstance(one, Call) and set(words(called(one))) & _SIGNATURE and not _words(other) & (_SIGNATURE | _HEADER):
        return False
    if _computed(outline, site, one):
        return not _computed(outline, site, other) and isinstance(other, Name | Attribute | Index | Call)
    if _is_kept_outside(outline, site, one):
        return field_of(outline, site.function, other) is not None or bool(_words(other) & (_SENT | _SECRET))
    named, sent = _words(one), _words(other)
    if named & _OTHER or sent & _OTHER or _is_mark(one, named) or _is_mark(other, sent):
        return False
    if not (_held(outline, site, one, named) or _looked_up(site, one, other)) or _twins(one, other):
        return False
    secret = (named | sent) & _SECRET or any(each <= (named | sent) for each in _PAIRS)
    return bool(secret) and bool(sent & (_SENT | _SECRET | {"token", "key"}))


def _is_kept_outside(outline: Outline, site: Site[Compare], expr: Expr) -> bool:
    """`os.environ["HOOK_TOKEN"]`, on the spot or in a variable: a secret that whoever runs the program gave it."""
    if isinstance(expr, Name):
        made = outline.local(site.function, expr.id) or outline.top_level.get(expr.id)
        given = made.value if made is not None and made.value is not None else expr
    else:
        given = expr
    read = given.callee if isinstance(given, Call) else given.value if isinstance(given, Index) else None
    if outline.dotted(read) not in _ENVIRONMENT:
        return False
    return bool(_words(given) & (_CONFIDENTIAL | _SIGNATURE)) and not _words(given) & _OTHER


def _is_mark(expr: Expr, named: frozenset[str]) -> bool:
    """`PP_V2_SIGNATURE`, `signal.SIGTERM`: the mark of a format or the number of a signal, which everybody may know."""
    last = last_name(expr)
    return last.isupper() and not named & _CONFIDENTIAL


def _held(outline: Outline, site: Site[Compare], one: Expr, named: frozenset[str]) -> bool:
    """A field or an entry of something that the program holds, or a variable of the module."""
    if isinstance(one, Name):
        parameters = {each.name for each in site.function.parameters} if site.function else set[str]()
        return one.id in outline.top_level and one.id not in parameters and outline.local(site.function, one.id) is None
    return isinstance(one, Attribute | Index) and bool(named & _HELD)


def _looked_up(site: Site[Compare], one: Expr, other: Expr) -> bool:
    """`user.api_key == api_key`: the secret of an object against one that the function is given under the same name. Whoever
    asks which ones are different does not let anybody in."""
    if site.node.operators[0] != "==":
        return False
    given = {each.name for each in site.function.parameters} if site.function else set[str]()
    return (
        isinstance(one, Attribute)
        and isinstance(other, Name)
        and other.id in given
        and set(words(one.name)) & set(words(other.id)) == set(words(other.id))
    )


def _twins(one: Expr, other: Expr) -> bool:
    """`self.password == other.password`: two objects of one kind are compared, nobody sends anything; and single characters."""
    if isinstance(one, Index) and isinstance(other, Index):
        return isinstance(one.key, Name) and isinstance(other.key, Name)
    if not isinstance(other, Name) and _words(one) & _SETTINGS and _words(other) & _SETTINGS:
        return True  # a setting against its default
    return isinstance(one, Attribute) and isinstance(other, Attribute) and one.name == other.name


def _computed(outline: Outline, site: Site[Compare], expr: Expr) -> bool:
    """The result of `hmac`, on the spot or in a variable of the function, or of a function that is called after signatures."""
    if isinstance(expr, Call) and set(words(called(expr))) & _SIGNATURE:
        return True
    roots: list[Expr] = [expr]
    if isinstance(expr, Name):
        assigned = outline.local(site.function, expr.id)
        if assigned is None or assigned.value is None:
            return False
        roots = [assigned.value]
    return any(outline.dotted(call.callee) in _MACS for call in calls_in(*roots))


def _words(expr: Expr) -> frozenset[str]:
    found: set[str] = set()
    while True:
        match expr:
            case Name(id=name):
                return frozenset(found | set(words(name)))
            case Attribute(value=value, name=name):
                found |= set(words(name))
                expr = value
            case Index(value=value, key=key):
                found |= set(words(key.value)) if isinstance(key, Const) and isinstance(key.value, str) else set()
                expr = value
            case Call(callee=callee, arguments=arguments):
                first = arguments[0].value if arguments else None
                found |= set(words(first.value)) if isinstance(first, Const) and isinstance(first.value, str) else set()
                expr = callee
            case _:
                return frozenset(found)


RULE = CheckRule(
    id="timing-comparison",
    title="Timing side channel in a secret comparison",
    kind="comparison",
    cwe=208,
    severity=Severity.LOW,
    consequence="An attacker can recover the secret piece by piece from response times.",
    remedy="Compare with hmac.compare_digest.",
    check=_check,
    query="comparisons of secrets",
)
