"""The map of a project (A68): facts established before any hunt. It contains no findings.

Invariant: every fact has a location; a guard has its text; code that was not understood is listed as such. Not handled here:
extracting the facts from code, and judging them.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from counterproof.model.location import Location
from counterproof.model.recon import Asks, EntryKind, WrittenGuard, tally

SCHEMA = 1
"""The version of the JSON form. It is raised for changes that readers of the old form would misinterpret."""


class Part(StrEnum):
    """Sections of the map."""

    ROUTES = "routes"
    RIGHTS = "rights"
    SINKS = "sinks"
    SETTINGS = "settings"
    NETWORK = "network"
    FILES = "files"
    SESSIONS = "sessions"
    UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Way:
    """One method and path by which a handler is reached."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}".strip()


@dataclass(frozen=True, slots=True)
class Route:
    """One entry point: a handler with the guards before it and all method and path pairs that lead to it. `note` states what else
    is known about who can reach it. `calls` are the project's functions that the handler calls directly, as `file:line name`."""

    kind: EntryKind
    ways: tuple[Way, ...]
    handler: Location
    name: str
    framework: str
    guards: tuple[WrittenGuard, ...]
    note: str = ""
    calls: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        return str(self.ways[0])

    @property
    def asks(self) -> tuple[str, ...]:
        """The combined requirements of its guards, in words; "nothing" if it has no guard."""
        understood = dict.fromkeys(each.understood for each in self.guards if each.asks is not Asks.NOTHING)
        return tuple(understood) or (str(Asks.NOTHING),)


class Difference(StrEnum):
    """How related entry points differ."""

    SAME_OPERATION = "reach the same function with different rights"
    SAME_TABLE = "write the same table with different rights"
    ODD_ONE_OUT = "one of them asks for less than all others"


@dataclass(frozen=True, slots=True)
class Sibling:
    """One of several related entry points."""

    route: str
    handler: Location
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Siblings:
    """Related entry points that require different rights. `shared` is the shared function, table, class or file, at `at`."""

    difference: Difference
    shared: str
    at: Location
    ways: tuple[Sibling, ...]

    @property
    def marked(self) -> tuple[Sibling, ...]:
        """The entry points that differ: for a class or file only the odd one, which comes first; otherwise all."""
        return self.ways[:1] if self.difference is Difference.ODD_ONE_OUT else self.ways


@dataclass(frozen=True, slots=True)
class Fact:
    """One location that does something: a sink, a request, a file access, a cookie. `reached_by` are labels of entry points;
    empty if no entry point is known to lead there. `in_browser`: the file runs there, not on the server."""

    kind: str
    at: Location
    text: str
    function: str = ""
    reached_by: tuple[str, ...] = ()
    in_browser: bool = False


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting and the code that reads it. `used_as` are the kinds of sinks that its value flows into."""

    name: str
    read_at: tuple[Location, ...]
    used_as: tuple[str, ...] = ()
    used_at: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True)
class Component:
    """One folder with its size."""

    path: str
    files: int
    loc: int
    languages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotRead:
    """Files that were not read, grouped by reason. `first_party`: may contain project code: a limitation (A64)."""

    path: str
    reason: str
    files: int = 1
    loc: int = 0
    first_party: bool = False
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Map:
    """Everything known about a project. `groups` are related entry points of several rights at most, `compared` those of them
    whose rights were understood well enough to be compared."""

    name: str
    digest: str
    routes: tuple[Route, ...]
    rights: tuple[Siblings, ...]
    sinks: tuple[Fact, ...]
    settings: tuple[Setting, ...]
    network: tuple[Fact, ...]
    files: tuple[Fact, ...]
    sessions: tuple[Fact, ...]
    components: tuple[Component, ...]
    unread: tuple[NotRead, ...]
    loc: int = 0
    limitations: tuple[str, ...] = ()
    groups: int = 0
    compared: int = 0
    schema: int = field(default=SCHEMA)

    @property
    def tally(self) -> tuple[int, int, int]:
        """Web routes, other entry points, scripts and public functions, counted as an audit counts them."""
        return tally((each.kind, (each.handler, way)) for each in self.routes for way in each.ways)

    @property
    def differing(self) -> frozenset[Location]:
        """The handlers of entry points that differ from related ones."""
        return frozenset(each.handler for siblings in self.rights for each in siblings.marked)
