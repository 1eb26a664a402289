"""Weaknesses that finders mix up: two names for what is often one problem, so that agents' claims can be compared.

Kin is not same: a report keeps the weakness that was claimed. Root causes and panels ask this, to tell whether two claims speak
of one thing. Invariant: a weakness belongs to one group at most, and one that no group names is kin to itself alone.
"""

from typing import Final

_GROUPS: Final = (
    (74, 77, 78, 88, 94, 95, 96, 98, 1336),  # something is run
    (89, 564, 943),  # a query
    (79, 80, 83, 87, 116),  # markup
    (22, 23, 35, 36, 73, 552),  # a path
    (611, 776, 827),  # XML
    (256, 257, 261, 312, 326, 327, 328, 522, 759, 760, 916),  # how secrets are kept
    (330, 331, 338, 340),  # chance
    (259, 321, 547, 798, 1188),  # secrets in code
    (250, 266, 269, 284, 285, 287, 288, 306, 425, 639, 668, 862, 863),  # who may do it
    (307, 400, 770, 799),  # how often
    (11, 16, 200, 209, 215, 489, 497, 756),  # what is given away
    (295, 311, 315, 319, 614, 1004, 1275),  # on the wire and in cookies
    (290, 294, 345, 347),  # forged tokens
    (384, 613),  # sessions
    (203, 204),  # answers that tell
    (117, 532),  # logs
    (346, 942),  # other origins
    (302, 472, 565, 602, 642),  # trust in what the client sends
)
_GROUP_OF: Final = {cwe: group[0] for group in _GROUPS for cwe in group}


def kin(cwe: int) -> int:
    """The weakness that stands for its group."""
    return _GROUP_OF.get(cwe, cwe)
