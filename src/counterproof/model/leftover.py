"""The work that a standard audit leaves and a deep one does (A58). Plain data; the analysis package does the work."""

from dataclasses import dataclass
from enum import StrEnum


class Left(StrEnum):
    """The kinds of work left over."""

    STORES = "data that one request stores and another reads back"
    REVISIONS = "earlier revisions of security-relevant files"
    LANGUAGES = "code in languages without an analyst"


@dataclass(frozen=True, slots=True)
class Leftover:
    """One kind with its result. `met` counts the items to follow; `why` says why there were none. `found` are new findings."""

    kind: Left
    met: int
    found: int = 0
    why: str = ""
