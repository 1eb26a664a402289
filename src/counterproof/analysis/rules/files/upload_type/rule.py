"""Uploaded file of any type stored.

## What it finds
A handler that stores an upload under a name with the extension that the sender chose, made safe or not, where nothing that the
handler runs looks at the extension, the content type or the content. In JavaScript, `multer` without `fileFilter`, in a file that
looks at no type.

## Why it matters
A page with scripts that is served from the same site runs in its name, and some servers run what has the right extension.
Whoever opens the file trusts it because it comes from the application.

## What is safe
A fixed list of extensions together with a check of the content, a name with an extension of the server's choice, and a folder
that is served as a download only.

## Limits
Checks are recognised by the words of tests and calls. Where the stored file is served from is not followed, so the confidence is
medium. Endpoints that ask for a role are left alone, and so are forms of Django.
"""

from dataclasses import replace

from counterproof.analysis.control.uploads import unchecked_types
from counterproof.analysis.flow.seen_calls import SeenCall
from counterproof.analysis.outline.words import vocabulary
from counterproof.analysis.ruleset import CallRule, ControlRule, Match, RuleInfo
from counterproof.analysis.syntax.names import last_name
from counterproof.analysis.syntax.walk import walk
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Confidence, Impact, Severity

RULE = ControlRule(
    RuleInfo(
        id="upload-type",
        title="Unrestricted file upload: any type",
        dimension=Dimension.D5,
        kind="upload",
        cwe=434,
        severity=Severity.MEDIUM,
        impact=Impact.PARTIAL,
        consequence="Pages with scripts, or programs, end up among the files that the application hands out.",
        remedy="Accept a fixed list of extensions, check the content, and choose the stored extension yourself.",
    ),
    lambda site: unchecked_types(site.quotes, site.program, site.operations),
)

_LOOKING = vocabulary("mimetype extname filetype magic")


def _check(seen: SeenCall) -> Match | None:
    if seen.at(0) is None or seen.option(0, "fileFilter") is not None:
        return seen.good("uploads", "filtered, or kept nowhere")
    if any(last_name(node).lower() in _LOOKING for node in walk(*seen.frame.module.body)):
        return seen.good("uploads", "their type is looked at")
    return seen.bad("uploads", "any kind of file is accepted", Confidence.MEDIUM)


SCRIPTS = CallRule(
    replace(
        RULE.info,
        id="javascript-upload",
        title="Unrestricted file upload",
        posture=True,
        consequence="Files that others open or run can be uploaded.",
        remedy="Accept named types only and store files under names of your own, outside what is served.",
    ),
    calls=("multer",),
    check=_check,
    query="uploads",
)
