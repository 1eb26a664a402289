"""The results of tools: plain, bounded data, already redacted. A truncated result says how much it omits."""

from dataclasses import dataclass

from counterproof.model.flow import Flow
from counterproof.model.ledger import Trace


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file. Very long lines are truncated with a note."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Lines:
    """Part of a file with `total` lines."""

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
    """`hits` lines in `files`; `shown` are the first of them. `more`: counting stopped at the limit.

    `counted` says whether the search is recorded as evidence; an empty one counts only if its pattern matches a known sink of
    its kind, over the whole scope; None if searches are no evidence. `unsearched` files could not be searched.
    """

    hits: int
    files: tuple[str, ...]
    shown: tuple[HitLine, ...]
    more: bool
    counted: bool | None
    unsearched: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Paths:
    """The first of `total` matching files, sorted by path."""

    paths: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. `kind` is "function", "method" or "class", or "definition" if only a grammar parsed the file."""

    name: str
    kind: str
    path: str
    line: int
    end: int


@dataclass(frozen=True, slots=True)
class UnitLines:
    """A unit with its displayed lines; without any, only its location. `matter` are the requested lines; `before` if the others
    were shown before."""

    name: str
    path: str
    first: int
    last: int
    matter: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    before: bool = False


@dataclass(frozen=True, slots=True)
class Units:
    """The units with the relation `what` to a name: the first of `total`."""

    what: str
    units: tuple[UnitLines, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Traced:
    """The sinks at a line: how each was traced, and the flows by which untrusted data reaches one. If no analyst knows a sink
    there, `bound` lists the assignments of the names that the line uses, by syntax alone."""

    traces: tuple[Trace, ...]
    flows: tuple[Flow, ...]
    bound: tuple[str, ...] = ()
