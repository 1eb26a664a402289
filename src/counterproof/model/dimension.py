"""The ten dimensions of an audit and the track that decides each one's coverage (A14)."""

from enum import StrEnum


class Track(StrEnum):
    """How a dimension's coverage is measured."""

    SINK = "sink-driven"
    CONTROL = "control-driven"
    CONFIG = "config-driven"


class Dimension(StrEnum):
    """D1 to D10."""

    D1 = "D1"
    D2 = "D2"
    D3 = "D3"
    D4 = "D4"
    D5 = "D5"
    D6 = "D6"
    D7 = "D7"
    D8 = "D8"
    D9 = "D9"
    D10 = "D10"

    @property
    def label(self) -> str:
        return _LABELS[self]

    @property
    def track(self) -> Track:
        return _TRACKS[self]

    @property
    def order(self) -> int:
        return int(self.value[1:])


_LABELS = {
    Dimension.D1: "injection",
    Dimension.D2: "authentication",
    Dimension.D3: "authorization",
    Dimension.D4: "deserialisation",
    Dimension.D5: "file operations",
    Dimension.D6: "SSRF",
    Dimension.D7: "cryptography",
    Dimension.D8: "configuration",
    Dimension.D9: "business logic",
    Dimension.D10: "supply chain",
}

_TRACKS = {
    Dimension.D1: Track.SINK,
    Dimension.D2: Track.CONFIG,
    Dimension.D3: Track.CONTROL,
    Dimension.D4: Track.SINK,
    Dimension.D5: Track.SINK,
    Dimension.D6: Track.SINK,
    Dimension.D7: Track.CONFIG,
    Dimension.D8: Track.CONFIG,
    Dimension.D9: Track.CONTROL,
    Dimension.D10: Track.CONFIG,
}

ALL_DIMENSIONS = tuple(Dimension)
"""In order, D1 to D10."""

CORE_DIMENSIONS = (Dimension.D1, Dimension.D2, Dimension.D3)
"""The three dimensions that a standard or deep audit must not leave uncovered."""
