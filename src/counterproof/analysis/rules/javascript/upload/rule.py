"""Uploads of any kind of file, in JavaScript and TypeScript.

## What it finds
`multer` without `fileFilter`, and with nothing in the program that looks at the type of what came.

## Why it matters
A page or a script that is uploaded is served to others, or run, from the place where it was stored.

## What is safe
A filter by type and extension, names made by the program, a folder that is never served.

## Limits
A check after the upload counts wherever it stands in the same file.
"""

from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.ruleset import CallRule, Match, RuleInfo
from counterproof.analysis.syntax import ir
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

_LOOKING = vocabulary("mimetype extname filetype magic")


def _check(seen: SeenCall) -> Match | None:
    if seen.at(0) is None or seen.option(0, "fileFilter") is not None:
        return seen.good("uploads", "filtered, or kept nowhere")
    looks = any(
        isinstance(node, ir.Attribute | ir.Name)
        and (node.name if isinstance(node, ir.Attribute) else node.id).lower() in _LOOKING
        for node in walk(*seen.frame.module.body)
    )
    if looks:
        return seen.good("uploads", "their type is looked at")
    return seen.bad("uploads", "any kind of file is accepted", Confidence.MEDIUM)


RULE = CallRule(
    RuleInfo(
        id="javascript-upload",
        title="Unrestricted file upload",
        dimension=Dimension.D5,
        kind="upload",
        cwe=434,
        severity=Severity.MEDIUM,
        posture=True,
        impact=Impact.PARTIAL,
        consequence="Files that others open or run can be uploaded.",
        remedy="Accept named types only and store files under names of your own, outside what is served.",
    ),
    calls=("multer",),
    check=_check,
    query="uploads",
)
