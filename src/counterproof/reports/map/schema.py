"""The JSON Schema of the map, generated from its types. `docs/reference/map-schema.json` holds it."""

import json

from counterproof.reports.map.document import SCHEMA_VERSION, MapDocument
from counterproof.reports.schema import strict


def schema() -> dict[str, object]:
    """The schema, JSON Schema draft 2020-12."""
    root, definitions = strict(MapDocument)
    root["properties"]["schema_version"] = {"const": SCHEMA_VERSION}
    kept = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Counterproof map", **root}
    return {**kept, "$defs": {name: definitions[name] for name in sorted(definitions)}}


def schema_text() -> str:
    """The schema as the published file."""
    return json.dumps(schema(), ensure_ascii=False, indent=2) + "\n"
