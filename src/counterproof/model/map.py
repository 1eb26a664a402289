"""The map of a project (A68): what is certain about it before anybody hunts. Facts, no findings.

Invariant: every fact has a place; a guard has its text; what was not understood says so. Not handled here: how the facts
are read from code, and judgements.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from counterproof.model.location import Location
from counterproof.model.recon import Asks, EntryKind, WrittenGuard

SCHEMA = 1
"""The version of the JSON form. A change that a reader of the old form would misread raises it."""


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
    """One entry point: a handler with the guards before it and all ways that lead to it. `note` says what else is known of who
    gets there. `calls` are the functions of the project that the handler calls itself, as `file:line name`."""

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
        """What its guards ask for together, in words; "nothing" where there is none."""
        understood = dict.fromkeys(each.understood for each in self.guards if each.asks is not Asks.NOTHING)
        return tuple(understood) or (str(Asks.NOTHING),)


class Difference(StrEnum):
    """How entry points that belong together differ."""

    SAME_OPERATION = "reach the same function with different rights"
    SAME_TABLE = "write the same table with different rights"
    ODD_ONE_OUT = "one of them asks for less than all others"


@dataclass(frozen=True, slots=True)
class Sibling:
    """One of several entry points that belong together."""

    route: str
    handler: Location
    asks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Siblings:
    """Entry points that belong together and ask for different rights. `shared` is the function, table, class or file that they
    share, at `at`."""

    difference: Difference
    shared: str
    at: Location
    ways: tuple[Sibling, ...]

    @property
    def marked(self) -> tuple[Sibling, ...]:
        """Those that differ: of a class or file the odd one, which comes first; else all."""
        return self.ways[:1] if self.difference is Difference.ODD_ONE_OUT else self.ways


@dataclass(frozen=True, slots=True)
class Fact:
    """One place that does something: a sink, a request, a file access, a cookie. `reached_by` are labels of entry points;
    none means that no entry point was found to lead there."""

    kind: str
    at: Location
    text: str
    function: str = ""
    reached_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting and what reads it. `used_as` are the kinds of sinks that its value goes to, with their places."""

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
    """Files that nobody read, by class. `first_party` says that they may hold code of the project: a limitation (A64)."""

    path: str
    reason: str
    files: int = 1
    loc: int = 0
    first_party: bool = False
    accepted: bool = False


@dataclass(frozen=True, slots=True)
class Map:
    """Everything that is known of a project."""

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
    schema: int = field(default=SCHEMA)

    @property
    def differing(self) -> frozenset[Location]:
        """The handlers of entry points that differ from a sibling."""
        return frozenset(each.handler for siblings in self.rights for each in siblings.marked)
