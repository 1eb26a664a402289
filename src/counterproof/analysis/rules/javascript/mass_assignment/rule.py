"""Every field of a request is stored, in JavaScript and TypeScript.

## What it finds
A whole request body handed to what creates or changes stored objects, or copied over an existing one.

## Why it matters
The sender sets fields that the form does not show: a role, a price, an owner.

## What is safe
Fields taken one by one; `pick` with fixed names; a schema that drops what it does not know.

## Limits
A schema that checks the body before the handler runs is not seen, so that confidence is medium.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.flow.values import Value
from counterproof.analysis.libraries import names
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity
from counterproof.model.survey import Language

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


RULE = CallRule(
    RuleInfo(
        id="javascript-mass-assignment",
        title="Mass assignment",
        dimension=Dimension.D9,
        kind="assignment",
        cwe=915,
        severity=Severity.HIGH,
        impact=Impact.PARTIAL,
        consequence="The sender can set fields that the form does not show.",
        remedy="Assign only the fields that may be set, one by one.",
    ),
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
