"""Where in an address or a path a value stands: behind a host that is settled, last, or before other parts.

Always holds: in doubt the host is not settled and more parts follow. Does not belong here: checks of hosts made by tests, and
whether a part does harm where it stands; hits decide that.

What is known of untrusted data once it is told which part of it is taken: a field, a column, a name, the body as it came. Always
holds: telling more about data never takes a taint away, but for variables that no request sets.
"""

from itertools import islice

from counterproof.analysis.flow.hits import (
    BEHIND,
    CLIENT_NAME,
    CONTENT,
    ENDED,
    FOLDER,
    NAMED,
    OWN_ADDRESS,
    PREVIOUS_PAGE,
    SEGMENT,
    SOME_FIELD,
    Arguments,
)
from counterproof.analysis.flow.index import ClassInfo
from counterproof.analysis.flow.sources import doubtful
from counterproof.analysis.flow.values import (
    CLEAN,
    Constant,
    Param,
    Source,
    Taint,
    Value,
    gathered,
    is_stored,
    literal,
    with_taints,
)
from counterproof.analysis.libraries import names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

FIXED = "fixed host"
"""What an address has passed that starts with text of the program's own up to behind the host."""


def fixes_host(text: str) -> bool:
    """`https://host/…`, or a path, a query or a fragment of the same site; `//…` and `/` alone leave the host open. So does
    `users/…`, which continues the address that was asked for: nothing behind the slash can be a host any more."""
    if text.startswith(("?", "#")):
        return True
    if text.startswith("/"):
        return len(text) > 1 and text[1] not in "/\\"
    first, slash, _ = text.partition("/")
    if slash and (first in (".", "..") or first.replace("-", "").replace("_", "").isalnum()):
        return True
    _, scheme, rest = text.partition("://")
    return bool(scheme) and any(sign in rest for sign in "/?#")


_PUTTING_TOGETHER = tuple(
    f"{module}.{name}"
    for module in ("urllib.parse", "urlparse", "six.moves.urllib.parse")
    for name in ("urlunsplit", "urlunparse")
)
_HOST = 1
"""Where the host stands among the parts of an address."""


def replaces_host(path: str, method: str, arguments: Arguments) -> bool:
    """`parts[1] = ""` before the parts are put together again, `parts._replace(netloc="")`."""
    given: Value | None = None
    if method == "_replace":
        given = arguments.keywords.get("netloc")
    elif path in _PUTTING_TOGETHER and arguments.positional:
        given = (arguments.positional[0].entries or {}).get(_HOST)
    return given is not None and not doubtful(given)


CLIENTS = frozenset(names("receiver", "http-client-class"))
"""Classes that connect to the addresses they are given."""
_QUESTIONS = frozenset({"is_private", "is_global", "is_loopback", "is_reserved", "is_link_local"})
MAX_NODES = 2_000


def minds_addresses(arguments: Arguments) -> bool:
    """`httpx.Client(transport=Careful())`: a client whose connections go through a class of the project that asks of every
    address where it leads. It can be sent anywhere."""
    given = arguments.keywords.get("transport") or arguments.keywords.get("connector")
    made = given.of if given is not None else None
    if not isinstance(made, ClassInfo):
        return False
    inside = walk(*(method.node for each in made.lineage() for method in each.methods.values()))
    return any(isinstance(node, ir.Attribute) and node.name in _QUESTIONS for node in islice(inside, MAX_NODES))


_OWN_ADDRESSES = frozenset(names("response", "own-address"))
"""Calls that give an address of this very site."""


_ENDS_HOST = "/?#"
"""What stands behind a host, never in it."""
_NO_ADDRESS = "<>\"' \n"
"""What an address does not hold, and sentences, statements and markup do."""


_OWN_PART = "own"
"""Stands for a value of the program between two pieces of text: the name of a host, or a part of a path."""


