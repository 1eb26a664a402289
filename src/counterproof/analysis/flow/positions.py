"""The position of a value in a URL or path: after a fixed host, last, or before other parts.

Invariant: in doubt the host is not fixed and more parts follow. Not handled here: host checks by conditions, and whether a part
is harmful at its position; hits decide that.
"""

from itertools import islice

from counterproof.analysis.flow.hits import APPENDED, BEHIND, ENDED, FOLDER, NAMED, SEGMENT, Arguments
from counterproof.analysis.flow.index import ClassInfo
from counterproof.analysis.flow.sources import doubtful
from counterproof.analysis.flow.values import (
    Param,
    Source,
    Taint,
    Value,
    gathered,
    literal,
    with_taints,
)
from counterproof.analysis.libraries import names
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk

FIXED = "fixed host"
"""Label of a URL that starts with the program's own text up to the end of the host."""


def fixes_host(text: str) -> bool:
    """`https://host/…`, or a path, query or fragment of the same site; `//…` and `/` alone leave the host open. Also `users/…`,
    which extends the current URL: after the slash no host can start."""
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
"""Index of the host among the parts of a URL."""


def replaces_host(path: str, method: str, arguments: Arguments) -> bool:
    """`parts[1] = ""` before the parts are joined again, `parts._replace(netloc="")`."""
    given: Value | None = None
    if method == "_replace":
        given = arguments.keywords.get("netloc")
    elif path in _PUTTING_TOGETHER and arguments.positional:
        given = (arguments.positional[0].entries or {}).get(_HOST)
    return given is not None and not doubtful(given)


CLIENTS = frozenset(names("receiver", "http-client-class"))
"""Classes that connect to the URLs they receive."""
_QUESTIONS = frozenset({"is_private", "is_global", "is_loopback", "is_reserved", "is_link_local"})
MAX_NODES = 2_000


def minds_addresses(arguments: Arguments) -> bool:
    """`httpx.Client(transport=Careful())`: a client whose connections go through a project class that checks every address, so it
    can be given any URL."""
    given = arguments.keywords.get("transport") or arguments.keywords.get("connector")
    made = given.of if given is not None else None
    if not isinstance(made, ClassInfo):
        return False
    inside = walk(*(method.node for each in made.lineage() for method in each.methods.values()))
    return any(isinstance(node, ir.Attribute) and node.name in _QUESTIONS for node in islice(inside, MAX_NODES))


_OWN_ADDRESSES = frozenset(names("response", "own-address"))
"""Calls that return a URL of this site."""

_ENDS_HOST = "/?#"
"""Characters that end a host."""
_NO_ADDRESS = "<>\"' \n"
"""Characters that sentences, statements and markup contain, but not URLs."""

_OWN_PART = "own"
"""Stands for a value of the program between two pieces of text: a host name, or a path part."""


def starts_fixed(parts: list[Value]) -> bool:
    """Return True if the parts before the first untrusted one fix the host: a literal, or a URL of the program that ends its
    host."""
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
    """The index of the first part after a `?` or `#` in text that looks like a URL, or after the slash that ends an inserted
    host; the number of parts if there is none."""
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
    """`"{}/{}".format(host, name)`: evaluated by its parts, if all placeholders are filled in order."""
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
    """`"%s/%s" % (host, name)`, evaluated in the same way."""
    if not isinstance(template.const, str) or template.const.count("%") != template.const.count("%s"):
        return template_fixed(template, "%")
    values = list(given.items) if given.items is not None else [given]
    return filled_fixed(literal(template.const.replace("%s", "{}")), values)


def template_fixed(template: Value, mark: str) -> bool:
    """Return True if a format string fixes the host before its first placeholder."""
    return isinstance(template.const, str) and fixes_host(template.const.split(mark, 1)[0])


_Origin = Source | Param

_APPENDING = frozenset(names("code", "path-append", None))
JOINING = frozenset(names("code", "path-join", None)) | _APPENDING
"""Calls that join their arguments as parts of a path."""

