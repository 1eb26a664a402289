"""Fields of an object chosen by the sender.

## What it finds
Request data spread over an object's fields by name, without a fixed list of the fields that may be set; and privileged fields,
such as a role, taken straight from the request. Forms and serialisers that take over all fields of a model count where it has
such a field, or one that says whose the object is and that the code that uses them does not set. In scripts: a whole request body
handed to what creates or changes stored objects, or copied over an existing one.

## Why it matters
The sender sets fields that were never meant to be theirs: a role, a balance, an owner.

## What is safe
A test of each name against a fixed list, fields named one by one, or a schema that knows only the allowed ones. In scripts also
`pick` with fixed names.

## Limits
Whether a model has privileged fields at all is judged by names. In scripts a schema that checks the body before the handler runs
is not seen, so that confidence is medium.
"""

from itertools import chain

from counterproof.analysis.control.assignment import mass_assignments
from counterproof.analysis.control.schemas import open_schemas
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import (
    CallRule,
    Confidence,
    ControlRule,
    Language,
    Match,
    Severity,
)
from counterproof.analysis.syntax import ir

RULE = ControlRule(
    title="Mass assignment",
    kind="assignment",
    guard="a list of the fields that may be set",
    cwe=915,
    severity=Severity.HIGH,
    consequence="The sender sets fields that were never meant to be theirs, such as a role or a balance.",
    remedy="Copy only an allow-list of fields from the request.",
    check=lambda site: chain(
        mass_assignments(site.quotes, site.program, site.operations), open_schemas(site.quotes, site.program)
    ),
)


_MAKING = ("create", "build", "insertOne", "insert", "bulkCreate", "update", "findByIdAndUpdate", "findOneAndUpdate", "updateOne",
           "updateMany", "replaceOne", "upsert", "set")  # fmt: skip
_BODY = "web request.body"
_COPYING = names("code", "copy", Language.JAVASCRIPT)


def _check(seen: SeenCall) -> Match | None:
    given = seen.arguments.positional
    if seen.name in _COPYING:
        onto = seen.expression(0)
        if isinstance(onto, ir.Mapping) or not any(_is_body(each) for each in given[1:]):
            return None
        return seen.bad("object", "every field of the request is copied over it", Confidence.MEDIUM)
    if not any(_is_body(_data(each)) for each in given[:2]):
        return None
    return seen.bad("stored object", "gets every field of the request", Confidence.MEDIUM)


def _data(value: Value) -> Value:
    """`{data: body}` and `{$set: body}` wrap what is stored."""
    entries = value.entries or {}
    return next((entries[name] for name in ("data", "$set") if name in entries), value)


def _is_body(value: Value) -> bool:
    return value.path == _BODY or (value.rest is not None and value.entries is not None and value.rest.path.startswith(_BODY))


SCRIPTS = RULE.in_scripts(
    CallRule,
    remedy="Assign only the fields that may be set, one by one.",
    guard="",
    calls=(
        *(f"*.{name}" for name in _MAKING),
        *_COPYING,
        "mongoose.model()",
        *(f"mongoose.model().{name}" for name in _MAKING),
        *(f"@prisma/client.PrismaClient().{name}" for name in _MAKING),
    ),
    check=_check,
    query="objects made of whole requests",
)
