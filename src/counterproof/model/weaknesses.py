"""Maps a CWE to its dimension, for sources that give only a CWE: users' rules, recorded runs, reviews."""

from typing import Final

from counterproof.model.dimension import Dimension

_BY_DIMENSION: Final = {
    Dimension.D1: (74, 77, 78, 79, 80, 88, 89, 90, 91, 93, 94, 95, 96, 113, 116, 117, 134, 564, 643, 917, 943, 1336),
    Dimension.D2: (287, 288, 290, 294, 302, 304, 306, 307, 345, 347, 384, 521, 613, 620, 640),
    Dimension.D3: (266, 269, 276, 284, 285, 352, 425, 639, 732, 862, 863, 915, 1321),
    Dimension.D4: (470, 502, 611, 776),
    Dimension.D5: (22, 23, 35, 36, 59, 73, 98, 377, 379, 409, 434),
    Dimension.D6: (441, 601, 918),
    Dimension.D7: (
        256, 259, 261, 295, 297, 310, 311, 312, 319, 321, 322, 326, 327, 328, 329, 330, 331, 335,
        338, 522, 759, 760, 780, 798, 916,
    ),
    Dimension.D8: (16, 200, 209, 215, 489, 532, 614, 693, 942, 1004, 1021, 1188, 1275, 1333),
    Dimension.D9: (190, 362, 367, 682, 770, 799, 837, 841),
    Dimension.D10: (494, 829, 937, 1035, 1104, 1357),
}  # fmt: skip

_DIMENSIONS: Final = {cwe: dimension for dimension, weaknesses in _BY_DIMENSION.items() for cwe in weaknesses}


def dimension_of(cwe: int | None) -> Dimension | None:
    """The dimension, or None if the table does not list the CWE."""
    return _DIMENSIONS.get(cwe) if cwe is not None else None
