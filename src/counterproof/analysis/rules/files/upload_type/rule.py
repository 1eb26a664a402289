"""Uploaded file of any type stored.

## What it finds
A handler that stores an upload under a name with the extension that the sender chose, made safe or not, where nothing that the
handler runs looks at the extension, the content type or the content.

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

from counterproof.analysis.control.uploads import unchecked_types
from counterproof.analysis.ruleset import ControlRule, RuleInfo
from counterproof.model.dimension import Dimension
from counterproof.model.severity import Impact, Severity

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
