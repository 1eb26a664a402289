"""The recorded work: reads, searches, traces and judged settings. Only the toolbox writes these records.

Coverage is computed from them (A16). An agent cannot write here; it can only cause entries by using tools.
"""

from dataclasses import dataclass, fields

from counterproof.model.dimension import Dimension
from counterproof.model.errors import InvalidValue
from counterproof.model.location import Location, checked_path


@dataclass(frozen=True, slots=True)
class Read:
    """Files that were read, whole or in part, for these dimensions. `first` = `last` = 0 means whole files."""

    paths: tuple[str, ...]
    dimensions: tuple[Dimension, ...]
    first: int = 0
    last: int = 0

    def __post_init__(self) -> None:
        for path in self.paths:
            checked_path(path)


@dataclass(frozen=True, slots=True)
class Search:
    """One query over the whole scope. `kind` is the sub-category ("sql", "shell", …), `files` the files with hits.

    `language` is the language whose files were searched; '' means every file in scope. `probed`: the query matches a known sink
    of its kind, so an empty result is evidence of absence (A16).
    """

    dimension: Dimension
    kind: str
    query: str
    hits: int
    files: tuple[str, ...] = ()
    language: str = ""
    probed: bool = True

    def __post_init__(self) -> None:
        if self.hits < 0 or (self.hits == 0) != (not self.files):
            raise InvalidValue("a search has hits exactly when it names files")


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace of a sink back to the origin of its value.

    Complete if every origin was reached (a request, a literal, a setting, …) and no edge is open; then `origin` names it. An
    incomplete trace has its reason in `broken_by`.
    """

    dimension: Dimension
    kind: str
    sink: Location
    complete: bool
    origin: str = ""
    broken_by: str = ""

    def __post_init__(self) -> None:
        if self.complete and (not self.origin or self.broken_by):
            raise InvalidValue("a complete trace names its origin and no break")
        if not self.complete and not self.broken_by:
            raise InvalidValue("an incomplete trace says what broke it")


@dataclass(frozen=True, slots=True)
class Item:
    """A security setting of a config-driven dimension (key, cookie flag, manifest); `judged` once its value was read."""

    dimension: Dimension
    kind: str
    location: Location
    judged: bool
    verdict: str = ""

    def __post_init__(self) -> None:
        if self.judged and not self.verdict:
            raise InvalidValue("a judged item carries its verdict")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Compares how the create, read, update and delete operations on one resource check their callers (A19)."""

    resource: str
    operations: tuple[str, ...]
    consistent: bool
    at: Location


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call of an agent, rejected calls included. `scope` narrows `subject`: lines of a file, the glob of a search."""

    tool: str
    subject: str
    scope: str = ""
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """All records of one agent's work, in order.

    `entries` are handlers of entry points that were followed to their sinks, or to their end if they have none; `endpoints` are
    those whose guard was verified in the code.
    """

    reads: tuple[Read, ...] = ()
    searches: tuple[Search, ...] = ()
    traces: tuple[Trace, ...] = ()
    items: tuple[Item, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    entries: tuple[Location, ...] = ()
    endpoints: tuple[Location, ...] = ()
    calls: tuple[Call, ...] = ()

    def files_read(self) -> frozenset[str]:
        return frozenset(path for read in self.reads for path in read.paths)

    def __add__(self, other: "Ledger") -> "Ledger":
        return Ledger(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))
