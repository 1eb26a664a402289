"""Where in a path a part of it stands: last, or before other parts.

Always holds: in doubt more parts follow. Does not belong here: whether the part does harm there; hits decide that.
"""

from counterproof.analysis.flow.frame import with_taints
from counterproof.analysis.flow.hits import BEHIND, ENDED, FOLDER, NAMED, SEGMENT
from counterproof.analysis.flow.values import Param, Source, Taint, Value, gathered
from counterproof.analysis.libraries import names

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
