"""What reconnaissance saw: the four inventories (A6), with enough substance to be checked (A7)."""

from collections.abc import Container
from dataclasses import dataclass
from enum import StrEnum

from counterproof.model.location import Location


class EntryKind(StrEnum):
    """How the outside gets in (A9)."""

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
"""The method of an entry point that a language model calls."""
NETWORK_KINDS = (EntryKind.HTTP, EntryKind.WEBSOCKET, EntryKind.QUEUE, EntryKind.RPC)


class Guard(StrEnum):
    """Whether something checks who is calling. What could not be decided is unknown, never absent."""

    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"


class GuardKind(StrEnum):
    """What sort of thing a guard is, where more follows from that than from its name."""

    NAMED = "named"
    CHECK = "check in the handler"
    HELPER = "function that the handler calls"
    PERMISSION = "permission"
    DEPENDENCY = "dependency"
    PASSED_BY = "guard that is never executed"


@dataclass(frozen=True, slots=True)
class GuardEvidence:
    """What decided about a guard. `symbol` is what the code calls it, `at` where it stands, `defined` where it is defined.
    Whatever is concluded is concluded from these; `note` is for people, and nothing reads it."""

    at: Location | None = None
    symbol: str = ""
    kind: GuardKind = GuardKind.NAMED
    defined: Location | None = None
    note: str = ""

    def __str__(self) -> str:
        said = self.note or self.symbol
        return f"{self.at} {said}".strip() if self.at is not None else said


class Asks(StrEnum):
    """What a guard asks of the caller (A68). Order is strength: the first that a guard asks for describes it."""

    ROLE = "role"
    OWNER = "owner"
    IDENTITY = "identity"
    TOKEN = "token"  # noqa: S105
    ADDRESS = "address"
    NOTHING = "nothing"
    NOT_UNDERSTOOD = "not understood"
    NOT_ANALYSED = "not analysed in this language"


KNOWS_CALLER = (Asks.ROLE, Asks.OWNER, Asks.IDENTITY, Asks.TOKEN)
"""What counts as a guard: it asks who the caller is (A16)."""


@dataclass(frozen=True, slots=True)
class WrittenGuard:
    """One guard as the code writes it, and what was understood of it. `right` is the role or permission that it names;
    `partly` says that some callers or paths pass it unasked."""

    at: Location
    text: str = ""
    asks: Asks = Asks.NOT_UNDERSTOOD
    right: str = ""
    partly: bool = False

    @property
    def understood(self) -> str:
        """What it asks for, in words; never only "unknown"."""
        if self.asks is Asks.NOT_UNDERSTOOD:
            return f"not understood: {self.text} at {self.at}"
        said = f"{self.asks} {self.right}" if self.right else str(self.asks)
        return f"{said}, on some paths only" if self.partly else said


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """One way in. `guards` are all guards on the way, as the code writes them.

    `handler` is the line of the handling function's definition; `name` its qualified name. `administrators` says
    that its guard lets nobody else in. `guard_evidence` is the text for people of what `guarded_by` holds."""

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


@dataclass(frozen=True, slots=True)
class Permission:
    """One row of the endpoint-permission matrix (A9). What could not be determined is unknown, never no."""

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
    """High when dependency and code agree, medium on one strong sign, low otherwise (A3)."""

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
    """What is known of one manifest root beyond what paths tell."""

    root: str
    public_functions: int
    outbound_from_arguments: bool
    resources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recon:
    """One attempt's result. `manifests` lists every manifest and lock file read, even those that declare nothing.

    `permissions` is the endpoint-permission matrix; `resources` the resource types that endpoints create, read, update or
    delete. `roots` are the folders with a manifest of their own, '.' for the top: more than one make a monorepo. `wider` says
    what a next attempt would do differently and `wider_for` which inventories that is for; '' means that there is none (A8).
    `by_root` has what differs from root to root, in the order of `roots`; empty where there is one. `not_understood` are web,
    queue and RPC frameworks of which an application is made while no entry point was read (A10); `credentials` what shows that
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


def root_of(path: str, roots: Container[str]) -> str:
    """The nearest root above a file; '.' where none of them holds it. Paths alone tell, so every record can be split by root."""
    folder = path
    while "/" in folder:
        folder = folder.rpartition("/")[0]
        if folder in roots:
            return folder
    return "."
