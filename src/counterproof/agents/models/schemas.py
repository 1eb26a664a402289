"""JSON schemas of results and tool arguments: as stored, as accepted by a provider, and as stated in a prompt.

Invariant: the same schema gives the same bytes; titles and defaults are left out. A role states its contract once; adaptations
to a provider's server happen only here, and never loosen our own validation.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SchemaLimits:
    """The parts of an answer's schema that a provider's server accepts. None: no known limit.

    `native`: it binds the model to a schema at all; `beside_tools`: also while tools may be called; `beside_listed`: also
    while tools are listed but must not be called; `optional` and `unions`: the most fields of that kind, counted at every
    occurrence of their object; `depth`: the most nested levels of objects; `bound`: the largest bound of a text, a list or a
    number, 0 if none is accepted; `strict`: it must be asked to follow the schema exactly.
    """

    native: bool = True
    beside_tools: bool = True
    beside_listed: bool = True
    optional: int | None = None
    unions: int | None = None
    depth: int | None = None
    bound: int | None = None
    strict: bool | None = None


UNLIMITED = SchemaLimits()
_BOUNDS = ("minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum")


def schema_text(schema: Schema) -> str:
    """A schema of ours, as text."""
    return json.dumps(_terse(schema), separators=(",", ":"))


def _terse(schema: Any) -> Any:
    if isinstance(schema, dict):
        fields = cast("Schema", schema)
        return {
            name: {key: _terse(each) for key, each in value.items()} if name in ("properties", "$defs") else _terse(value)
            for name, value in fields.items()
            if name not in ("title", "default")
        }
    return [_terse(each) for each in cast("list[Any]", schema)] if isinstance(schema, list) else schema


def native_schema(text: str, limits: SchemaLimits) -> Schema:
    """The schema for this provider's server: unsupported bounds are dropped, and if there are too many optional fields the
    most frequent ones become required; an empty value then means the same as absence."""
    schema = cast("Schema", json.loads(text))
    if limits.bound is not None:
        _drop_bounds(schema, limits.bound)
    if limits.optional is not None:
        _require_surplus(schema, limits.optional)
    return schema


def optional_fields(schema: Schema) -> int:
    """The number of optional fields, counted at every occurrence of their object."""
    return sum(len(_optional(each)) for each in _expanded(schema, schema))


def _expanded(schema: Schema, node: Any) -> Iterator[Schema]:
    """Every part of a schema, with a shared part once per reference."""
    if isinstance(node, list):
        for each in cast("list[Any]", node):
            yield from _expanded(schema, each)
    elif isinstance(node, dict):
        part = cast("Schema", node)
        if "$ref" in part:
            yield from _expanded(schema, _shared(schema, part))
            return
        yield part
        for name, value in part.items():
            if name == "properties":
                yield from _expanded(schema, list(cast("Schema", value).values()))
            elif name in ("items", "anyOf"):
                yield from _expanded(schema, value)


def _shared(schema: Schema, part: Schema) -> Schema:
    return cast("Schema", schema["$defs"][str(part["$ref"]).rpartition("/")[2]])


def _optional(part: Schema) -> list[str]:
    return [name for name in part.get("properties", {}) if name not in part.get("required", ())]


def _drop_bounds(schema: Schema, largest: int) -> None:
    for part in _expanded(schema, schema):
        for name in _BOUNDS:
            if name in part and (largest == 0 or part[name] > largest):
                del part[name]


def _require_surplus(schema: Schema, most: int) -> None:
    """The most frequent first: each reduces the sum most."""
    while optional_fields(schema) > most:
        places = Counter(id(part) for part in _expanded(schema, schema) if _optional(part))
        parts = {id(part): part for part in _expanded(schema, schema)}
        part = parts[max(places, key=lambda each: places[each])]
        part["required"] = [*part.get("required", ()), _optional(part)[0]]


def declaration(text: str) -> str:
    """A schema as a type declaration, which takes a third of the tokens. Each object appears once, under its own name; bounds
    are left to the validator, which reports violations."""
    schema = cast("Schema", json.loads(text))
    shared = [f"type {name.removeprefix('Wire')} = {_type(part)}" for name, part in schema.get("$defs", {}).items()]
    return "\n".join([*shared, f"type Result = {_type(schema)}"])


def _type(field: Schema) -> str:
    if "$ref" in field:
        return str(field["$ref"]).rpartition("/")[2].removeprefix("Wire")
    if "anyOf" in field:
        return " | ".join(_type(each) for each in field["anyOf"])
    if "enum" in field or "const" in field:
        return " | ".join(json.dumps(each) for each in field.get("enum", [field.get("const")]))
    if field.get("type") == "array":
        inner = _type(field["items"])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if field.get("type") == "object":
        optional = _optional(field)
        rows = [f"{name}{'?' if name in optional else ''}: {_type(each)}" for name, each in field.get("properties", {}).items()]
        return "{ " + "; ".join(rows) + " }"
    return str(field.get("type"))
