"""The subset of SARIF 2.1.0 that we write, as types. Field names are SARIF's in snake case; `plain` converts them.

None and empty tuples are omitted. Texts must already be inert. Independent of the report.
"""

from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from typing import Final, cast

SCHEMA_URI: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
Properties = dict[str, object]


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Message:
    """Plain text, optionally also as `markdown`."""

    text: str
    markdown: str | None = None


@dataclass(frozen=True, slots=True)
class ArtifactLocation:
    uri: str | None = None
    uri_base_id: str | None = None
    description: Message | None = None


@dataclass(frozen=True, slots=True)
class Snippet:
    text: str


@dataclass(frozen=True, slots=True)
class Region:
    start_line: int
    end_line: int
    snippet: Snippet | None = None


@dataclass(frozen=True, slots=True)
class PhysicalLocation:
    artifact_location: ArtifactLocation
    region: Region


@dataclass(frozen=True, slots=True)
class LogicalLocation:
    fully_qualified_name: str
    kind: str = "function"


@dataclass(frozen=True, slots=True)
class SarifLocation:
    physical_location: PhysicalLocation
    message: Message | None = None
    logical_locations: tuple[LogicalLocation, ...] = ()


@dataclass(frozen=True, slots=True)
class ThreadFlowLocation:
    location: SarifLocation
    kinds: tuple[str, ...]
    importance: str


@dataclass(frozen=True, slots=True)
class ThreadFlow:
    locations: tuple[ThreadFlowLocation, ...]


@dataclass(frozen=True, slots=True)
class CodeFlow:
    thread_flows: tuple[ThreadFlow, ...]
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class ComponentReference:
    name: str
    index: int | None = None


@dataclass(frozen=True, slots=True)
class DescriptorReference:
    id: str
    index: int | None = None
    tool_component: ComponentReference | None = None


@dataclass(frozen=True, slots=True)
class Relationship:
    target: DescriptorReference
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Configuration:
    level: Level


@dataclass(frozen=True, slots=True)
class Descriptor:
    """A rule, a kind of notification, or a taxon."""

    id: str
    name: str | None = None
    short_description: Message | None = None
    full_description: Message | None = None
    help: Message | None = None
    help_uri: str | None = None
    default_configuration: Configuration | None = None
    relationships: tuple[Relationship, ...] = ()
    properties: Properties | None = None


@dataclass(frozen=True, slots=True)
class Component:
    """The driver, or a taxonomy."""

    name: str
    version: str | None = None
    organization: str | None = None
    information_uri: str | None = None
    short_description: Message | None = None
    is_comprehensive: bool | None = None
    rules: tuple[Descriptor, ...] = ()
    notifications: tuple[Descriptor, ...] = ()
    taxa: tuple[Descriptor, ...] = ()
    supported_taxonomies: tuple[ComponentReference, ...] = ()


@dataclass(frozen=True, slots=True)
class Tool:
    driver: Component


@dataclass(frozen=True, slots=True)
class Suppression:
    """A result that somebody accepted. `external`: the decision is outside the reviewed code."""

    justification: str
    kind: str = "external"
    status: str = "accepted"


@dataclass(frozen=True, slots=True)
class Result:
    """`suppressions` is None if there are no exceptions; an empty tuple is written and means that none applies to the result."""

    rule_id: str
    rule_index: int
    level: Level
    message: Message
    locations: tuple[SarifLocation, ...]
    partial_fingerprints: dict[str, str]
    baseline_state: str | None = None
    suppressions: tuple[Suppression, ...] | None = None
    code_flows: tuple[CodeFlow, ...] = ()
    related_locations: tuple[SarifLocation, ...] = ()
    taxa: tuple[DescriptorReference, ...] = ()
    rank: float | None = None
    properties: Properties | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    descriptor: DescriptorReference
    level: Level
    message: Message


@dataclass(frozen=True, slots=True)
class Invocation:
    """`exit_code` is None if a report does not know the exit code of the process."""

    execution_successful: bool
    exit_code: int | None = None
    exit_code_description: str | None = None
    tool_execution_notifications: tuple[Notification, ...] = ()


@dataclass(frozen=True, slots=True)
class AutomationDetails:
    id: str
    description: Message


@dataclass(frozen=True, slots=True)
class Run:
    """`results` is written even if empty: no results is a statement, absent results is not."""

    tool: Tool
    automation_details: AutomationDetails
    invocations: tuple[Invocation, ...]
    original_uri_base_ids: dict[str, ArtifactLocation]
    taxonomies: tuple[Component, ...]
    results: tuple[Result, ...]
    properties: Properties | None = None


@dataclass(frozen=True, slots=True)
class Log:
    runs: tuple[Run, ...]


_ALWAYS: Final = frozenset({"results"})
_EVEN_EMPTY: Final = frozenset({"suppressions"})


def camel(name: str) -> str:
    """Convert `start_line` to `startLine`."""
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def plain(value: object) -> object:
    """The JSON value. Keys of dictionaries are data and stay unchanged."""
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {camel(name): plain(each) for name, each in pairs if _written(name, each)}
    if isinstance(value, dict):
        return {key: plain(each) for key, each in cast("dict[str, object]", value).items()}
    if isinstance(value, tuple):
        return [plain(each) for each in cast("tuple[object, ...]", value)]
    return value


def _written(name: str, value: object) -> bool:
    return name in _ALWAYS or (value is not None and (name in _EVEN_EMPTY or value != ()))


def log_value(log: Log) -> dict[str, object]:
    """The whole file as a JSON value."""
    return {"$schema": SCHEMA_URI, "version": "2.1.0", **cast("dict[str, object]", plain(log))}
