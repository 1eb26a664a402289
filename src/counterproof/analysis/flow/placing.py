"""Where in a path a part of it stands: last, or before other parts.

Always holds: in doubt more parts follow. Does not belong here: whether the part does harm there; hits decide that.
"""

from counterproof.analysis.flow.frame import with_taints
from counterproof.analysis.flow.hits import FOLDER, NAMED, SEGMENT
from counterproof.analysis.flow.values import Param, Source, Taint, Value, gathered
from counterproof.analysis.libraries import names

_Origin = Source | Param

JOINING = frozenset(names("code", "path-join"))
"""Calls that put their arguments behind one another as parts of a path."""

_CONCERNED = frozenset({SEGMENT, NAMED})
_ABSOLUTE = frozenset({"", "/", "./", "."})
"""Texts in front of a name that are no folder of the program's own."""


def placed(path: str, method: str, receiver: Value | None, given: list[Value], result: Value) -> Value | None:
    """The result of a call that joins parts of a path; None for any other call."""
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
    names = {taint.origin for taint in gathered(parts[-1])} if parts[0].const not in _ABSOLUTE else set[_Origin]()
    return _marked(result, folders, names - folders)


def glued_parts(parts: list[Value], result: Value) -> Value:
    """The same for a text: `f"{folder}/{name}.pdf"`. A value with a slash behind it is a folder."""
    if not result.taints or not (_has_slash(parts) or any(map(_may_be_part, result.taints))):
        return result
    folders: set[_Origin] = set()
    names: set[_Origin] = set()
    lead = ""
    behind = False
    for part, following in zip(parts, (*parts[1:], None), strict=True):
        origins = {taint.origin for taint in gathered(part)}
        if origins and _goes_on(following):
            folders |= origins
        elif origins and (behind or lead not in _ABSOLUTE):
            names |= origins
        if isinstance(part.const, str):
            lead += part.const
        else:
            behind = behind or not origins
    return _marked(result, folders, names - folders)


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


def _marked(result: Value, folders: set[_Origin], names: set[_Origin]) -> Value:
    result.taints = tuple(
        taint._replace(passed=taint.passed | {FOLDER})
        if taint.origin in folders
        else taint._replace(passed=taint.passed | {NAMED})
        if taint.origin in names
        else taint
        for taint in result.taints
    )
    return result
