"""Posture (A56): hardening recommendations, one entry per kind and project root with all its locations.

Invariant: at most medium severity; an entry names at least one location. Not handled here: which rules are posture (a property of
the rule), and presentation.
"""

from dataclasses import dataclass

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location
from counterproof.model.severity import Severity


@dataclass(frozen=True, slots=True)
class PostureEntry:
    """`root` is the folder of the manifest root, '.' for the top; `claims` is the number of agents' claims that it summarises;
    `accepted` says who accepted it and why."""

    number: str
    fingerprint: str
    severity: Severity
    rule: str
    title: str
    cwe: int
    dimension: Dimension
    root: str
    places: tuple[Location, ...]
    evidence: str
    consequence: str
    remedy: str
    claims: int
    accepted: str = ""

    def __post_init__(self) -> None:
        if not self.places:
            raise InvalidValue("posture names its places")
        if self.severity.rank > Severity.MEDIUM.rank:
            raise InvalidValue("posture is Medium at most")
