"""Groups of weaknesses that finders confuse: two CWE numbers for what is often one problem, so that agents' claims can be
compared.

A report keeps the weakness that was claimed; root causes and panels use the groups to match claims. Invariant: a weakness is
in at most one group; one that is in none is related only to itself.
"""

from typing import Final

_GROUPS: Final = (
    (74, 77, 78, 88, 94, 95, 96, 98, 1336),  # code or command execution
    (89, 564, 943),  # query injection
    (79, 80, 83, 87, 116),  # markup injection
    (22, 23, 35, 36, 73, 552),  # path traversal
    (611, 776, 827),  # XML
    (256, 257, 261, 312, 326, 327, 328, 522, 759, 760, 916),  # storage of secrets
    (330, 331, 338, 340),  # randomness
    (259, 321, 547, 798, 1188),  # hard-coded secrets
    (250, 266, 269, 284, 285, 287, 288, 306, 425, 639, 668, 862, 863),  # access control
    (307, 400, 770, 799),  # rate and resource limits
    (11, 16, 200, 209, 215, 489, 497, 756),  # information exposure
    (295, 311, 315, 319, 614, 1004, 1275),  # transport and cookie security
    (290, 294, 345, 347),  # forged tokens
    (384, 613),  # sessions
    (203, 204),  # observable differences
    (117, 532),  # logs
    (346, 942),  # cross-origin access
    (918, 441),  # server-side requests
    (643, 91),  # XML query injection
    (302, 472, 565, 602, 642),  # trust in client data
)
_CALLER, _OWNER = frozenset((287, 288, 306, 425)), frozenset((639,))
"""Weaknesses by the missing guard: one that checks the caller, one that checks the owner of the object."""
_GROUP_OF: Final = {cwe: group[0] for group in _GROUPS for cwe in group}


def kin(cwe: int) -> int:
    """The CWE number that represents the group of a weakness."""
    return _GROUP_OF.get(cwe, cwe)


def opposed(one: int, other: int) -> bool:
    """True if two weaknesses of one group name guards that cannot replace each other."""
    return any(one in first and other in second for first, second in ((_CALLER, _OWNER), (_OWNER, _CALLER)))