_CONCERNED = frozenset({SEGMENT, NAMED})
ROOTED = "normalised from the root"
"""Label of a path normalised with a leading slash: it stays inside any folder it is appended to."""
_STARTS_ROOTED = "starts with /"
_UNKNOWN = "?"
"""Stands for a part that is known only at run time."""
_ABSOLUTE = frozenset({"", "/", "./", "."})
"""Prefixes of a name that are not a folder of the program."""


def placed(path: str, method: str, receiver: Value | None, given: list[Value], result: Value) -> Value | None:
    """The result of a call that joins path parts; None for any other call."""
    if path not in JOINING and (method != "joinpath" or receiver is None):
        return None
    parts = [receiver, *given] if path not in JOINING and receiver is not None else given
    joined = joined_parts(parts, with_taints(result, result.taints))
    if path not in _APPENDING:
        return joined
    behind = _origins(*parts[1:]) if parts and parts[0].const not in _ABSOLUTE else set[_Origin]()
    rooted = _origins(*parts) if parts and parts[0].const == "/" else set[_Origin]()
    return confined(parts, _marked(joined, {APPENDED: behind - _origins(*parts[:1]), _STARTS_ROOTED: rooted}))


def joined_parts(parts: list[Value], result: Value) -> Value:
    """The result of joining path parts: data only in the last part is a name, all other data is a folder."""
    if not result.taints or len(parts) < 2:
        return result
    folders = _origins(*parts[:-1])
    if parts[0].const in _ABSOLUTE:
        return _marked(result, {FOLDER: folders})
    behind = _origins(*parts[1:]) - _origins(parts[0])
    return _marked(result, {FOLDER: folders, NAMED: _origins(parts[-1]) - folders, BEHIND: behind})


def is_rooted(value: Value) -> bool:
    return bool(value.taints) and all(ROOTED in taint.passed for taint in value.taints)


def confined(parts: list[Value], result: Value) -> Value:
    """Data normalised from the root and appended to something stays inside."""
    inside = {taint.origin for part in parts[1:] for taint in gathered(part) if ROOTED in taint.passed}
    inside -= {taint.origin for part in parts for taint in gathered(part) if ROOTED not in taint.passed}
    return _marked(result, {"without ..": inside, APPENDED: inside})


def glued_parts(parts: list[Value], result: Value) -> Value:
    """The same for a string: `f"{folder}/{name}.pdf"`. A value followed by a slash is a folder."""
    if not result.taints:
        return result
    found: dict[str, set[_Origin]] = {label: set() for label in (FOLDER, NAMED, BEHIND, APPENDED)}
    lead = ""
    behind = False
    for part, following in zip(parts, (*parts[1:], None), strict=True):
        origins = _origins(part)
        if _goes_on(following):
            found[FOLDER] |= origins
        elif behind or lead.replace(_UNKNOWN, "") not in _ABSOLUTE:
            found[NAMED] |= origins
        if lead not in _ABSOLUTE:
            found[APPENDED] |= origins
            found[BEHIND] |= origins if "/" in lead else set()
        lead += part.const if isinstance(part.const, str) else _UNKNOWN
        behind = behind or not (origins or isinstance(part.const, str))
    found[APPENDED] -= _origins(parts[0])
    found[NAMED] -= found[FOLDER]
    if not (_has_slash(parts) or any(map(_may_be_part, result.taints))):
        found = {APPENDED: found[APPENDED]}
    last = parts[-1].const
    if len(parts) > 1 and isinstance(last, str) and last.startswith(".") and len(last) > 1:
        found[ENDED] = _origins(parts[-2])
    if parts[0].const == "/":
        found[_STARTS_ROOTED] = _origins(result)
    return confined(parts, _marked(result, found))


def _origins(*values: Value) -> set[_Origin]:
    return {taint.origin for value in values for taint in gathered(value)}


def _may_be_part(taint: Taint) -> bool:
    """Return True for a parameter, because only its callers know whether it contains slashes."""
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


def _marked(result: Value, found: dict[str, set[_Origin]]) -> Value:
    """The value, with the labels of each part's origin."""
    result.taints = tuple(
        taint._replace(passed=taint.passed.union(label for label, origins in found.items() if taint.origin in origins))
        for taint in result.taints
    )
    return result
