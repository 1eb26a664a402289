"""Parses a model's text to plain JSON values, whatever state the text is in (A25, F8).

A result is one JSON object, alone or between sentinels; code fences and surrounding words are tolerated. Invariant: bounded size
and depth, no recursion on the input; duplicate names, NaN and lone surrogates are rejected; truncated and complete texts are
distinguished. Not handled here: the meaning of the values.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

START = "===AGENT_RESULT==="
END = "===AGENT_RESULT_END==="
MAX_CHARACTERS = 2_000_000
MAX_DEPTH = 24


class Malformed(ValueError):
    """The text violates the contract; the message is for the model."""


@dataclass(slots=True)
class Parsed:
    """The fields of a result. `complete` is False if the text ended before the result did."""

    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    complete: bool = True


def parse(text: str) -> Parsed:
    """The single result in a text. Raises `Malformed` if there is none, or more than one."""
    if len(text) > MAX_CHARACTERS:
        raise Malformed(f"the result has more than {MAX_CHARACTERS:,} characters")
    body, closed = _between_sentinels(text)
    begin = body.find("{")
    if begin < 0:
        raise Malformed("there is no JSON object in the reply")
    body = body[begin:]
    _check_depth(body)
    objects, rest = _objects(body)
    if not objects:
        return Parsed(_salvaged(body), complete=False)
    result = Parsed(objects[0], complete=closed and not rest.lstrip().startswith("{"))
    if any(extra != result.fields for extra in objects[1:]):
        raise Malformed("there is more than one result in the reply")
    _check_texts(result.fields)
    return result


def _between_sentinels(text: str) -> tuple[str, bool]:
    """The part with the result, and whether it is closed. Without sentinels it is the whole text."""
    if START not in text:
        return text, True
    before, _, after = text.partition(START)
    body, end, behind = after.partition(END)
    if START in body or START in behind or "{" in before:
        raise Malformed("there is more than one result in the reply")
    return body, bool(end)


def _check_depth(body: str) -> None:
    """Check nesting outside strings without recursion, because the decoder itself recurses."""
    depth = 0
    quoted = escaped = False
    for each in body:
        if quoted:
            quoted = escaped or each != '"'
            escaped = not escaped and each == "\\"
        elif each == '"':
            quoted, escaped = True, False
        elif each in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise Malformed(f"the JSON is nested more than {MAX_DEPTH} deep")
        elif each in "]}":
            depth -= 1


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Malformed("a JSON object holds the same name twice")
    return found


def _no_constant(name: str) -> Any:
    raise Malformed(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def _decode(body: str, place: int) -> tuple[Any, int] | None:
    """The value at an offset and its end; None if it is truncated or broken."""
    try:
        return _DECODER.raw_decode(body, place)
    except Malformed:
        raise
    except (ValueError, RecursionError):
        return None


def _objects(body: str) -> tuple[list[dict[str, Any]], str]:
    """The consecutive objects at the start, and the rest."""
    found: list[dict[str, Any]] = []
    place = 0
    while True:
        decoded = _decode(body, place)
        if decoded is None or not isinstance(decoded[0], dict):
            return found, body[place:]
        found.append(cast("dict[str, Any]", decoded[0]))
        place = decoded[1] + len(body[decoded[1] :]) - len(body[decoded[1] :].lstrip(" \t\r\n,"))
        if not body.startswith("{", place):
            return found, body[place:]


def _salvaged(body: str) -> dict[str, Any]:
    """The complete parts of a truncated object: its complete fields, and the complete entries of the list being written."""
    fields: dict[str, Any] = {}
    place = _skip(body, 1)
    while place < len(body) and body[place] == '"':
        name = _decode(body, place)
        if name is None:
            break
        place = _skip(body, name[1])
        if not body.startswith(":", place):
            break
        place = _skip(body, place + 1)
        value = _decode(body, place)
        if value is None:
            if body.startswith("[", place):
                fields[str(name[0])] = list(_entries(body, place + 1))
            break
        fields[str(name[0])] = value[0]
        place = _skip(body, _skip(body, value[1]) + 1)
    _check_texts(fields)
    return fields


def _entries(body: str, place: int) -> Iterator[Any]:
    while True:
        place = _skip(body, place)
        value = _decode(body, place)
        if value is None:
            return
        yield value[0]
        place = _skip(body, value[1])
        if not body.startswith(",", place):
            return
        place += 1


def _skip(body: str, place: int) -> int:
    while place < len(body) and body[place] in " \t\r\n":
        place += 1
    return place


def _check_texts(value: object) -> None:
    """Reject lone surrogates: they cannot be stored, hashed or shown."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, str):
            if any(0xD800 <= ord(character) <= 0xDFFF for character in each):
                raise Malformed("a text holds half a character (a lone surrogate)")
        elif isinstance(each, dict):
            pending.extend(cast("dict[str, object]", each).values())
        elif isinstance(each, list):
            pending.extend(cast("list[object]", each))
