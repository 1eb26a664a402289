"""The JSON Schema of the JSON report, generated from the model's types so that they cannot diverge.

Strict: every field is required and no other is allowed. `docs/reference/report-schema.json` holds `schema_text()`.
"""

import inspect
import json
from dataclasses import fields, make_dataclass
from typing import Any, Final, cast, get_type_hints

from counterproof.model.receipt import Exit
from counterproof.model.report import Report
from counterproof.reports.batch.document import SCHEMA_VERSION as BATCH_VERSION
from counterproof.reports.batch.document import BatchDocument
from counterproof.reports.document import CLOCKED, ELSEWHERE, SCHEMA_VERSION
from counterproof.reports.map.document import SCHEMA_VERSION as MAP_VERSION
from counterproof.reports.map.document import MapDocument

Node = dict[str, Any]

_PATTERNS: Final = {
    ("ReportedFinding", "number"): "^(?:[CHML]|[A-Z][A-Z0-9]{1,7})-[0-9]{2,}$",
    ("ReportedFinding", "fingerprint"): "^[0-9a-f]{32}$",
}


def schema() -> dict[str, object]:
    """The schema, JSON Schema draft 2020-12."""
    root, definitions = strict(_published())
    properties = {
        "schema_version": {"const": SCHEMA_VERSION},
        "exit_code": {"enum": [code.value for code in Exit], "description": "The process's exit code."},
        **root["properties"],
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Counterproof report",
        "description": root["description"],
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def _published() -> type:
    """The report without the fields that other documents hold."""
    hints = get_type_hints(Report)
    kept = [(each.name, hints[each.name]) for each in fields(Report) if each.name not in ELSEWHERE]
    return make_dataclass(Report.__name__, kept, namespace={"__doc__": Report.__doc__})


def strict(kind: type) -> tuple[Node, dict[str, Node]]:
    """The schemas of a fully written record and of its parts: every field is required and no other is allowed."""
    from pydantic import TypeAdapter  # an expensive import, needed only for the schema

    root: Node = TypeAdapter(kind).json_schema(mode="serialization")
    definitions = cast("dict[str, Node]", root.pop("$defs"))
    for name, definition in (*definitions.items(), (kind.__name__, root)):
        _tighten(name, definition)
    return root, definitions


def map_schema() -> dict[str, object]:
    """The schema of the map. `docs/reference/map-schema.json` holds it."""
    return _of_document("Counterproof map", MapDocument, MAP_VERSION)


def batch_schema() -> dict[str, object]:
    """The schema of the report on all targets of a batch. `docs/reference/batch-schema.json` holds it."""
    return _of_document("Counterproof batch", BatchDocument, BATCH_VERSION)


def _of_document(title: str, kind: type, version: str) -> dict[str, object]:
    root, definitions = strict(kind)
    root["properties"]["schema_version"] = {"const": version}
    kept = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **root}
    return {**kept, "$defs": {name: definitions[name] for name in sorted(definitions)}}


def schema_text(made: dict[str, object]) -> str:
    """A schema as the published file."""
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def _tighten(name: str, definition: Node) -> None:
    """Require every field, allow no other, drop titles and defaults."""
    definition.pop("title", None)
    if "description" in definition:
        definition["description"] = inspect.cleandoc(definition["description"]).replace("\n", " ")
    if "properties" not in definition:
        return
    properties = cast("dict[str, Node]", definition["properties"])
    if name == "Registered":
        for clocked in CLOCKED:
            del properties[clocked]
    for field, value in properties.items():
        value.pop("title", None)
        value.pop("default", None)
        if (name, field) in _PATTERNS:
            value["pattern"] = _PATTERNS[name, field]
    definition["required"] = list(properties)
    definition["additionalProperties"] = False
