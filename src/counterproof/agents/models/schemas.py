"""JSON schemas as models read them: results of every role and arguments of every tool.

Always holds: the same schema gives the same bytes; titles and defaults are left out, since they say nothing new and are paid
for in every turn.
"""

import json
from typing import Any, cast


def schema_text(schema: dict[str, Any]) -> str:
    """A schema of ours, as text."""
    return json.dumps(_terse(schema), sort_keys=True, separators=(",", ":"))


def _terse(schema: Any) -> Any:
    if isinstance(schema, dict):
        fields = cast("dict[str, Any]", schema)
        return {
            name: {key: _terse(each) for key, each in value.items()} if name in ("properties", "$defs") else _terse(value)
            for name, value in fields.items()
            if name not in ("title", "default")
        }
    return [_terse(each) for each in cast("list[Any]", schema)] if isinstance(schema, list) else schema
