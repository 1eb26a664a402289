"""Generates the JSON Schema of the configuration file and the template that `config init` writes.

Invariant: both contain every setting and nothing else. Not handled here: reading or writing files.
"""

import json
from collections.abc import Iterator
from typing import Final

from counterproof.model.configuration import COMMANDS, MAX_ITEMS, MAX_NUMBER, MAX_TEXT, Kind, Plain, Setting, settings_of

FILE_NAME: Final = "counterproof.toml"


def schema() -> dict[str, object]:
    """The JSON Schema (2020-12) of `counterproof.toml`, and of `[tool.counterproof]` in a `pyproject.toml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Counterproof configuration",
        "description": "Settings of counterproof.toml, or of [tool.counterproof] in pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": {
            command: {
                "type": "object",
                "description": f"Settings of `counterproof {command}`.",
                "additionalProperties": False,
                "properties": {each.name: _property(each) for each in settings_of(command)},
            }
            for command in COMMANDS
        },
    }


def schema_text() -> str:
    """The schema as the text of a file."""
    return json.dumps(schema(), indent=2) + "\n"


def _property(each: Setting) -> dict[str, object]:
    text: dict[str, object] = {"type": "string", "maxLength": MAX_TEXT}
    if each.choices:
        text = {"type": "string", "enum": list(each.choices)}
    match each.kind:
        case Kind.SWITCH:
            shape: dict[str, object] = {"type": "boolean"}
        case Kind.NUMBER:
            shape = {"type": "integer", "minimum": each.least, "maximum": MAX_NUMBER}
        case Kind.LIST:
            shape = {"type": "array", "items": {**text, "minLength": 1}, "maxItems": MAX_ITEMS}
        case Kind.TEXT | Kind.PATH:
            shape = text
    note = " Not from a repository: only in your own file." if each.own else ""
    return {"description": f"{each.about[:1].upper()}{each.about[1:]}.{note}", **shape}


def template(shared: bool = False) -> str:
    """A configuration file with every setting in a comment; `shared` is for a file in a repository and leaves out the settings
    that only the user's own file can contain."""
    return "\n".join(_template_lines(shared)) + "\n"


def _template_lines(shared: bool) -> Iterator[str]:
    yield "# Settings of counterproof. Whatever is in a comment has its default; the command line and the environment win over"
    yield "# this file. Paths are relative to the folder of this file."
    for command in COMMANDS:
        yield ""
        yield f"[{command}]"
        for each in (each for each in settings_of(command) if not (shared and each.own)):
            choice = f": {', '.join(each.choices)}" if each.choices else ""
            yield f"# {each.about}{choice}" + (" (not from a repository)" if each.own else "")
            yield f"# {each.name} = {toml(each.example)}"


def toml(value: Plain) -> str:
    """Format a value as TOML. Strings, numbers, booleans and lists of strings have the same form in JSON and TOML."""
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)
