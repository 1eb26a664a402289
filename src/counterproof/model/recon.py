"""The results of reconnaissance: the four inventories (A6), detailed enough to be checked (A7)."""

from collections.abc import Container, Iterable
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.location import Location


class EntryKind(StrEnum):
    """The kinds of entry points (A9)."""

    HTTP = "http"
    WEBSOCKET = "websocket"
    SCHEDULED = "scheduled"
    QUEUE = "queue"
    RPC = "rpc"
    CLI = "cli"
    MAIN = "main"
    LOADER = "loader"
    PUBLIC_API = "public api"


TOOL = "tool"
"""The method of an entry point that is called by a language model."""
NETWORK_KINDS = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.QUEUE, EntryKind.RPC)


WEB_KINDS = (EntryKind.HTTP, EntryKind.WEBSOCKET)
PROGRAM_KINDS = (EntryKind.MAIN, EntryKind.PUBLIC_API)
"""What any program has: they are not counted with the entry points of a service."""


class Guard(StrEnum):
    """Whether the caller is checked. An undecided case is unknown, never absent."""

    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class GuardKind(StrEnum):
    """The kind of a guard, if it implies more than the guard's name."""

    NAMED = "named"
    CHECK = "check in the handler"
    HELPER = "function that the handler calls"
    PERMISSION = "permission"
    DEPENDENCY = "dependency"
    PASSED_BY = "guard that is never executed"


@dataclass(frozen=True, slots=True)
class GuardEvidence:
    """The evidence for a guard. `symbol` is its name in the code, `at` where it is applied, `defined` where it is defined. All
    conclusions come from these fields; `note` is for display only."""

    at: Location | None = None
    symbol: str = ""
    kind: GuardKind = GuardKind.NAMED
    defined: Location | None = None
    note: str = ""

    def __str__(self) -> str:
        said = self.note or self.symbol
        return f"{self.at} {said}".strip() if self.at is not None else said


class Asks(StrEnum):
    """The requirements of guards on the caller (A68), strongest first: the first requirement describes the guard."""

    ROLE = "role"
    OWNER = "owner"
    IDENTITY = "identity"
    TOKEN = "token"  # noqa: S105
    ADDRESS = "address"
    NOTHING = "nothing"
    NOT_UNDERSTOOD = "not understood"
    NOT_ANALYSED = "not analysed in this language"


KNOWS_CALLER = (Asks.ROLE, Asks.OWNER, Asks.IDENTITY, Asks.TOKEN)
"""Requirements that make something a guard: they establish who the caller is (A16)."""


@dataclass(frozen=True, slots=True)
class WrittenGuard:
    """One guard as written in the code, and its interpretation. `right` is the role or permission that it names; `partly` says
    that it lets some callers or paths pass unchecked."""

    at: Location
    text: str = ""
    asks: Asks = Asks.NOT_UNDERSTOOD
    right: str = ""
    partly: bool = False

    @property
    def understood(self) -> str:
        """The guard's requirement in words; never only "unknown"."""
        if self.asks is Asks.NOT_UNDERSTOOD:
            return f"not understood: {self.text} at {self.at}"
        said = f"{self.asks} {self.right}" if self.right else str(self.asks)
        return f"{said}, on some paths only" if self.partly else said


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One entry point. `guards` are all guards on the way, as written in the code.

    `handler` is the line of the handling function's definition; `name` its qualified name. `administrators`: its guard admits
    only administrators. `guard_evidence` is the display text of `guarded_by`.
    """

    kind: EntryKind
    method: str
    path: str
    handler: Location
    name: str
    framework: str = ""
    guard: Guard = Guard.UNKNOWN
    guard_evidence: str = ""
    guarded_by: GuardEvidence | None = None
    administrators: bool = False
    guards: tuple[WrittenGuard, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.method} {self.path}".strip() or self.name

    @property
    def guarded(self) -> str:
        """The entry point and its guards as written in the code."""
        written = "; ".join(dict.fromkeys(each.text for each in self.guards if each.text)) or self.guard_evidence
        return f"{self.label}, behind {written}" if written and self.guard is not Guard.ABSENT else f"{self.label}, no guard"


def tally(entries: Iterable[tuple[EntryKind, object]]) -> tuple[int, int, int]:
    """The number of web routes, of other entry points, and of scripts and public functions. Each method and path of a handler
    counts once: the pairs are its kind and what identifies it."""
    kinds = [kind for kind, _ in dict.fromkeys(entries)]
    web, program = (sum(kind in these for kind in kinds) for these in (WEB_KINDS, PROGRAM_KINDS))
    return web, len(kinds) - web - program, program


def tally_text(web: int, other: int, program: int) -> str:
    """The three numbers in words; without entry points of a kind, that kind is left out."""
    parts = (
        (web, "web route"), (other, "other entry point"), (program, "script or public function"),
    )  # fmt: skip
    plural = {"script or public function": "scripts and public functions"}
    told = [f"{n:,} {word if n == 1 else plural.get(word, word + 's')}" for n, word in parts if n]
    return ", ".join(told) or "no entry point"


@dataclass(frozen=True, slots=True)
class Permission:
    """One row of the endpoint-permission matrix (A9). An undetermined value is unknown, never no."""

    handler: Location
    method: str
    path: str
    auth_required: Guard
    role_required: Guard
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A declared or locked dependency. `version` is exact only if `pinned`; otherwise it is the constraint as written, or '*'."""

    name: str
    version: str
    pinned: bool
    declared: Location
    ecosystem: str = "pypi"

    def __str__(self) -> str:
        return f"{self.name}:{self.version}"