def starts_fixed(parts: list[Value]) -> bool:
    """The parts before the first untrusted one fix the host: a literal, or an address of the program and what ends it."""
    lead = own = ""
    base: Value | None = None
    for part in parts:
        if not lead and base is None and part.path in _OWN_ADDRESSES:
            return True
        if doubtful(part):
            fixed = (base is not None or not lead) and all(FIXED in each.passed for each in gathered(part))
            return fixed or fixes_host(lead) or (base is not None and any(sign in lead for sign in _ENDS_HOST))
        if isinstance(part.const, str):
            lead += own + part.const
            own = ""
        elif base is None and not lead:
            base = part
        elif lead.endswith("/"):
            own = _OWN_PART
    return fixes_host(lead) or (base is not None and not gathered(base) and "/" in lead)


def first_behind_host(parts: list[Value]) -> int:
    """The place of the first part behind a `?` or `#` in what reads like an address, or behind the slash that ends what is put in
    for its host; their number where there is none."""
    begun = False
    for place, part in enumerate(parts):
        text = part.const if isinstance(part.const, str) else ""
        if any(sign in text for sign in _NO_ADDRESS):
            break
        if "?" in text or "#" in text or (begun and "/" in text and "//" not in text):
            return place + 1
        begun = begun or not text
    return len(parts)


def filled_fixed(template: Value, given: list[Value]) -> bool:
    """`"{}/{}".format(host, name)`: judged by the parts in their order, where all places are filled in that order."""
    if not isinstance(template.const, str):
        return False
    pieces = template.const.split("{}")
    if len(pieces) != len(given) + 1 or any(sign in piece for piece in pieces for sign in "{}"):
        return template_fixed(template, "{")
    parts = [literal(pieces[0])] if pieces[0] else []
    for value, piece in zip(given, pieces[1:], strict=True):
        parts += [value, literal(piece)] if piece else [value]
    return starts_fixed(parts)


def percent_fixed(template: Value, given: Value) -> bool:
    """`"%s/%s" % (host, name)`, judged in the same way."""
    if not isinstance(template.const, str) or template.const.count("%") != template.const.count("%s"):
        return template_fixed(template, "%")
    values = list(given.items) if given.items is not None else [given]
    return filled_fixed(literal(template.const.replace("%s", "{}")), values)


def template_fixed(template: Value, mark: str) -> bool:
    """A format text whose part before the first place to fill in fixes the host."""
    return isinstance(template.const, str) and fixes_host(template.const.split(mark, 1)[0])


_Origin = Source | Param

JOINING = frozenset(names("code", "path-join", None))
"""Calls that put their arguments behind one another as parts of a path."""

_CONCERNED = frozenset({SEGMENT, NAMED})
ROOTED = "normalised from the root"
"""What a path has passed that was normalised with a slash in front: it leads out of no folder that it is put behind."""
_WITHOUT = frozenset({"without .."})
_UNKNOWN = "?"
"""Stands for a part that is known only when the program runs."""
_ABSOLUTE = frozenset({"", "/", "./", "."})
"""Texts in front of a name that are no folder of the program's own."""


def placed(path: str, method: str, receiver: Value | None, given: list[Value], result: Value) -> Value | None:
    """The result of a call that joins parts of a path; None for any other call."""
    if path in JOINING and path.endswith(".join") and not path.startswith("os."):  # others begin anew with `/name`
        return confined(given, joined_parts(given, with_taints(result, result.taints)))
    if path in JOINING:
        return joined_parts(given, with_taints(result, result.taints))
    if method == "joinpath" and receiver is not None:
        return joined_parts([receiver, *given], with_taints(result, result.taints))
    return None


