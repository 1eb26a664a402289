"""The parts of SARIF 2.1.0 that we write, as JSON values.

Empty fields are omitted, except `results`: no results is a statement, absent results is not. Texts must already be inert.
Independent of the report.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from counterproof.model.location import Location
from counterproof.model.text import raw_name
from counterproof.reports.inert import block, line, message

SCHEMA_URI: Final = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT: Final = "%SRCROOT%"
TAXONOMY: Final = {"name": "CWE", "index": 0}

Node = dict[str, Any]


def filled(node: Node) -> Node:
    """The fields that have a value."""
    return {name: value for name, value in node.items() if value is not None and value != () and value != []}


def text(words: str) -> Node:
    return {"text": words}


def uri(path: str) -> str:
    """A relative path as a URI reference, which can only name a file below the root. Bytes that are not UTF-8 keep their value;
    a colon cannot form a scheme."""
    return quote(raw_name(path), safe="/")


def place(where: Location, code: str = "", said: str = "", function: str = "") -> Node:
    """A location in the reviewed code."""
    snippet = text("\n".join(block(code))) if code else None
    region = filled({"startLine": where.start, "endLine": where.end, "snippet": snippet})
    physical = {"artifactLocation": {"uri": uri(where.path), "uriBaseId": ROOT}, "region": region}
    return filled(
        {
            "physicalLocation": physical,
            "message": text(said) if said else None,
            "logicalLocations": [{"fullyQualifiedName": line(function), "kind": "function"}] if function else None,
        }
    )


def descriptor(kind: str, name: str, about: str) -> Node:
    """A kind of notification."""
    return {"id": kind, "name": name, "shortDescription": text(about)}


def notification(kinds: Sequence[Node], kind: str, level: str, words: str) -> Node:
    index = next(position for position, each in enumerate(kinds) if each["id"] == kind)
    return {"descriptor": {"id": kind, "index": index}, "level": level, "message": text(message(words))}


@dataclass(frozen=True, slots=True)
class Writer:
    """The program that wrote a log, and what it looked at; `id` and `run` name the analysis for code scanning."""

    name: str
    version: str
    about: str
    id: str
    run: str
    root: str
    notifications: tuple[Node, ...]


def run_of(writer: Writer, rules: Sequence[Node], taxonomy: Node, properties: Node, invocation: Node) -> Node:
    """Everything but the results."""
    driver = {
        "name": writer.name,
        "version": line(writer.version),
        "shortDescription": text(writer.about),
        "rules": list(rules),
        "notifications": list(writer.notifications),
        "supportedTaxonomies": [TAXONOMY],
    }
    return {
        "tool": {"driver": filled(driver)},
        "automationDetails": {"id": writer.id, "description": text(message(writer.run))},
        "invocations": [invocation],
        "originalUriBaseIds": {ROOT: {"description": text(writer.root)}},
        "taxonomies": [taxonomy],
        "results": [],
        "properties": properties,
    }


def log_of(run: Node, results: Iterable[Node], invocation: Node) -> Node:
    """The whole file as a JSON value."""
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [{**run, "results": list(results), "invocations": [invocation]}]}
