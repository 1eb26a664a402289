"""What a standard audit leaves and a deep one follows (A58). Plain data: who follows it stands in analysis."""

from dataclasses import dataclass
from enum import StrEnum


class Left(StrEnum):
    """The kinds of things that are left."""

    STORES = "data that one request stores and another reads back"
    REVISIONS = "earlier revisions of security-relevant files"
    LANGUAGES = "code in languages without an analyst"


@dataclass(frozen=True, slots=True)
class Leftover:
    """One kind, and what came of it. `met` counts what there was to follow; with none, `why` says why nothing was left. `found`
    are new findings."""

    kind: Left
    met: int
    found: int = 0
    why: str = ""