def joined_parts(parts: list[Value], result: Value) -> Value:
    """The result of joining parts of a path: what only the last one brought is a name, all else is a folder."""
    if not result.taints or len(parts) < 2:
        return result
    folders = {taint.origin for part in parts[:-1] for taint in gathered(part)}
    if parts[0].const in _ABSOLUTE:
        return _marked(result, folders, set(), set())
    names = {taint.origin for taint in gathered(parts[-1])}
    behind = {taint.origin for part in parts[1:] for taint in gathered(part)}
    return _marked(result, folders, names - folders, behind - {taint.origin for taint in gathered(parts[0])})


def is_rooted(value: Value) -> bool:
    return bool(value.taints) and all(ROOTED in taint.passed for taint in value.taints)


def confined(parts: list[Value], result: Value) -> Value:
    """What was normalised from the root and now stands behind something else stays there."""
    inside = {taint.origin for part in parts[1:] for taint in gathered(part) if ROOTED in taint.passed}
    inside -= {taint.origin for part in parts for taint in gathered(part) if ROOTED not in taint.passed}
    result.taints = tuple(
        taint._replace(passed=taint.passed | _WITHOUT) if taint.origin in inside else taint for taint in result.taints
    )
    return result


def glued_parts(parts: list[Value], result: Value) -> Value:
    """The same for a text: `f"{folder}/{name}.pdf"`. A value with a slash behind it is a folder."""
    last = parts[-1].const
    if len(parts) > 1 and isinstance(last, str) and last.startswith(".") and len(last) > 1:
        ended = {taint.origin for taint in gathered(parts[-2])}
        result.taints = tuple(
            each._replace(passed=each.passed | {ENDED}) if each.origin in ended else each for each in result.taints
        )
    if not result.taints or not (_has_slash(parts) or any(map(_may_be_part, result.taints))):
        return result
    folders: set[_Origin] = set()
    names: set[_Origin] = set()
    later: set[_Origin] = set()
    lead = ""
    behind = False
    for part, following in zip(parts, (*parts[1:], None), strict=True):
        origins = {taint.origin for taint in gathered(part)}
        if origins and _goes_on(following):
            folders |= origins
        elif origins and (behind or lead.replace(_UNKNOWN, "") not in _ABSOLUTE):
            names |= origins
        if origins and "/" in lead and lead not in _ABSOLUTE:
            later |= origins
        if isinstance(part.const, str):
            lead += part.const
        else:
            lead += _UNKNOWN
            behind = behind or not origins
    if parts[0].const == "/":
        result.taints = tuple(taint._replace(passed=taint.passed | {"starts with /"}) for taint in result.taints)
    return confined(parts, _marked(result, folders, names - folders, later))


def _may_be_part(taint: Taint) -> bool:
    """Of what a function is given only its callers know whether it has slashes."""
    return isinstance(taint.origin, Param) or bool(taint.passed & _CONCERNED)


def _has_slash(parts: list[Value]) -> bool:
    return any(isinstance(part.const, str) and "/" in part.const for part in parts)


def _goes_on(following: Value | None) -> bool:
    if following is None:
        return False
    return following.const.startswith(("/", "\\")) if isinstance(following.const, str) else not _is_segment(following)


def _is_segment(value: Value) -> bool:
    taints = gathered(value)
    return bool(taints) and all(SEGMENT in taint.passed or "file extension" in taint.passed for taint in taints)


def _marked(result: Value, folders: set[_Origin], names: set[_Origin], behind: set[_Origin]) -> Value:
    def labels(origin: _Origin) -> frozenset[str]:
        place = {FOLDER} if origin in folders else {NAMED} if origin in names else set[str]()
        return frozenset(place | {BEHIND}) if origin in behind else frozenset(place)

    result.taints = tuple(taint._replace(passed=taint.passed | labels(taint.origin)) for taint in result.taints)
    return result


_PATHS = tuple(names("receiver", "path"))
"""Modules whose objects are paths."""

_NO_COLUMNS = frozenset({"query", "objects", "all", "first", "last", "distinct", "reverse"})

