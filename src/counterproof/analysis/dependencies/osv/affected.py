"""Whether a version is affected: the meaning of a record's versions and ranges.

Always holds: a version that its ecosystem's ordering cannot read is unknown, never unaffected. Does not belong here: reading
records.
"""

from functools import cmp_to_key

from counterproof.analysis.dependencies.osv.record import Affected, Event
from counterproof.analysis.dependencies.versions import compare

_BEGINNING = "0"
_ORDER = {"fixed": 0, "introduced": 1, "last_affected": 2}


class _Incomparable(Exception):
    """Two texts of which at least one is no version."""


def is_affected(affected: Affected, version: str) -> bool | None:
    """Whether this version of the package is affected; None where that cannot be told."""
    if version in affected.versions:
        return True
    unknown = False
    for events in affected.ranges:
        try:
            if _in_range(affected.ecosystem, events, version):
                return True
        except _Incomparable:
            unknown = True
    if any(compare(affected.ecosystem, version, each) == 0 for each in affected.versions):
        return True
    return None if unknown else False


def fixed_in(affected: Affected, version: str) -> str:
    """The first version after this one in which a range ends; '' where none is named."""
    later = [
        event.version
        for events in affected.ranges
        for event in events
        if event.kind == "fixed" and (compare(affected.ecosystem, event.version, version) or 0) > 0
    ]
    return min(later, key=cmp_to_key(lambda left, right: compare(affected.ecosystem, left, right) or 0), default="")


def _in_range(ecosystem: str, events: tuple[Event, ...], version: str) -> bool:
    if not _before_limits(ecosystem, events, version):
        return False
    turns = [event for event in events if event.kind != "limit"]
    inside = False
    for event in sorted(turns, key=cmp_to_key(lambda left, right: _turn_order(ecosystem, left, right))):
        order = _compared(ecosystem, version, event.version)
        if event.kind == "introduced" and order >= 0:
            inside = True
        elif (event.kind == "fixed" and order >= 0) or (event.kind == "last_affected" and order > 0):
            inside = False
    return inside


def _before_limits(ecosystem: str, events: tuple[Event, ...], version: str) -> bool:
    limits = [event.version for event in events if event.kind == "limit"]
    return not limits or any(limit == "*" or _compared(ecosystem, version, limit) < 0 for limit in limits)


def _turn_order(ecosystem: str, left: Event, right: Event) -> int:
    return _compared(ecosystem, left.version, right.version) or _ORDER[left.kind] - _ORDER[right.kind]


def _compared(ecosystem: str, left: str, right: str) -> int:
    """'0' stands for before every version."""
    if left == right:
        return 0
    if _BEGINNING in (left, right):
        return 1 if right == _BEGINNING else -1
    order = compare(ecosystem, left, right)
    if order is None:
        raise _Incomparable
    return order
