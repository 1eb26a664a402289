"""What the tools answer: plain, bounded data, already redacted. An answer that leaves something out says how much."""

from dataclasses import dataclass

from counterproof.model.flow import Flow
from counterproof.model.ledger import Trace


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file. Very long ones are cut, and end in a note that says so."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Part of a file that has `total` lines."""

    path: str
    lines: tuple[Line, ...]
    total: int


@dataclass(frozen=True, slots=True)
class HitLine:
    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`hits` lines in `files`; `shown` are the first of them. `more`: there were so many that counting stopped.

    `counted` says whether the search is on record as evidence; an empty one is only if its pattern would have found a known
    sink of its kind somewhere in the whole scope; None where searches are no evidence. `unsearched` files could not be looked at.
    """

    hits: int
    files: tuple[str, ...]
    shown: tuple[HitLine, ...]
    more: bool
    counted: bool | None
    unsearched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paths:
    """The first of `total` matching files, in order of path."""

    paths: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. `kind` is "function", "method" or "class", or "definition" where only a grammar read the file."""

    name: str
    kind: str
    path: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class UnitLines:
    """A unit with the lines of it that are shown; without any, only its place. `matter` are the lines that were asked for."""

    name: str
    path: str
    first: int
    last: int
    matter: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Units:
    """Units that `what` says of a name: the first of `total`."""

    what: str
    units: tuple[UnitLines, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Traced:
    """What is known of the sinks at a line: how each was traced, and the flows on which untrusted data reaches one. Where no
    analyst knows a sink, `bound` says where the names that the line uses get their values, by syntax alone."""

    traces: tuple[Trace, ...]
    flows: tuple[Flow, ...]
    bound: tuple[str, ...] = ()