REFERERS = frozenset({"referer", "referrer", "http_referer", "origin", "http_origin"})
"""What frameworks call the headers with the previous page and its site. The browser writes them; no link can."""

_NATURES = dict.fromkeys(REFERERS, frozenset({PREVIOUS_PAGE})) | dict.fromkeys(("host", "http_host"), frozenset({OWN_ADDRESS}))
"""What headers are by their names. The host is the one that the visitor asked."""

_SENT = ("HTTP_", "QUERY_STRING", "PATH_", "REQUEST_", "CONTENT_", "RAW_", "SCRIPT_", "COOKIE")
"""What names of a WSGI environment begin with that a request fills in."""

_FIELDED = frozenset({"query", "form", "header", "cookie"})
"""Channels that are mappings of fields."""

DJANGO_FILES = "web request.FILES"

RELATED = "django.db.models.Manager()"
"""What the objects of another model are reached through."""


def of_field(value: Value, key: Constant) -> tuple[Taint, ...]:
    """Taints with the name of the request parameter filled in, once it is known."""
    if not isinstance(key, str) or not key:
        return value.taints
    nature = _NATURES.get(key.lower(), CLEAN)
    return tuple(
        taint._replace(
            origin=taint.origin._replace(parameter=key[:80]),
            passed=taint.passed | nature if taint.origin.channel == "header" else taint.passed,
        )
        if isinstance(taint.origin, Source) and not taint.origin.parameter
        else taint
        for taint in value.taints
        if not _is_setting(taint, key)
    )


def of_some_field(value: Value) -> tuple[Taint, ...]:
    """Taints of one field of a request, whichever it is."""
    return tuple(
        taint._replace(passed=taint.passed | {SOME_FIELD})
        if isinstance(taint.origin, Source) and not taint.origin.parameter and taint.origin.channel in _FIELDED
        else taint
        for taint in value.taints
    )


def _is_setting(taint: Taint, key: str) -> bool:
    """A variable of a WSGI environment that the server's operator sets and no request does."""
    from_environment = isinstance(taint.origin, Source) and taint.origin.name == "parameter environ"
    return from_environment and key.isupper() and not key.startswith(_SENT)


def in_column(value: Value, name: str) -> Value:
    """A field of something read from a store: the taints remember which."""
    if not value.taints or name in _NO_COLUMNS or value.path == RELATED or not any(map(is_stored, value.taints)):
        return value
    return Value(taints=of_field(value, name), origin=value.origin, open=value.open, path=value.path, fields=value.fields)


def client_name(value: Value) -> Value:
    """The client's name of an uploaded file, which is no longer its content; the last part of a path."""
    if value.sym or not value.taints:
        return value
    last = value.path.startswith(_PATHS)
    taints = tuple(_without_folders(taint, last=last) for taint in named(value.taints))
    return Value(taints=taints, origin=value.origin, open=value.open, path=value.path, of=value.of)


def _without_folders(taint: Taint, *, last: bool) -> Taint:
    """`Path(name).name`. Django keeps the last part of the name that a client gives a file, and refuses one that is no name."""
    of_django = isinstance(taint.origin, Source) and taint.origin.name == DJANGO_FILES
    return taint._replace(passed=taint.passed | {"os.path.basename"}) if of_django or last else taint


def named(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Taints of a file or an archive, turned into those of the names that its maker chose."""
    return tuple(
        taint._replace(passed=taint.passed | {CLIENT_NAME} if isinstance(taint.origin, Param) else taint.passed - {CONTENT})
        for taint in taints
    )


def undivided(taints: tuple[Taint, ...]) -> tuple[Taint, ...]:
    """Whoever decodes what a request sent has its body in hand, and not a field of a form."""
    return tuple(
        taint._replace(origin=taint.origin._replace(channel="body"))
        if isinstance(taint.origin, Source) and taint.origin.channel == "form" and not taint.origin.parameter
        else taint
        for taint in taints
    )