class FrameworkConfidence(StrEnum):
    """High if dependency and code agree, medium on one strong indication, low otherwise (A3)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True)
class Framework:
    name: str
    version: str
    confidence: FrameworkConfidence
    evidence: tuple[str, ...]


class ProjectType(StrEnum):
    CMS = "CMS"
    FINANCE = "Finance"
    SAAS = "SaaS"
    DATA_PLATFORM = "Data Platform"
    IDENTITY = "Identity"
    IOT = "IoT"
    GENERAL_WEB = "General Web"
    LIBRARY = "Library"


@dataclass(frozen=True, slots=True)
class RootFacts:
    """Facts about one manifest root beyond its paths."""

    root: str
    public_functions: int
    outbound_from_arguments: bool
    resources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recon:
    """The result of one attempt. `manifests` lists every manifest and lock file read, even those that declare nothing.

    `permissions` is the endpoint-permission matrix; `resources` the resource types that endpoints create, read, update or delete.
    `roots` are the folders with a manifest of their own, '.' for the top; more than one make a monorepo. `wider` says what
    another attempt would do differently and `wider_for` for which inventories; '' means that no other attempt is possible (A8).
    `by_root` holds the differences between roots, in the order of `roots`; empty for a single root. `not_understood` are web,
    queue and RPC frameworks that an application uses although no entry point was found (A10); `credentials` is the evidence that
    the project has logins, tokens, sessions or passwords: libraries, files and routes (A16).
    """

    modules: tuple[str, ...]
    entry_points: tuple[EntryPoint, ...]
    content_types: tuple[str, ...]
    dependencies: tuple[Dependency, ...]
    manifests: tuple[str, ...]
    frameworks: tuple[Framework, ...]
    project_type: ProjectType
    public_functions: int
    outbound_from_arguments: bool
    p0_files: tuple[str, ...]
    triggers: tuple[str, ...] = ()
    limitations: tuple[str, ...] = ()
    permissions: tuple[Permission, ...] = ()
    resources: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    wider: str = ""
    wider_for: tuple[str, ...] = ()
    by_root: tuple[RootFacts, ...] = ()
    not_understood: tuple[str, ...] = ()
    credentials: tuple[str, ...] = ()

    @property
    def counted(self) -> int:
        """The entry points of a service, counted as the map counts them; of another program, its scripts and functions."""
        web, other, program = tally((each.kind, (each.handler, each.method, each.path)) for each in self.entry_points)
        return web + other or program


def root_of(path: str, roots: Container[str]) -> str:
    """The nearest root above a file; '.' if no root contains it. Depends on the path alone, so every record has a root."""
    folder = path
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in roots:
            return folder
    return "."
