"""The review's scope, frozen before any agent starts (R4), and its surroundings (R29, R30)."""

from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.location import Location, checked_path
from counterproof.model.review.finding import ReviewFinding


class ScopeKind(StrEnum):
    """The origin of the scope."""

    PATHS = "paths"
    DIFF = "diff"
    DELTA = "delta"


@dataclass(frozen=True, slots=True)
class ScopeFile:
    """One file under review. `changed` are the changed line ranges; empty means that the whole file is reviewed."""

    path: str
    tokens: int
    changed: tuple[tuple[int, int], ...] = ()
    secret: bool = False

    def __post_init__(self) -> None:
        checked_path(self.path)

    def touches(self, line: int) -> bool:
        """True if a line is part of the change."""
        return not self.changed or any(start <= line <= end for start, end in self.changed)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A caller or callee of a changed symbol: context only; no finding may be reported against it (R30)."""

    symbol: str
    relation: str
    at: Location


@dataclass(frozen=True, slots=True)
class PriorReview:
    """An earlier review whose hashes were verified. `commit` is the commit that it reviewed."""

    run: str
    commit: str
    digest: str
    findings: tuple[ReviewFinding, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """The frozen scope. `left_out` are generated, vendored and secret-bearing files with the reason."""

    kind: ScopeKind
    files: tuple[ScopeFile, ...]
    left_out: tuple[tuple[str, str], ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    commit: str = ""
    digest: str = ""
    prior: PriorReview | None = None
    full_tokens: int = 0
    """The cost of a full review, if this one reviews a delta."""
    locks: tuple[tuple[str, int], ...] = ()
    """Lock files in the change with the number of their changed lines: counted separately and listed, not reviewed (R40)."""
    base: str = ""
    """The commit that the change starts from."""
    committed: bool = False
    """True if the change ends with `commit`; otherwise it ends with the work tree on top of it."""

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(each.path for each in self.files)

    @property
    def tokens(self) -> int:
        return sum(each.tokens for each in self.files)

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(each.path for each in self.files if each.secret)
